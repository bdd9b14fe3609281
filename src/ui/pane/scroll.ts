/** How far a text is scrolled in a pane. */
export interface Scroll {
  /** Rows above the window, within what there is to scroll. */
  readonly offset: number;
  /** The offset at the end of the text. */
  readonly last: number;
  /** Rows of the pane. */
  readonly rows: number;
}

/** A position `by` rows further, between 0 and `last`. */
export const movedWithin = (from: number, by: number, last: number): number =>
  Math.min(Math.max(0, from + by), Math.max(0, last));

/** Scrolls a text of so many rows as far as wanted, in a pane of so many. */
export function scrollWithin(total: number, wanted: number, rows: number): Scroll {
  const last = Math.max(0, total - rows);
  return { offset: movedWithin(0, wanted, last), last, rows };
}

/** Which rows are in sight, when not all are. */
export function scrollStatus({ last, offset, rows }: Scroll): { readonly status?: string } {
  return last === 0 ? {} : { status: `${offset + 1}–${offset + rows} of ${last + rows}` };
}
