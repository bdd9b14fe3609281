import type { ParcelChange } from './change-lines.ts';
import type { ChangeJson } from './json-schemas.ts';
import { formatInstant, type JsonCircumstances, parcelJson } from './parcel-json.ts';

/** A change in the shape of `watch --json`. */
export function changeJson({ kind, parcel, text }: ParcelChange, circumstances: JsonCircumstances): ChangeJson {
  const { trackNo, courierCode, label } = parcel;
  return {
    version: 1,
    at: formatInstant(circumstances.now),
    change: kind,
    trackNo,
    courierCode,
    label,
    message: text,
    parcel: parcelJson(parcel, circumstances),
  };
}
