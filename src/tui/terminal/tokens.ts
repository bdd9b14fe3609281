import { backgroundAhead, isTornReport } from './reports.ts';

/** A piece of a terminal read: `sequence` is a key or control sequence, `text` a grapheme, `paste` a whole paste. */
export type Token =
  | { readonly kind: 'sequence'; readonly raw: string }
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'paste'; readonly text: string };

/** The tokens of a read, and its incomplete rest. */
interface Tokens {
  readonly tokens: readonly Token[];
  readonly rest: string;
}

export const escapeByte = '\u001b';
export const pasteStart = `${escapeByte}[200~`;
export const pasteEnd = `${escapeByte}[201~`;

export const interrupt = '\u0003';

/** CSI, SS3 and Alt keys for editing. Otherwise Escape is a separate key. */
const completeSequence =
  /^\u001b(?:\[\[?[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|O[\x30-\x3f]*[\x40-\x7e]|\u001b\[[\x30-\x3f]*[\x40-\x7e]|[bdfy\b\u001f\u007f])/u;
const unfinishedSequence = /^\u001b(?:\[\[?[\x30-\x3f]*[\x20-\x2f]*|O[\x30-\x3f]*|\u001b(?:\[[\x30-\x3f]*)?)?$/u;

/** Possibly the start of a background report. */
const unfinishedReport = /^\u001b\]1{0,2}$/;

/** Text of at least this many graphemes in one read was pasted. */
export const pastedRun = 8;

export interface RunKeys {
  readonly leadToField: ReadonlySet<string>;
  readonly heldDown: ReadonlySet<string>;
  readonly moving: ReadonlySet<string>;
}

const heldRun = 4;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Splits a text without control characters into graphemes. Creating the first segmenter is slow. */
const graphemesOf = (text: string): readonly string[] =>
  /^[ -~]*$/.test(text) ? text.split('') : [...graphemes.segment(text)].map(({ segment }) => segment);

const isControl = (character: string): boolean => character < ' ' || character === '\u007f';

/** Splits a read. `pending` is the rest of the previous read. */
export function tokenise(input: string, keys: RunKeys, pending = ''): Tokens {
  const tokens: Token[] = [];
  let rest = pending + input;
  while (rest !== '') {
    const next = nextToken(rest, keys);
    if (next === null) break;
    tokens.push(...next.tokens);
    rest = rest.slice(next.length);
  }
  return { tokens, rest };
}

interface Taken {
  readonly tokens: readonly Token[];
  readonly length: number;
}

/** Returns the first token, or null if more input is needed. */
function nextToken(input: string, keys: RunKeys): Taken | null {
  if (input.startsWith(pasteStart)) {
    const end = input.indexOf(pasteEnd);
    if (end === -1) return null;
    return {
      tokens: [{ kind: 'paste', text: input.slice(pasteStart.length, end) }],
      length: end + pasteEnd.length,
    };
  }
  // From a paste that is already over.
  if (input.startsWith(pasteEnd)) return { tokens: [], length: pasteEnd.length };
  // Otherwise both would form a sequence, and the paste would be typed.
  if (input.startsWith(`${escapeByte}${pasteStart}`)) {
    return { tokens: [{ kind: 'sequence', raw: escapeByte }], length: escapeByte.length };
  }
  if (input.startsWith(escapeByte)) {
    if (unfinishedSequence.test(input) || unfinishedReport.test(input) || isTornReport(input)) return null;
    const raw = backgroundAhead.exec(input)?.[0] ?? completeSequence.exec(input)?.[0] ?? escapeByte;
    return { tokens: [{ kind: 'sequence', raw }], length: raw.length };
  }
  const first = input.charAt(0);
  // CR LF is one Enter. Some programs send LF.
  if (first === '\r' || first === '\n') {
    return { tokens: [{ kind: 'sequence', raw: '\r' }], length: input.startsWith('\r\n') ? 2 : 1 };
  }
  if (isControl(first)) return { tokens: [{ kind: 'sequence', raw: first }], length: 1 };
  return takeLines(input, keys) ?? takeText(input, keys);
}

/** Maximum characters to look at when lines may be a paste. */
const linesLookedAt = 4096;

const linesAhead = /^(?:[^\u0000-\u001f\u007f]|[\t\r\n])+/u;

/**
 * Treats several lines in one read as a paste if two or more are too long to be typed, including the final line end.
 * Returns null for others, and for scripts that type line by line.
 */
function takeLines(input: string, keys: RunKeys): Taken | null {
  const near = linesAhead.exec(input.slice(0, linesLookedAt))?.[0] ?? '';
  const lines = near.split(/[\r\n]+/).filter((line) => line !== '');
  const [first = ''] = lines;
  const key = first.charAt(0);
  const isScript = keys.leadToField.has(key);
  if (isScript && lines.every((line) => line.startsWith(key))) return null;
  if (lines.filter((line) => isLong(line, keys)).length < 2) return null;
  const ahead = linesAhead.exec(input)?.[0] ?? '';
  const start = isScript ? key.length : 0;
  return {
    tokens: [...typed(isScript ? [key] : []), { kind: 'paste', text: ahead.slice(start) }],
    length: ahead.length,
  };
}

function isLong(line: string, keys: RunKeys): boolean {
  // A line is never longer than this.
  const pieces = graphemesOf(line.trim().slice(0, 100 * pastedRun));
  return tokensOfRun(pieces, keys).some(({ kind }) => kind === 'paste');
}

function takeText(input: string, keys: RunKeys): Taken {
  let length = 0;
  while (length < input.length && !isControl(input.charAt(length))) length += 1;
  const pieces = graphemesOf(input.slice(0, length));
  return { tokens: tokensOfRun(pieces, keys), length };
}

const typed = (pieces: readonly string[]): Token[] => pieces.map((raw) => ({ kind: 'text', raw }));

function tokensOfRun(pieces: readonly string[], keys: RunKeys): readonly Token[] {
  // A held key repeats one character.
  if (pieces.length < pastedRun || new Set(pieces).size === 1) return typed(pieces);
  if (pieces.every((piece) => keys.moving.has(piece))) return typed(pieces);
  const [first = '', ...others] = pieces;
  // Scripts send `a` and a number together.
  if (keys.leadToField.has(first)) return [...typed([first]), ...tokensOfRun(others, keys)];
  if (keys.heldDown.has(first)) {
    const held = pieces.findIndex((piece) => piece !== first);
    if (held >= heldRun) return [...typed(pieces.slice(0, held)), ...tokensOfRun(pieces.slice(held), keys)];
  }
  // Blanks at the ends of a paste are dropped, but a read may end while the user types.
  const start = pieces.findIndex((piece) => piece.trim() !== '');
  const end = pieces.findLastIndex((piece) => piece.trim() !== '') + 1;
  if (end === 0) return typed(pieces);
  return [
    ...typed(pieces.slice(0, start)),
    { kind: 'paste', text: pieces.slice(start, end).join('') },
    ...typed(pieces.slice(end)),
  ];
}

export const maxPasteLength = 1_000_000;

/** An unfinished paste. Uses no more memory than {@link maxPasteLength}. */
export class UnfinishedPaste {
  #kept = '';
  /** Possible start of the end mark. */
  #tail = '';

  /** Adds a read. Returns the input after the paste, or null if it continues. */
  add(read: string): string | null {
    const seen = this.#tail + read;
    const end = seen.indexOf(pasteEnd);
    if (end === -1) {
      const tailFrom = Math.max(0, seen.length - pasteEnd.length + 1);
      this.#keep(seen.slice(0, tailFrom));
      this.#tail = seen.slice(tailFrom);
      return null;
    }
    this.#keep(seen.slice(0, end));
    this.#tail = '';
    return seen.slice(end + pasteEnd.length);
  }

  /** The text so far, without a partial end mark. */
  text(): string {
    const tail = this.#tail.slice(0, unfinishedEnd(this.#tail));
    return (this.#kept + tail).slice(0, maxPasteLength + 1);
  }

  #keep(text: string): void {
    this.#kept += text.slice(0, maxPasteLength + 1 - this.#kept.length);
  }
}

/** Returns the length of a partial end mark at the end of a text. */
function unfinishedEnd(text: string): number {
  for (let at = 0; at < text.length; at += 1) if (pasteEnd.startsWith(text.slice(at))) return at;
  return text.length;
}

/** Focus reports (DECSET 1004). tmux passes them on with `focus-events`. */
const focusIn = '\u001b[I';
const focusOut = '\u001b[O';
const terminalReport = /\u001b\[(?:([IO])|<[\d;]*[Mm])/g;

/** Whether the terminal has the focus, by its report. Null for other sequences. */
export function focusReportOf(sequence: string): boolean | null {
  if (sequence === focusIn) return true;
  return sequence === focusOut ? false : null;
}

/** A text from the terminal without the reports of focus and mouse inside it. */
interface TextWithoutReports {
  readonly text: string;
  /** The last report of the focus, or null. */
  readonly isFocused: boolean | null;
}

export function withoutReports(text: string): TextWithoutReports {
  const last = [...text.matchAll(terminalReport)].flatMap(([, focus]) => focus ?? []).at(-1);
  return { text: text.replace(terminalReport, ''), isFocused: last === undefined ? null : last === 'I' };
}
