import type { JsonValue } from '../../src/lib/json.ts';
import { decodeRecord } from '../../src/service/decode-record.ts';
import type { Checkpoint } from '../../src/service/record.ts';

/** What a record makes of its only checkpoint; null if that is none. */
export function decodeCheckpoint(received: JsonValue, now = Number.POSITIVE_INFINITY): Checkpoint | null {
  const record = decodeRecord({ trackNo: 'CHECKPOINT1', localLogisticsInfo: { trackingDetails: [received] } }, now);
  return record?.checkpoints[0] ?? null;
}
