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

const within = (told: number | undefined, usual: number, largest: number): number =>
  told === undefined || !(told > 0) ? usual : Math.min(told, largest);

/** The size to draw for a window; what it tells may be nothing, 0 or absurd. */
export function drawnSize(told: { readonly columns?: number; readonly rows?: number }): WindowSize {
  return {
    columns: within(told.columns, usualWindow.columns, largestWindow.columns),
    rows: within(told.rows, usualWindow.rows, largestWindow.rows),
  };
}
