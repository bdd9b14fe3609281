import { setImmediate } from 'node:timers/promises';
import { decodeBytes } from '../lib/decode-bytes.ts';
import { messageOf } from '../lib/error-text.ts';
import { parseJson } from '../lib/json.ts';
import { foldNumber } from '../lib/text.ts';
import { createScanCouriers } from './couriers.ts';
import { findInLine } from './find-in-line.ts';
import { findInLink } from './find-in-link.ts';
import {
  type FoundNumber,
  maxNumbers,
  mergeNumbers,
  type Scan,
  type ScanFormat,
  type ScanOptions,
  type ScanPlace,
  type ScanProblem,
} from './found-number.ts';
import {
  continuesOnNextLine,
  findInRow,
  findRoundedNumbers,
  firstTable,
  parseTableHeader,
  splitRow,
  type TextTable,
} from './text-table.ts';

interface PlacedLine {
  readonly value: string;
  readonly line: number | null;
}

type PartPlace = Omit<ScanPlace, 'line'>;

/** How deeply emails may be attached to other emails. */
const maxMailDepth = 8;
const maxProblems = 100;
/** In characters. Longer lines are split, if possible at a space. */
const maxLineLength = 20_000;
const maxHeadingLength = 60;
/** Yields to the event loop after this many characters, where each line counts as a few extra characters. */
const charactersPerTurn = 100_000;
const lineOverhead = 20;

/**
 * Finds the tracking numbers in plain text, a table, HTML, an email or an mbox. Parts that cannot be read are reported
 * as problems. Rejects only with the signal's reason.
 * @param source text, or the contents of a file
 */
export async function scanText(source: string | Uint8Array, options: ScanOptions = {}): Promise<Scan> {
  const { couriers: listed = [], onProgress = () => undefined, signal } = options;
  signal?.throwIfAborted();
  const couriers = createScanCouriers(listed);
  const found = new Map<string, FoundNumber>();
  const excessKeys = new Set<string>();
  const problems: ScanProblem[] = [];

  const add = (numbers: readonly FoundNumber[], place: ScanPlace, isHidden = false): void => {
    for (const number of numbers) {
      const key = foldNumber(number.trackNo);
      const previous = found.get(key);
      // Hidden text is always doubtful.
      const hidden = isHidden ? ({ certainty: 'doubtful', issue: 'hidden' } as const) : {};
      const next = { ...number, ...hidden, places: [place] };
      if (previous !== undefined) found.set(key, mergeNumbers(previous, next));
      else if (found.size < maxNumbers) found.set(key, next);
      else excessKeys.add(key);
    }
  };
  const report = (message: string, place: PartPlace, line: number | null = null, isHint = false): void => {
    if (problems.length < maxProblems) {
      problems.push({ message, place: { ...place, line }, ...(isHint ? { isHint } : {}) });
    }
  };
  const yieldToEventLoop = async (): Promise<void> => {
    await setImmediate();
    signal?.throwIfAborted();
  };

  /** @param length length of the whole text, to report progress */
  const readLines = async (
    lines: Iterable<PlacedLine>,
    place: PartPlace,
    { isHidden = false, length = 0 }: { readonly isHidden?: boolean; readonly length?: number } = {},
  ): Promise<void> => {
    let heading = '';
    let [searched, sinceTurn] = [0, 0];
    let table: TextTable | null = null;
    let hasRows = false;
    for (const { line, value } of joinRowLines(lines, () => table)) {
      let isEmpty = true;
      for (const piece of value.length > maxLineLength ? splitLongLine(value) : [value]) {
        const row: readonly string[] | null = table === null ? null : splitRow(table, piece);
        const numbers =
          table === null || row === null ? findInLine(couriers, piece, heading) : findInRow(couriers, table, row);
        if (table !== null && row !== null) {
          hasRows = true;
          for (const advice of findRoundedNumbers(table, row)) report(advice, place, line);
        } else if (hasRows || /\S/.test(piece)) table = null;
        isEmpty &&= numbers.length === 0;
        add(numbers, { ...place, line }, isHidden);
        searched += piece.length + 1;
        sinceTurn += piece.length + lineOverhead;
        if (sinceTurn > charactersPerTurn) {
          sinceTurn = 0;
          if (length > 0) onProgress(Math.min(1, searched / length));
          await yieldToEventLoop();
        }
      }
      if (table === null && isEmpty) {
        table = parseTableHeader(value);
        hasRows = false;
      }
      if (/\S/.test(value)) heading = isEmpty && value.length <= maxHeadingLength && !/\d/.test(value) ? value : '';
    }
    signal?.throwIfAborted();
  };

  const readPage = async (html: string, place: PartPlace): Promise<void> => {
    const { findParcelDeliveries, HtmlTooDeepError, readParcelDelivery, readHtml } = await import('./read-html.ts');
    const page = await readHtml(html, yieldToEventLoop).catch((error: unknown) => {
      if (error instanceof HtmlTooDeepError) return null;
      throw error;
    });
    if (page === null) {
      report('The page is nested too deeply to be read as HTML, so its source was searched instead.', place);
      await readLines(splitLines(html), place);
      return;
    }
    for (const { line, value } of page.linkedData) {
      try {
        add(findParcelDeliveries(couriers, parseJson(value)), { ...place, line });
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        if (!value.includes('ParcelDelivery')) continue;
        report('The machine-readable parcel data is malformed, so only the text was searched.', place, line);
      }
    }
    for (const { line, value } of page.items) add(readParcelDelivery(couriers, value), { ...place, line });
    for (const { isHidden, line, value } of page.links) add(findInLink(couriers, value), { ...place, line }, isHidden);
    const { false: visibleLines = [], true: hiddenLines = [] } = Object.groupBy(page.lines, ({ isHidden = false }) =>
      isHidden ? 'true' : 'false',
    );
    await readLines(visibleLines, place);
    await readLines(hiddenLines, place, { isHidden: true });
  };

  const readEmail = async (bytes: Uint8Array, place: PartPlace, depth: number): Promise<void> => {
    const { readMail } = await import('./read-mail.ts');
    signal?.throwIfAborted();
    const mail = await readMail(bytes).catch((error: unknown) => {
      report(`An email could not be parsed (${messageOf(error)}), so its source was searched instead.`, place);
      return null;
    });
    if (mail === null) {
      await readLines(splitLines(decodeText(bytes).text), place);
      return;
    }
    const { parts } = mail;
    const subject = mail.subject ?? place.subject;
    for (const { content, kind, name } of parts) {
      if (kind === 'html' && typeof content === 'string') await readPage(content, { ...place, subject, part: name });
    }
    if (mail.subject !== null) {
      await readLines([{ value: mail.subject, line: null }], { ...place, subject, part: 'subject' });
    }
    for (const { content, kind, name } of parts) {
      if (kind === 'text' && typeof content === 'string')
        await readLines(splitLines(content), { ...place, subject, part: name });
      else if (kind === 'file') await readSource(content, { ...place, subject, part: name }, depth + 1);
    }
  };

  const readSource = async (content: string | Uint8Array, place: PartPlace, depth: number): Promise<ScanFormat> => {
    const { warning, text } = typeof content === 'string' ? { warning: null, text: content } : decodeText(content);
    const format = detectFormat(text);
    if ((format === 'mail' || format === 'mailbox') && depth < maxMailDepth) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const { splitMailbox } = await import('./read-mail.ts');
      const mails = format === 'mail' ? [bytes] : splitMailbox(bytes);
      for (const [index, mail] of mails.entries()) {
        if (index > 0) await yieldToEventLoop();
        if (depth === 0 && index > 0) onProgress(index / mails.length);
        const isNumbered = format === 'mailbox' && depth === 0;
        await readEmail(mail, isNumbered ? { ...place, message: index + 1 } : place, depth);
      }
      return format;
    }
    const body = decodeQuotedPrintable(text);
    if (body !== null && place.part === null) {
      return await readSource(body, { ...place, part: 'quoted-printable' }, depth + 1);
    }
    if (warning !== null) report(warning, place, null, true);
    if (format === 'html') await readPage(text, place);
    else await readLines(splitLines(text), place, depth === 0 ? { length: text.length } : {});
    return format;
  };

  const format = await readSource(source, { message: null, part: null, subject: null }, 0);
  return { format, numbers: [...found.values()], problems, leftOut: excessKeys.size };
}

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** A generator, because an array of lines would take many times as much memory as the text. */
function* splitLines(text: string): Generator<PlacedLine> {
  let from = 0;
  let line = 1;
  for (const { 0: ending, index } of text.matchAll(lineBreak)) {
    yield { value: text.slice(from, index), line };
    from = index + ending.length;
    line += 1;
  }
  yield { value: text.slice(from), line };
}

/** Joins the lines of a table row whose quoted cells contain line breaks. */
function* joinRowLines(lines: Iterable<PlacedLine>, table: () => TextTable | null): Generator<PlacedLine> {
  let partial: PlacedLine | null = null;
  for (const line of lines) {
    const joined: PlacedLine = partial === null ? line : { ...partial, value: `${partial.value} ${line.value}` };
    const current = table();
    partial =
      current !== null && joined.value.length < maxLineLength && continuesOnNextLine(current, joined.value)
        ? joined
        : null;
    if (partial === null) yield joined;
  }
  if (partial !== null) yield partial;
}

function* splitLongLine(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const end = text.slice(from, from + maxLineLength).lastIndexOf(' ');
    const to = text.length - from > maxLineLength && end > 0 ? from + end : from + maxLineLength;
    yield text.slice(from, to);
    from = to;
  }
}

const headerLine = /^(?:[!-9;-~]{1,100}:(?:[ \t]|$)|[ \t]+\S)/;
const typicalHeader =
  /^(?:from|to|subject|date|received|return-path|message-id|mime-version|content-type|content-transfer-encoding|delivered-to|dkim-signature|x-[a-z-]+):/i;

function startsAsMail(text: string): boolean {
  const lines = text.replace(/^\s+/, '').split(/\r\n|\n|\r/, 60);
  const end = lines.findIndex((line) => !headerLine.test(line));
  return lines.slice(0, end === -1 ? undefined : end).filter((line) => typicalHeader.test(line)).length >= 2;
}

const htmlStart =
  /^\s*<(?:!doctype\s+html|\?xml|!--|(?:html|head|body|meta|title|style|script|table|tbody|tr|td|div|p|span|a|ul|ol|li|h[1-6]|section|main|article|center|br|b|font|img)[\s/>])/i;
const looksLikeHtml =
  /<a\s[^<>]{0,300}href\s{0,5}=|<script\s[^<>]{0,200}application\/ld\+json|\sitemprop\s{0,5}=\s{0,5}["']/i;
const maxInspectedLength = 200_000;

function detectFormat(text: string): ScanFormat {
  const start = text.slice(0, maxInspectedLength);
  const [separator] = /^\s*From \S[^\r\n]{0,200}(?:\r\n|\n|\r)/.exec(start) ?? [];
  if (separator !== undefined && startsAsMail(start.slice(separator.length))) return 'mailbox';
  if (startsAsMail(start)) return 'mail';
  if (htmlStart.test(start)) return 'html';
  // Shops export tables with markup in the cells. Reading them as HTML would lose the columns.
  return looksLikeHtml.test(start) && firstTable(start) === null ? 'html' : 'text';
}

/** `warning` says how the bytes were decoded if that was a guess. */
function decodeText(bytes: Uint8Array): { readonly text: string; readonly warning: string | null } {
  const decoded = decodeBytes(bytes);
  // Numbers are ASCII, so bytes in an unknown encoding are still worth searching.
  const text = decoded?.text ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const warning =
    'The text is not UTF-8 and was read as Windows-1252. If any letters look wrong, save the text as UTF-8 and try again.';
  return { text, warning: decoded?.isGuess === true ? warning : null };
}

const minBrokenLength = 50;

/**
 * Decodes a quoted-printable email body that was copied without its header, or returns null. In such a body, every
 * equals sign starts a code or a soft line break, and at least one of these is typical. URLs and source code contain
 * others.
 */
function decodeQuotedPrintable(whole: string): Uint8Array | null {
  const text = whole.slice(0, maxInspectedLength);
  if (/=(?![0-9A-F]{2}|[ \t]{0,20}(?:\r|\n|$))/.test(text.replace(/=.?$/, ''))) return null;
  const isTypical =
    /=3D|=C3=[89AB][0-9A-F]|=E2=80=[89A][0-9A-F]/.test(text) ||
    text.split(/\r\n|\r|\n/).some((line) => line.endsWith('=') && line.length >= minBrokenLength && line.length <= 78);
  if (!isTypical) return null;
  const pieces = whole.replace(/=[ \t]{0,20}(?:\r\n|\r|\n|$)/g, '').split(/((?:=[0-9A-F]{2})+)/);
  return Buffer.concat(
    pieces.map((piece, index) =>
      index % 2 === 1 ? Buffer.from(piece.replaceAll('=', ''), 'hex') : Buffer.from(piece),
    ),
  );
}
