import { stringify } from 'csv-stringify/sync';

/** A spreadsheet reads a cell with this start as a formula, also after apostrophes. */
const formula = "'*[=+\\-@\\t\\r\\n＝＋－＠]";
/** In some countries semicolons separate cells, so a cell may also begin after one. */
const start = '(?<=^|[;\\t\\r\\n] {0,20})';
const unguarded = new RegExp(`${start}(?=${formula})`, 'g');
const guarded = new RegExp(`${start}'(?=${formula})`, 'g');

export function guardFormula(text: string): string {
  return text.replace(unguarded, "'");
}

export function unguardFormula(text: string): string {
  return text.replace(guarded, '');
}

export type CellValue = string | number | null;

/** Returns CSV as in RFC 4180, without a byte order mark or formulas. */
export function csvText(rows: readonly (readonly CellValue[])[]): string {
  const cells = rows.map((row) => row.map((value) => (value === null ? '' : guardFormula(String(value)))));
  return stringify(cells, {
    record_delimiter: 'windows',
    // Also quotes cells with other line ends.
    quote_record_delimiter: true,
  });
}
