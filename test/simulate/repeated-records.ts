import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import { decodeRecord, type RecordDecoder } from '../../src/service/decode-record.ts';
import type { TrackingRecord } from '../../src/service/record.ts';
import type { WireRecord } from '../../src/service/wire.ts';
import type { CachedRecord, LatestFields } from './record-cache.ts';

/**
 * What stands in an answer for a record that was sent before and has changed in nothing but its latest fields: its id, and
 * those fields. To write, read and decode three kilobytes once more proves nothing new, and takes half of a simulation.
 */
type RepeatedRecord = LatestFields & { readonly again: string };

/** Abridges records that were sent before. One end of a wire; {@link createRepeatDecoder} is the other. */
export class RepeatAbridger {
  readonly #sent = new Map<string, WireRecord>();

  /** What is to be sent of a record. */
  abridge({ record, latest }: CachedRecord): WireRecord | RepeatedRecord {
    const { id } = record;
    // That of a number which was not looked up yet is another one soon.
    if (this.#sent.get(id) === record) return { again: id, ...latest };
    this.#sent.set(id, record);
    return { ...record, ...latest };
  }
}

/** Decodes records as {@link decodeRecord} does, and what a {@link RepeatAbridger} sends in their place. */
export function createRepeatDecoder(): RecordDecoder {
  const known = new Map<string, TrackingRecord>();
  return (received, now) => {
    const again = isJsonObject(received) ? received['again'] : undefined;
    if (typeof again === 'string') return repeated(known.get(again), received as JsonObject & LatestFields);
    const decoded = decodeRecord(received, now);
    if (decoded?.id == null) return decoded;
    const last = known.get(decoded.id);
    const record = last === undefined ? decoded : sharing(last, decoded);
    known.set(decoded.id, record);
    return record;
  };
}

/** The same record, made of the parts of the last one that it repeats: a history keeps those. */
function sharing(last: TrackingRecord, record: TrackingRecord): TrackingRecord {
  const later = record.checkpoints.length - last.checkpoints.length;
  const checkpoints = record.checkpoints.map((checkpoint, index) => {
    const known = last.checkpoints[index - later];
    return known !== undefined && isDeepStrictEqual(known, checkpoint) ? known : checkpoint;
  });
  return {
    ...record,
    checkpoints,
    received: isDeepStrictEqual(last.received, record.received) ? last.received : record.received,
  };
}

function repeated(last: TrackingRecord | undefined, latest: JsonObject & LatestFields): TrackingRecord {
  if (last === undefined) throw new Error('A record was abridged that was never sent.');
  const { nextUpdateTime = null } = latest;
  // What its courier knows nothing of has no other latest field.
  if (latest.trackingStatus === undefined) {
    return { ...last, nextUpdateTime, received: { ...last.received, nextUpdateTime } };
  }
  const { trackingStatus, transitDays = null, stayDays = null } = latest;
  return {
    ...last,
    nextUpdateTime,
    trackingStatus,
    transitDays,
    stayDays,
    received: { ...last.received, nextUpdateTime, trackingStatus, transitDays, stayDays },
  };
}
