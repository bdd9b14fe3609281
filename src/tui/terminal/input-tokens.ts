interface Tokens {
  /** Each is a control sequence, a grapheme, or a whole paste between its markers. */
  readonly tokens: readonly string[];
  /** Incomplete input after the last token. */
  readonly rest: string;
}

export const escapeByte = '\u001b';
export const pasteStart = `${escapeByte}[200~`;
export const pasteEnd = `${escapeByte}[201~`;

/** Returns a paste as terminals send it. */
export const pasteSequence = (text: string): string => `${pasteStart}${text}${pasteEnd}`;

export const isPaste = (token: string): boolean => token.startsWith(pasteStart);

export const interrupt = '\u0003';

/** CSI and SS3 sequences, and Alt keys that edit text. Any other Escape is a key of its own. */
const completeSequence =
  /^\u001b(?:\[\[?[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|O[\x30-\x3f]*[\x40-\x7e]|\u001b\[[\x30-\x3f]*[\x40-\x7e]|[bdfy\b\u001f\u007f])/u;
const unfinishedSequence = /^\u001b(?:\[\[?[\x30-\x3f]*[\x20-\x2f]*|O[\x30-\x3f]*|\u001b(?:\[[\x30-\x3f]*)?)?$/u;

/** Possibly the beginning of a background report. */
const unfinishedReport = /^\u001b\]1{0,2}$/;

/** A read with at least this many graphemes in a row was pasted, not typed. */
export const minPasteRun = 8;

/** The keys that tell a run of typed characters from a paste. */
export interface RunKeys {
  readonly fieldOpeners: ReadonlySet<string>;
  readonly repeatingKeys: ReadonlySet<string>;
  readonly navigationKeys: ReadonlySet<string>;
}

const minHeldRepeats = 4;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Splits text without control characters into graphemes. ASCII text does not need the slow segmenter. */
const splitGraphemes = (text: string): readonly string[] =>
  /^[ -~]*$/.test(text) ? text.split('') : [...graphemes.segment(text)].map(({ segment }) => segment);

const isControl = (character: string): boolean => character < ' ' || character === '\u007f';

/** Splits a read into tokens. `pending` is the incomplete input of the previous read. */
export function tokenise(input: string, keys: RunKeys, pending = ''): Tokens {
  const tokens: string[] = [];
  let rest = pending + input;
  while (rest !== '') {
    const next = nextToken(rest, keys);
    if (next === null) break;
    tokens.push(...next.tokens);
    rest = rest.slice(next.length);
  }
  return { tokens, rest };
}

interface Match {
  readonly tokens: readonly string[];
  readonly length: number;
}

/** Returns the first token, or null if more input is needed. */
function nextToken(input: string, keys: RunKeys): Match | null {
  if (isPaste(input)) {
    const end = input.indexOf(pasteEnd);
    if (end === -1) return null;
    const length = end + pasteEnd.length;
    return { tokens: [input.slice(0, length)], length };
  }
  // A stray end marker, from a paste that has already ended.
  if (input.startsWith(pasteEnd)) return { tokens: [], length: pasteEnd.length };
  // Escape right before a paste. Matching both as one sequence would turn the pasted text into key presses.
  if (input.startsWith(`${escapeByte}${pasteStart}`)) {
    return { tokens: [escapeByte], length: escapeByte.length };
  }
  if (input.startsWith(escapeByte)) {
    if (unfinishedSequence.test(input) || unfinishedReport.test(input) || isTornReport(input)) return null;
    const raw = backgroundAhead.exec(input)?.[0] ?? completeSequence.exec(input)?.[0] ?? escapeByte;
    return { tokens: [raw], length: raw.length };
  }
  const first = input.charAt(0);
  // CR LF is one Enter. Some programs send only LF.
  if (first === '\r' || first === '\n') {
    return { tokens: ['\r'], length: input.startsWith('\r\n') ? 2 : 1 };
  }
  if (isControl(first)) return { tokens: [first], length: 1 };
  return matchLines(input, keys) ?? matchText(input, keys);
}

/** How many characters to scan when deciding whether lines are a paste. */
const maxScanLength = 4096;

const linesAhead = /^(?:[^\u0000-\u001f\u007f]|[\t\r\n])+/u;

/**
 * Treats several lines in one read as a paste, including the final line break, if at least two of them are too long to
 * have been typed. Returns null otherwise, or if every line begins with the same key that opens a field, as in
 * scripted input.
 */
function matchLines(input: string, keys: RunKeys): Match | null {
  const scanned = linesAhead.exec(input.slice(0, maxScanLength))?.[0] ?? '';
  const lines = scanned.split(/[\r\n]+/).filter((line) => line !== '');
  const [first = ''] = lines;
  const key = first.charAt(0);
  const isScript = keys.fieldOpeners.has(key);
  if (isScript && lines.every((line) => line.startsWith(key))) return null;
  if (lines.filter((line) => isLong(line, keys)).length < 2) return null;
  const ahead = linesAhead.exec(input)?.[0] ?? '';
  const tokens = isScript ? [key, pasteSequence(ahead.slice(key.length))] : [pasteSequence(ahead)];
  return { tokens, length: ahead.length };
}

function isLong(line: string, keys: RunKeys): boolean {
  // A prefix is enough to decide.
  const pieces = splitGraphemes(line.trim().slice(0, 100 * minPasteRun));
  return splitRun(pieces, keys).some(isPaste);
}

function matchText(input: string, keys: RunKeys): Match {
  let length = 0;
  while (length < input.length && !isControl(input.charAt(length))) length += 1;
  const pieces = splitGraphemes(input.slice(0, length));
  return { tokens: splitRun(pieces, keys), length };
}

function splitRun(pieces: readonly string[], keys: RunKeys): readonly string[] {
  // A held key repeats one character.
  if (pieces.length < minPasteRun || new Set(pieces).size === 1) return pieces;
  if (pieces.every((piece) => keys.navigationKeys.has(piece))) return pieces;
  const [first = '', ...others] = pieces;
  // Scripts send `a` and a number together.
  if (keys.fieldOpeners.has(first)) return [first, ...splitRun(others, keys)];
  if (keys.repeatingKeys.has(first)) {
    const runLength = pieces.findIndex((piece) => piece !== first);
    if (runLength >= minHeldRepeats) return [...pieces.slice(0, runLength), ...splitRun(pieces.slice(runLength), keys)];
  }
  // Pastes are trimmed, because a space at either end may belong to what the user is typing.
  const start = pieces.findIndex((piece) => piece.trim() !== '');
  const end = pieces.findLastIndex((piece) => piece.trim() !== '') + 1;
  if (end === 0) return pieces;
  return [...pieces.slice(0, start), pasteSequence(pieces.slice(start, end).join('')), ...pieces.slice(end)];
}

export const maxPasteLength = 1_000_000;

/**
 * A paste whose end marker has not arrived. Keeps up to {@link maxPasteLength} characters, and one more if it was cut.
 */
export class UnfinishedPaste {
  #kept = '';
  /** Possibly the beginning of the end marker. */
  #tail = '';

  /** Adds a read. Returns the input after the paste, or null if the paste continues. */
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

  /** The text so far, without a partial end marker. */
  text(): string {
    const tail = this.#tail.slice(0, partialEndIndex(this.#tail));
    return (this.#kept + tail).slice(0, maxPasteLength + 1);
  }

  #keep(text: string): void {
    this.#kept += text.slice(0, maxPasteLength + 1 - this.#kept.length);
  }
}

/** Returns the index at which a partial end marker begins, or the length of the text if there isn't one. */
function partialEndIndex(text: string): number {
  for (let at = 0; at < text.length; at += 1) if (pasteEnd.startsWith(text.slice(at))) return at;
  return text.length;
}

/** Focus reports (DECSET 1004). tmux forwards them if `focus-events` is on. */
const focusIn = '\u001b[I';
const focusOut = '\u001b[O';
const terminalReport = /\u001b\[(?:([IO])|<[\d;]*[Mm])/g;

/** Parses a focus report: true if the terminal gained the focus, false if it lost it. Null for other sequences. */
export function readFocusReport(sequence: string): boolean | null {
  if (sequence === focusIn) return true;
  return sequence === focusOut ? false : null;
}

/** Returns text without its focus and mouse reports, and the last focus report, or null if there was none. */
export function withoutReports(text: string): { readonly text: string; readonly isFocused: boolean | null } {
  const last = [...text.matchAll(terminalReport)].flatMap(([, focus]) => focus ?? []).at(-1);
  return { text: text.replace(terminalReport, ''), isFocused: last === undefined ? null : last === 'I' };
}

/** A mouse event at a cell of the terminal, counted from 0 at the top left. */
export interface MouseReport {
  readonly kind: 'click' | 'wheel-up' | 'wheel-down';
  readonly column: number;
  readonly row: number;
  /** Number of wheel turns, or 1 for a click. */
  readonly times: number;
}

/** A report in the SGR format (DECSET 1006). A final `m` means that a button was released. */
const mouseReport = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/;

/** A reply to OSC 11, with one to four hexadecimal digits per colour. */
const backgroundReport = /^\u001b\]11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i;

/** A complete background report, including its final BEL or ST, at the start of the input. */
export const backgroundAhead = /^\u001b\]11;[rgb\da-f:/]*(?:\u0007|\u001b\\)/i;

/** Whether this is the reply to DA1, which every terminal sends after its replies to earlier queries. */
export const isAttributesReport = (sequence: string): boolean => /^\u001b\[\?[\d;]*c$/.test(sequence);

export const isMouseReport = (sequence: string): boolean => mouseReport.test(sequence);

/** Whether the input is the beginning of a report whose rest has not arrived. */
export const isTornReport = (input: string): boolean =>
  /^\u001b(?:\[[<?][\d;]*|\]11;[rgb\da-f:/]*\u001b?)$/i.test(input);

/** Whether the input starts with a report, or is the beginning of one. */
export const beginsWithReport = (input: string): boolean =>
  isTornReport(input) || /^\u001b\[(?:<[\d;]*[Mm]|\?[\d;]*c)/.test(input) || backgroundAhead.test(input);

const modifiers = 4 | 8 | 16;
const wheelUp = 64;
const wheelDown = 65;

/**
 * Parses a mouse report. Returns null for events that the board ignores: other buttons, releases, clicks with a
 * modifier.
 */
export function readMouseReport(sequence: string, times = 1): MouseReport | null {
  const [, code = '', column = '', row = '', end = ''] = mouseReport.exec(sequence) ?? [];
  if (end !== 'M') return null;
  const cell = { column: Number(column) - 1, row: Number(row) - 1 };
  if (code === '0') return { kind: 'click', ...cell, times: 1 };
  const button = Number(code) & ~modifiers;
  if (button === wheelUp) return { kind: 'wheel-up', ...cell, times };
  return button === wheelDown ? { kind: 'wheel-down', ...cell, times } : null;
}

export type Background = 'dark' | 'light';

/** Parses a reply to OSC 11 and classifies the colour by its luminance (Rec. 709). Returns null for other input. */
export function readBackground(sequence: string): Background | null {
  const match = backgroundReport.exec(sequence);
  if (match === null) return null;
  const [red = 0, green = 0, blue = 0] = match
    .slice(1)
    .map((digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? 'light' : 'dark';
}
