import type { JsonValue } from '../../src/lib/json.ts';
import { decodeRecord as decode } from '../../src/service/decode-record.ts';
import type { TrackingRecord } from '../../src/service/record.ts';

/** Decodes a record. Unless a test sets the time of the response, no event counts as being in the future. */
export const decodeRecord = (received: JsonValue, now = Number.POSITIVE_INFINITY): TrackingRecord | null =>
  decode(received, now);
