import type { JsonValue } from '../../src/lib/json.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import type { Checkpoint } from '../../src/service/record.ts';

/** Decodes a record's only checkpoint. Null if it is not valid. */
export function decodeCheckpoint(received: JsonValue, now = Number.POSITIVE_INFINITY): Checkpoint | null {
  const record = decodeRecord({ trackNo: 'CHECKPOINT1', localLogisticsInfo: { trackingDetails: [received] } }, now);
  return record?.checkpoints[0] ?? null;
}
