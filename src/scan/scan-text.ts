import { setImmediate } from 'node:timers/promises';
import { messageOf } from '../lib/error-text.ts';
import { parseJson } from '../lib/json.ts';
import { createNumberCollection, type NumberCollection } from './collect-numbers.ts';
import { createScanCouriers } from './couriers.ts';
import { findInLines, type PlacedLine } from './find-in-lines.ts';
import { findInLink, type NumberFinder } from './find-in-link.ts';
import { knownFormats } from './match-formats.ts';
import { findParcelDeliveries } from './parcel-delivery.ts';
import type { HtmlContent } from './read-html.ts';
import type { LinePlace, PlacelessFinding, Scan, ScanFormat, ScanOptions, ScanProblem } from './scanned-number.ts';
import { decodeScanned, formatOf, readEncodedBody } from './text-format.ts';

/** What a scan has found so far, and what it needs to find more. */
interface Scanning {
  readonly finder: NumberFinder;
  readonly collection: NumberCollection;
  readonly problems: ScanProblem[];
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (share: number) => void;
}

/** What ends a line. */
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
/** How deep mails are read in mails that are attached to them. */
const deepestMail = 3;
/** Most problems that are told. */
const mostProblems = 100;

const nowhere: LinePlace = { message: null, part: null, subject: null };

/**
 * Finds the tracking numbers in a text of any kind: plain text, a table, HTML, a mail or a mailbox. Never rejects for what
 * the text holds: parts that cannot be read are named. Rejects with the signal's reason once that is aborted.
 * @param source text, or the bytes of a file
 */
export async function scanText(source: string | Uint8Array, options: ScanOptions = {}): Promise<Scan> {
  const { couriers: listed = [], onProgress = () => undefined, signal } = options;
  signal?.throwIfAborted();
  const couriers = createScanCouriers(listed);
  const collection = createNumberCollection(couriers);
  const scanning: Scanning = {
    finder: { couriers, formats: knownFormats, isTold: collection.hasPlaceFor },
    collection,
    problems: [],
    signal,
    onProgress,
  };
  const format = await scanAny(scanning, source, nowhere, 0);
  return { format, numbers: collection.numbers(), problems: scanning.problems, leftOut: collection.leftOut() };
}

/** Scans what may be anything. */
async function scanAny(
  scanning: Scanning,
  source: string | Uint8Array,
  place: LinePlace,
  depth: number,
): Promise<ScanFormat> {
  const { doubt, text } = typeof source === 'string' ? { doubt: null, text: source } : decodeScanned(source);
  const format = formatOf(text);
  const body = format === 'text' || format === 'html' ? readEncodedBody(text) : null;
  if (body !== null && depth < deepestMail) {
    return await scanAny(scanning, body.bytes, { ...place, part: place.part ?? body.encoding }, depth + 1);
  }
  // Numbers are ASCII, whatever the letters are.
  if (doubt !== null && (format === 'text' || format === 'html')) {
    tellProblem(scanning, { message: doubt, place: { ...place, line: null }, isHint: true });
  }
  if (format === 'text' || depth >= deepestMail) {
    await scanLines(scanning, linesOf(text), place, depth === 0 ? text.length : null);
  } else if (format === 'html') await scanHtml(scanning, text, place);
  else {
    const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
    const { messagesOf } = await import('./read-mail.ts');
    const messages = format === 'mailbox' ? [...messagesOf(bytes)] : [bytes];
    for (const [index, message] of messages.entries()) {
      if (depth === 0 && index > 0) scanning.onProgress(index / messages.length);
      await scanMail(
        scanning,
        message,
        format === 'mailbox' && depth === 0 ? { ...place, message: index + 1 } : place,
        depth,
      );
    }
  }
  return format;
}

/** The lines of a text, one after the other: all at once would take many times the memory of the text. */
function* linesOf(text: string): Generator<PlacedLine> {
  let from = 0;
  let line = 1;
  for (const { 0: ending, index } of text.matchAll(lineBreak)) {
    yield { text: text.slice(from, index), line };
    from = index + ending.length;
    line += 1;
  }
  yield { text: text.slice(from), line };
}

async function giveTurn({ signal }: Scanning): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** What a reader does not see is never beyond doubt. */
const seen = <Found extends PlacelessFinding>(finding: Found, isHidden: true | undefined): Found =>
  isHidden === true ? { ...finding, trust: 'doubtful', doubt: 'hidden' } : finding;

/**
 * @param length that of the whole text, where it is told how far the search is
 * @param isHidden present where a reader does not see the lines
 */
async function scanLines(
  scanning: Scanning,
  lines: Iterable<PlacedLine>,
  place: LinePlace,
  length: number | null = null,
  isHidden?: true,
): Promise<void> {
  const { collection, finder, onProgress, signal } = scanning;
  for (const found of findInLines(finder, lines, place)) {
    if (typeof found !== 'number') {
      if ('message' in found) tellProblem(scanning, found);
      else collection.add(seen(found, isHidden));
    } else {
      if (length !== null) onProgress(Math.min(1, found / length));
      await giveTurn(scanning);
    }
  }
  signal?.throwIfAborted();
}

async function scanHtml(scanning: Scanning, html: string, place: LinePlace): Promise<void> {
  const { HtmlTooDeepError, readHtml } = await import('./read-html.ts');
  let content: HtmlContent;
  try {
    content = await readHtml(html, () => giveTurn(scanning));
  } catch (error) {
    if (!(error instanceof HtmlTooDeepError)) throw error;
    tell(scanning, place, 'The page is nested too deeply to be read as one; it was searched as it is.');
    await scanLines(scanning, linesOf(html), place);
    return;
  }
  const { items, lines, linkedData, links } = content;
  const { collection, finder } = scanning;
  const addAll = (findings: readonly PlacelessFinding[], line: number, isHidden?: true): void => {
    for (const finding of findings) collection.add({ ...seen(finding, isHidden), place: { ...place, line } });
  };
  for (const { line, value } of linkedData) {
    try {
      addAll(findParcelDeliveries(finder, parseJson(value)), line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (/ParcelDelivery/.test(value)) {
        tell(
          scanning,
          { ...place },
          'What the sender says about the parcel to programs is damaged; only the text was searched.',
          line,
        );
      }
    }
  }
  for (const { line, value } of items) addAll(findParcelDeliveries(finder, value), line);
  for (const { isHidden, line, value } of links) addAll(findInLink(finder, value), line, isHidden);
  const inSight = (isSeen: boolean) => lines.filter(({ isHidden = false }) => isHidden !== isSeen);
  await scanLines(scanning, inSight(true), place);
  await scanLines(scanning, inSight(false), place, null, true);
}

async function scanMail(scanning: Scanning, bytes: Uint8Array, place: LinePlace, depth: number): Promise<void> {
  const { readMail } = await import('./read-mail.ts');
  scanning.signal?.throwIfAborted();
  const mail = await readMail(bytes).catch((error: unknown) => {
    const reason = messageOf(error);
    tell(scanning, place, `A mail cannot be read as one (${reason}); it was searched as it is.`);
    return null;
  });
  if (mail === null) {
    await scanLines(scanning, linesOf(decodeScanned(bytes).text), place);
    return;
  }
  const subject = mail.subject ?? place.subject;
  for (const part of mail.parts) {
    if (part.kind === 'html' && typeof part.content === 'string') {
      await scanHtml(scanning, part.content, { ...place, subject, part: part.name });
    }
  }
  if (mail.subject !== null)
    await scanLines(scanning, [{ text: mail.subject, line: null }], { ...place, subject, part: 'subject' });
  for (const { content, kind, name } of mail.parts) {
    if (kind === 'text' && typeof content === 'string') {
      await scanLines(scanning, linesOf(content), { ...place, subject, part: name });
    } else if (kind === 'file') await scanAny(scanning, content, { ...place, subject, part: name }, depth + 1);
  }
}

function tell(scanning: Scanning, place: LinePlace, message: string, line: number | null = null): void {
  tellProblem(scanning, { message, place: { ...place, line } });
}

function tellProblem({ problems }: Scanning, problem: ScanProblem): void {
  if (problems.length < mostProblems) problems.push(problem);
}
