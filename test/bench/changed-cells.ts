/** One cell of a screen. */
export interface Cell {
  /** Empty for the second half of a wide character. */
  readonly text: string;
  /** What makes it look so: the parameters of a sequence that sets all of it, such as `0;1;38;5;2`. */
  readonly look: string;
}

/** A screen, top down. */
export type Cells = readonly (readonly Cell[])[];

/**
 * What it costs, in bytes, to make one screen of another of the same size with what any terminal understands: go to a cell
 * that has changed, set its look where it is another one, write its text. A few cells between two that have changed are
 * written again where that costs less than to go past them.
 */
export function bytesOfChange(before: Cells, after: Cells): number {
  let [bytes, look] = [0, '0'];
  for (const [row, cells] of after.entries()) {
    /** Where the cursor stands in this row; null when it is elsewhere. */
    let cursor: number | null = null;
    for (const [column, cell] of cells.entries()) {
      const old = before[row]?.[column];
      if (old?.text === cell.text && old.look === cell.look) continue;
      const goes = `\u001b[${row + 1};${column + 1}H`.length;
      const between = cursor === null ? null : cells.slice(cursor, column);
      const rewrites = between?.every((skipped) => skipped.look === look) === true ? textBytes(between) : goes;
      bytes += Math.min(goes, rewrites);
      if (cell.look !== look) bytes += `\u001b[${cell.look}m`.length;
      look = cell.look;
      bytes += textBytes([cell]);
      cursor = column + 1;
    }
  }
  return bytes;
}

function textBytes(cells: readonly Cell[]): number {
  return Buffer.byteLength(cells.map(({ text }) => text).join(''));
}
