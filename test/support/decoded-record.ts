import type { JsonValue } from '../../src/lib/json.ts';
import { decodeRecord as decode } from '../../src/service/decode-record.ts';
import type { TrackingRecord } from '../../src/service/record.ts';

/** A decoded record, for tests that do not depend on the response's time: no event is in the future. */
export const decodeRecord = (received: JsonValue): TrackingRecord | null => decode(received, Number.POSITIVE_INFINITY);
