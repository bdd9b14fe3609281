import { orderNoOf, remarkOf } from '../../board/timeline/merchant-notes.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { formatInstant, type JsonCircumstances, type ListJson, listJson, type ParcelJson } from './parcel-json.ts';

/** What the user has told about a parcel besides what `list --json` prints; named as `import` reads it, null for nothing. */
export interface EnteredJson {
  /** ISO 8601 UTC, as all instants here. */
  readonly addedAt: string;
  readonly archivedAt: string | null;
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
  readonly orderNo: string | null;
  readonly country: string | null;
  readonly shipTime: string | null;
  readonly email: string | null;
  readonly remark: string | null;
  readonly custom1: string | null;
  readonly custom2: string | null;
}

/** A parcel as `export` prints it: as in `list --json`, and all that the user entered. Holds what is private. */
export interface ExportedParcel extends ParcelJson, EnteredJson {}

/** What `export --format json` prints: `list --json` with more about each parcel. */
export interface ExportJson extends Omit<ListJson, 'parcels'> {
  readonly parcels: readonly ExportedParcel[];
}

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
