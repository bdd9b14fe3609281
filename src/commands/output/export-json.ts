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

/** The same as indented text, in pieces; a page of parcels each. */
export async function* exportText(
  pages: AsyncIterable<readonly Parcel[]>,
  baseUrl: URL | null,
  circumstances: JsonCircumstances,
): AsyncGenerator<string> {
  yield JSON.stringify(exportJson([], baseUrl, circumstances), null, 2).slice(0, -']\n}'.length);
  let between = '\n    ';
  for await (const page of pages) {
    for (const parcel of exportJson(page, baseUrl, circumstances).parcels) {
      yield `${between}${JSON.stringify(parcel, null, 2).replaceAll('\n', '\n    ')}`;
      between = ',\n    ';
    }
  }
  yield between.startsWith(',') ? '\n  ]\n}\n' : ']\n}\n';
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
