import * as v from 'valibot';
import { jsonPattern } from '../../service/record/json-pattern.ts';
import { plainTest } from '../../service/record/shape.ts';
import { isHarmlessLine } from '../../service/text/clean-text.ts';
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
  /** Whether it stands in its line as this program writes it, so that the line need not be made again. */
  readonly isLine: boolean;
}

/**
 * A parcel and whether all of it was usable: one unusable field costs that field only, unless there is no parcel without it.
 * @param line the JSON of the entry as it stands in the file; null where that is not at hand
 */
export function readParcel(entry: unknown, line: string | null = null): ReadParcel {
  const isLine = line !== null && isPlainLine(line);
  if (isLine ? hasNoBlindPin(entry as Parcel) : isPlainParcel(entry))
    return { parcel: entry as Parcel, whole: true, isLine };
  const strict = v.safeParse(parcelSchema, entry);
  if (strict.success) return { parcel: withoutBlindPin(strict.output), whole: true, isLine: false };
  if (!isJsonObject(entry)) return { parcel: null, whole: false, isLine: false };
  const unusable = new Set<unknown>(strict.issues.map((issue) => issue.path?.[0].key));
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !unusable.has(key)));
  const mended = v.safeParse(parcelSchema, rest);
  return { parcel: mended.success ? withoutBlindPin(mended.output) : null, whole: false, isLine: false };
}

/** Whether a value is a parcel just as this program writes it, so that the schema would answer it as it is. */
export function isPlainParcel(value: unknown): value is Parcel {
  return hasPlainFields(value) && hasNoBlindPin(value as Parcel);
}

const hasNoBlindPin = ({ courierCode, courierPinned }: Parcel): boolean => courierCode !== null || !courierPinned;

/** Longer than this, a line may hold a text that is too long. */
const longestLine = 2000;

/**
 * Whether a line is the JSON of a value that passes the test of fields: one look at the whole line takes a tenth of the
 * time of a look at each field, of which there are some fifty.
 */
export function isPlainLine(line: string): boolean {
  return line.length <= longestLine && plainLine.test(line) && isHarmlessLine(line);
}

const plainLine = new RegExp(`^${jsonPattern(parcelSchema)}$`);

/** Nobody can have chosen a courier that is not known. */
function withoutBlindPin(parcel: Parcel): Parcel {
  return parcel.courierCode === null && parcel.courierPinned ? { ...parcel, courierPinned: false } : parcel;
}

/** Whether a value is a history just as this program writes it. */
export function isPlainHistory(value: unknown): value is ParcelHistory {
  return isPlain(value);
}
