import * as v from 'valibot';
import {
  checkpointSchema,
  cleanedText,
  count,
  courierCode,
  instant,
  readAs,
  type Shape,
  text,
  trackNo,
} from '../service/record.ts';
import { stages } from '../service/status.ts';
import { parcelErrorSchema } from './parcel.ts';

export const changeKinds = [
  'added',
  'removed',
  'archived',
  'restored',
  'registered',
  'rejected',
  'courier',
  'status',
  'event',
  'trouble',
  'recovered',
] as const;

/** The part of a parcel that a change affects, with the field names of `list --json`. */
const aspectSchema = v.looseObject({
  state: v.exactOptional(v.picklist(['pending', 'watching', 'rejected', 'archived'])),
  stage: v.exactOptional(v.picklist(stages)),
  status: v.exactOptional(text),
  subStatus: v.exactOptional(text),
  courierCode: v.exactOptional(courierCode),
  lastEvent: v.exactOptional(
    v.nullable(v.omit(checkpointSchema, ['repeats', 'translation', 'future', 'courierCode', 'courierName'])),
  ),
  error: v.exactOptional(v.nullable(parcelErrorSchema)),
});

/** A line of the change log. */
const changeSchema = v.looseObject({
  version: v.literal(1),
  seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** When it happened: the time of the event, or `noticedAt` if that is unknown. */
  at: instant,
  noticedAt: instant,
  change: v.picklist(changeKinds),
  /** The parcel's `id`, because its number may also be on the list under a different courier. */
  parcelId: v.string(),
  trackNo,
  courierCode,
  label: text,
  /** Fields before the change. Null for an added parcel. */
  from: v.nullable(aspectSchema),
  /** Fields after the change. Null for a removed parcel. */
  to: v.nullable(aspectSchema),
  /** What changed, without the parcel's name. */
  message: cleanedText,
});

/** The end of the change log, as saved in the index. */
const changeLogStateSchema = v.looseObject({
  /** Number of the newest line, or 0 if there aren't any. */
  seq: count,
  /** Oldest first. Includes at least the lines that are not in the file yet. */
  recent: v.array(changeSchema),
});

export interface Change extends Shape<typeof changeSchema> {}
export type ChangeKind = Change['change'];
export type Aspect = Shape<typeof aspectSchema>;

export interface ChangeLogState extends Shape<typeof changeLogStateSchema> {}

/** Returns null for an invalid state, which loses at most the last lines because the others are in the file. */
export const readChangeLogState = (value: unknown): ChangeLogState | null => readAs(changeLogStateSchema, value);

/** Parses a line of the change log. Returns null if it is invalid. */
export function readChange(line: string): Change | null {
  try {
    return readAs(changeSchema, JSON.parse(line));
  } catch {
    // Not JSON, because the line was edited or only partly written.
    return null;
  }
}
