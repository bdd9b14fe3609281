import { stringify } from 'csv-stringify/sync';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { exportJson } from '../output/export-json.ts';
import { guardFormula } from '../output/formula-guard.ts';
import type { ExportedParcel } from '../output/json-schemas.ts';
import type { JsonCircumstances } from '../output/parcel-json.ts';

type CellValue = string | number | null;

/** Columns, left to right: what names a parcel, where it stands, what the user entered. Names as in JSON. */
const columns: readonly (readonly [name: string, value: (parcel: ExportedParcel) => CellValue])[] = [
  // First, because `import` takes a line that begins with # for a comment and no number does.
  ['trackNo', ({ trackNo }) => trackNo],
  ['courierCode', ({ courierCode }) => courierCode],
  ['courierName', ({ courierName }) => courierName],
  ['label', ({ label }) => label],
  ['tags', ({ tags }) => (tags.length === 0 ? null : stringify([[...tags]], { eof: false }))],
  ['state', ({ state }) => state],
  ['stage', ({ stage }) => stage],
  ['status', ({ status }) => status],
  ['subStatus', ({ subStatus }) => subStatus],
  ['statusText', ({ statusText }) => statusText],
  ['shipFrom', ({ shipFrom }) => shipFrom],
  ['shipTo', ({ shipTo }) => shipTo],
  ['transitDays', ({ transitDays }) => transitDays],
  ['stayDays', ({ stayDays }) => stayDays],
  ['shipmentType', ({ shipmentType }) => shipmentType],
  ['expectedFrom', ({ expectedDelivery }) => expectedDelivery?.from ?? null],
  ['expectedTo', ({ expectedDelivery }) => expectedDelivery?.to ?? null],
  ['deliveredAt', ({ deliveredAt }) => deliveredAt],
  ['signedBy', ({ signedBy }) => signedBy],
  ['trackingLink', ({ trackingLink }) => trackingLink],
  ['courierHomePage', ({ courierHomePage }) => courierHomePage],
  ['lastMileTrackNo', ({ lastMile }) => lastMile?.trackNo ?? null],
  ['lastMileCourierCode', ({ lastMile }) => lastMile?.courierCode ?? null],
  ['lastMileCourierName', ({ lastMile }) => lastMile?.courierName ?? null],
  ['lastEventAt', ({ lastEvent }) => lastEvent?.at ?? null],
  ['lastEventLocal', ({ lastEvent }) => joined(lastEvent?.local ?? null, lastEvent?.offset ?? null)],
  ['lastEventAddress', ({ lastEvent }) => lastEvent?.address ?? null],
  ['lastEventDetail', ({ lastEvent }) => lastEvent?.detail ?? null],
  ['checkpointCount', ({ checkpointCount }) => checkpointCount],
  ['nextUpdateAt', ({ nextUpdateAt }) => nextUpdateAt],
  ['nextPollAt', ({ nextPollAt }) => nextPollAt],
  ['checkedAt', ({ checkedAt }) => checkedAt],
  ['stale', ({ stale }) => String(stale)],
  ['error', ({ error }) => error?.message ?? null],
  ['addedAt', ({ addedAt }) => addedAt],
  ['archivedAt', ({ archivedAt }) => archivedAt],
  ['postalCode', ({ postalCode }) => postalCode],
  ['phoneSuffix', ({ phoneSuffix }) => phoneSuffix],
  ['orderNo', ({ orderNo }) => orderNo],
  ['country', ({ country }) => country],
  ['shipTime', ({ shipTime }) => shipTime],
  ['email', ({ email }) => email],
  ['remark', ({ remark }) => remark],
  ['custom1', ({ custom1 }) => custom1],
  ['custom2', ({ custom2 }) => custom2],
];

/**
 * Parcels as CSV (RFC 4180) with a header row, without a byte order mark. No cell is a formula to a spreadsheet
 * (`guardFormula`); `import` reads all that the user entered back as it was. Holds what is private.
 * @param heads false for what stands below the rows of other parcels
 */
export function exportCsv(parcels: readonly Parcel[], circumstances: JsonCircumstances, heads = true): string {
  const exported = exportJson(parcels, null, circumstances).parcels;
  const rows = exported.map((parcel) => columns.map(([, value]) => cellText(value(parcel))));
  return stringify(heads ? [columns.map(([name]) => name), ...rows] : rows, {
    record_delimiter: 'windows',
    // Any other line end within a cell is an end of line to a reader, too.
    quote_record_delimiter: true,
  });
}

function cellText(value: CellValue): string {
  return value === null ? '' : guardFormula(String(value));
}

/** The courier's own clock with its offset, which alone would look like a formula. */
function joined(local: string | null, offset: string | null): string | null {
  return local === null || offset === null ? local : `${local} ${offset}`;
}
