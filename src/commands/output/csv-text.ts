import { stringify } from 'csv-stringify/sync';
import { guardFormula } from './formula-guard.ts';

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
