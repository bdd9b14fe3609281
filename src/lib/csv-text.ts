import { stringify } from 'csv-stringify/sync';

/** What makes a spreadsheet take a cell for a formula, in ASCII and in full width, behind any number of apostrophes. */
const formula = "'*[=+\\-@\\t\\r\\n＝＋－＠]";
/** Some countries separate cells with semicolons, so a cell may begin behind one, a tab or a line break. */
const start = '(?<=^|[;\\t\\r\\n] {0,20})';
/** Apostrophes before a formula count, too, so that a text that had one of its own gets it back. */
const unguarded = new RegExp(`${start}(?=${formula})`, 'g');
const guarded = new RegExp(`${start}'(?=${formula})`, 'g');

export function guardFormula(text: string): string {
  return text.replace(unguarded, "'");
}

export function unguardFormula(text: string): string {
  return text.replace(guarded, '');
}

export type CellValue = string | number | null;

/** Rows as CSV (RFC 4180), without a byte order mark. No cell is a formula to a spreadsheet (`guardFormula`). */
export function csvText(rows: readonly (readonly CellValue[])[]): string {
  const cells = rows.map((row) => row.map((value) => (value === null ? '' : guardFormula(String(value)))));
  return stringify(cells, {
    record_delimiter: 'windows',
    // Any other line end within a cell is an end of line to a reader, too.
    quote_record_delimiter: true,
  });
}
