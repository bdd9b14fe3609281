/** What the mouse did at a cell of the terminal, counted from 0 at the top left. */
export interface MouseReport {
  readonly kind: 'click' | 'wheel-up' | 'wheel-down';
  readonly column: number;
  readonly row: number;
  /** How often the wheel turned; 1 for a click. */
  readonly times: number;
}

/** A report of the SGR protocol (DECSET 1006); `m` at the end means that a button was released. */
const anyReport = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/;

export const isMouseReport = (sequence: string): boolean => anyReport.test(sequence);

/** The start of a report whose rest has not arrived. */
export const isTornReport = (input: string): boolean => /^\u001b\[<[\d;]*$/.test(input);

/** Whether this is a report, or its start, perhaps with more input after it. */
export const beginsWithReport = (input: string): boolean => /^\u001b\[<[\d;]*(?:[Mm]|$)/.test(input);

const modifiers = 4 | 8 | 16;
const wheelUp = 64;
const wheelDown = 65;

/** Reads a report; null for what the board does not use: other buttons, a release, a click with a modifier. */
export function readMouseReport(sequence: string, times = 1): MouseReport | null {
  const [, code = '', column = '', row = '', end = ''] = anyReport.exec(sequence) ?? [];
  if (end !== 'M') return null;
  const at = { column: Number(column) - 1, row: Number(row) - 1 };
  if (code === '0') return { kind: 'click', ...at, times: 1 };
  const button = Number(code) & ~modifiers;
  if (button === wheelUp) return { kind: 'wheel-up', ...at, times };
  return button === wheelDown ? { kind: 'wheel-down', ...at, times } : null;
}
