import { stringify } from 'csv-stringify/sync';

/** What makes a spreadsheet take a cell for a formula, in ASCII and in full width, behind any number of apostrophes. */
const formula = "'*[=+\\-@\\t\\r\\n＝＋－＠]";
/**
 * Where a cell begins: the text itself does, and so does what stands behind a semicolon, a tab or a line break where a
 * spreadsheet takes those for the end of a cell, as it does in countries that separate cells with semicolons.
 */
const start = '(?<=^|[;\\t\\r\\n] {0,20})';
/** Apostrophes before a formula count, too, so that a text that had one of its own gets it back. */
const unguarded = new RegExp(`${start}(?=${formula})`, 'g');
const guarded = new RegExp(`${start}'(?=${formula})`, 'g');

/** Puts an apostrophe before each part of a text that a spreadsheet would run as a formula; {@link unguardFormula} takes it away. */
export function guardFormula(text: string): string {
  return text.replace(unguarded, "'");
}

/** The text that {@link guardFormula} was given. */
export function unguardFormula(text: string): string {
  return text.replace(guarded, '');
}

/** What stands in a cell; null for nothing. */
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
