/** Cells of a window. */
export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The largest window that is drawn in full: more than any screen shows at a size that can be read. A frame costs memory
 * and time by its cells, and a terminal may claim 65,535 by 65,535; what is beyond stays blank.
 */
export const largestWindow: WindowSize = { columns: 500, rows: 150 };

/** What a terminal that does not know its size is taken for. */
const usualWindow: WindowSize = { columns: 80, rows: 24 };

const within = (reported: number | undefined, usual: number, largest: number): number =>
  reported === undefined || !(reported > 0) ? usual : Math.min(reported, largest);

/** The size to draw for a window; what it reports may be nothing, 0 or absurd. */
export function drawnSize(reported: { readonly columns?: number; readonly rows?: number }): WindowSize {
  return {
    columns: within(reported.columns, usualWindow.columns, largestWindow.columns),
    rows: within(reported.rows, usualWindow.rows, largestWindow.rows),
  };
}
