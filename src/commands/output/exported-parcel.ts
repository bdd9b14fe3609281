import { orderNoOf, remarkOf } from '../../board/timeline/merchant-notes.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ExportedParcel } from './json-schemas.ts';
import { formatInstant, type JsonCircumstances, parcelJson } from './parcel-json.ts';

/** A parcel in the answer of `export --format json`, with what the user entered. Changes to its shape raise `version`. */
export function exportedParcel(parcel: Parcel, circumstances: JsonCircumstances): ExportedParcel {
  const { addedAt, archivedAt, extras, merchant = {} } = parcel;
  return {
    ...parcelJson(parcel, circumstances),
    addedAt: utc(addedAt),
    archivedAt: archivedAt === null ? null : utc(archivedAt),
    postalCode: extras.postalCode,
    phoneSuffix: extras.phoneSuffix,
    orderNo: orderNoOf(parcel),
    country: merchant.country ?? null,
    shipTime: merchant.shippedAt === undefined ? null : utc(merchant.shippedAt),
    email: merchant.customerEmail ?? null,
    remark: remarkOf(parcel),
    custom1: merchant.custom1 ?? null,
    custom2: merchant.custom2 ?? null,
  };
}

function utc(instant: string): string {
  return formatInstant(Date.parse(instant));
}
