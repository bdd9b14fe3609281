import * as v from 'valibot';
import { plainTest } from '../../service/record/shape.ts';
import { isJsonObject } from '../../service/text/json.ts';
import type { Parcel, ParcelHistory } from './parcel.ts';
import { historySchema, parcelSchema } from './schema.ts';

const hasPlainFields = plainTest(parcelSchema);
const isPlain = plainTest(historySchema);

/** A history as the schema reads it; null when it is none. */
export function readHistory(value: unknown): ParcelHistory | null {
  if (isPlainHistory(value)) return value;
  const result = v.safeParse(historySchema, value);
  return result.success ? result.output : null;
}

/** What an entry of a watchlist was found to hold. */
export interface ReadParcel {
  /** Null where it is none. */
  readonly parcel: Parcel | null;
  /** Whether all of it was usable. */
  readonly whole: boolean;
}

/** A parcel and whether all of it was usable: one unusable field costs that field only, unless there is no parcel without it. */
export function readParcel(entry: unknown): ReadParcel {
  if (isPlainParcel(entry)) return { parcel: entry, whole: true };
  const strict = v.safeParse(parcelSchema, entry);
  if (strict.success) return { parcel: withoutBlindPin(strict.output), whole: true };
  if (!isJsonObject(entry)) return { parcel: null, whole: false };
  const unusable = new Set<unknown>(strict.issues.map((issue) => issue.path?.[0].key));
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !unusable.has(key)));
  const mended = v.safeParse(parcelSchema, rest);
  return { parcel: mended.success ? withoutBlindPin(mended.output) : null, whole: false };
}

/** Whether a value is a parcel just as this program writes it, so that the schema would answer it as it is. */
export function isPlainParcel(value: unknown): value is Parcel {
  return hasPlainFields(value) && hasNoBlindPin(value as Parcel);
}

const hasNoBlindPin = ({ courierCode, courierPinned }: Parcel): boolean => courierCode !== null || !courierPinned;

/** Nobody can have chosen a courier that is not known. */
function withoutBlindPin(parcel: Parcel): Parcel {
  return parcel.courierCode === null && parcel.courierPinned ? { ...parcel, courierPinned: false } : parcel;
}

/** Whether a value is a history just as this program writes it. */
export function isPlainHistory(value: unknown): value is ParcelHistory {
  return isPlain(value);
}
