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
  const at = { column: Number(column) - 1, row: Number(row) - 1 };
  if (code === '0') return { kind: 'click', ...at, times: 1 };
  const button = Number(code) & ~modifiers;
  if (button === wheelUp) return { kind: 'wheel-up', ...at, times };
  return button === wheelDown ? { kind: 'wheel-down', ...at, times } : null;
}

export type Background = 'dark' | 'light';

/** Parses a reply to OSC 11 and classifies the colour by its luminance (Rec. 709). Returns null for other input. */
export function readBackground(sequence: string): Background | null {
  const found = backgroundReport.exec(sequence);
  if (found === null) return null;
  const [red = 0, green = 0, blue = 0] = found
    .slice(1)
    .map((digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 ? 'light' : 'dark';
}
