import type { JsonValue } from '../../src/lib/json.ts';
import { decodeRecord as decode } from '../../src/service/decode-record.ts';
import type { TrackingRecord } from '../../src/service/record.ts';

/** A decoded record. Unless a test depends on the response's time, no event is in the future. */
export const decodeRecord = (received: JsonValue, now = Number.POSITIVE_INFINITY): TrackingRecord | null =>
  decode(received, now);
