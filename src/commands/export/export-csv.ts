import { stringify } from 'csv-stringify/sync';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { CellValue } from '../output/csv-text.ts';
import { exportedParcel } from '../output/exported-parcel.ts';
import type { ExportedParcel } from '../output/json-schemas.ts';
import type { JsonCircumstances } from '../output/parcel-json.ts';

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
  ['deliveredLocal', ({ deliveredLocal }) => deliveredLocal],
];

/** The names of the columns. */
export const csvHeadings: readonly string[] = columns.map(([name]) => name);

/** The row of a parcel, of which `import` reads all that the user entered back as it was. Holds what is private. */
export function csvRow(parcel: Parcel, circumstances: JsonCircumstances): readonly CellValue[] {
  const exported = exportedParcel(parcel, circumstances);
  return columns.map(([, value]) => value(exported));
}

/** The courier's own clock with its offset, which alone would look like a formula. */
function joined(local: string | null, offset: string | null): string | null {
  return local === null || offset === null ? local : `${local} ${offset}`;
}
