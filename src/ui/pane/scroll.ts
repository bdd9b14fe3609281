import type { Line } from '../../board/text/line.ts';

/** The visible part of a scrolled text. */
export interface ScrolledLines {
  readonly lines: readonly Line[];
  /** The offset in force, within what there is to scroll. */
  readonly offset: number;
  readonly total: number;
}

/** Cuts a text to `height` lines from `offset` on. */
export function scrollLines(lines: readonly Line[], offset: number, height: number): ScrolledLines {
  const from = Math.min(Math.max(0, offset), Math.max(0, lines.length - height));
  return { lines: lines.slice(from, from + height), offset: from, total: lines.length };
}

/** Which lines are in sight, when not all are. */
export function scrollStatus({ lines, offset, total }: ScrolledLines): { readonly status?: string } {
  const shown = lines.length;
  return shown >= total ? {} : { status: `${offset + 1}–${offset + shown} of ${total}` };
}
