import type { ChangeKind, ParcelChange } from './change-lines.ts';
import { formatInstant, type JsonCircumstances, type ParcelJson, parcelJson } from './parcel-json.ts';

/** A change as `watch --json` prints it and `watch --exec` hands it on: one object a line. */
export interface ChangeJson {
  readonly version: 1;
  /** When it was noticed, ISO 8601 UTC. */
  readonly at: string;
  readonly change: ChangeKind;
  readonly trackNo: string;
  readonly courierCode: string | null;
  readonly label: string | null;
  /** What changed, in words; without the parcel's name. */
  readonly message: string;
  /** The parcel after the change, as `list --json` has it; before it, when it was removed. */
  readonly parcel: ParcelJson;
}

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
