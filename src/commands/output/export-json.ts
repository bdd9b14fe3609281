import { orderNoOf, remarkOf } from '../../board/timeline/merchant-notes.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { EnteredJson, ExportJson } from './json-schemas.ts';
import { formatInstant, type JsonCircumstances, listJson } from './parcel-json.ts';

/** The answer of `export --format json`. Changes to its shape raise `version`. */
export function exportJson(
  parcels: readonly Parcel[],
  baseUrl: URL | null,
  circumstances: JsonCircumstances,
): ExportJson {
  const list = listJson(parcels, baseUrl, circumstances);
  return {
    ...list,
    parcels: list.parcels.flatMap((json, index) => {
      const parcel = parcels[index];
      return parcel === undefined ? [] : [{ ...json, ...enteredJson(parcel) }];
    }),
  };
}

function enteredJson(parcel: Parcel): EnteredJson {
  const { addedAt, archivedAt, extras, merchant = {} } = parcel;
  return {
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
