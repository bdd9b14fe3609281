import { stringify } from 'csv-stringify/sync';
import type { Courier } from '../../service/record/record.ts';
import { guardFormula } from '../output/formula-guard.ts';

/** Couriers as CSV (RFC 4180) with a header row; names as in JSON. No cell is a formula to a spreadsheet (`guardFormula`). */
export function couriersCsv(couriers: readonly Courier[]): string {
  const rows = couriers.map(({ code, nameEN, nameCN, homePage }) =>
    [code, nameEN, nameCN, homePage].map((text) => guardFormula(text ?? '')),
  );
  return stringify([['code', 'nameEN', 'nameCN', 'homePage'], ...rows], {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
  });
}
