import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import { decodeRecord, type RecordDecoder } from '../../src/service/decode-record.ts';
import type { TrackingRecord } from '../../src/service/record.ts';
import type { WireRecord } from '../../src/service/wire.ts';
import type { CachedRecord, LatestFields } from './record-cache.ts';

/**
 * Replaces a record that was sent before and has changed only in its latest fields: by its id and those fields.
 * Writing, reading and decoding three kilobytes again proves nothing new, and takes half of a simulation.
 */
type RepeatedRecord = LatestFields & { readonly again: string };

/** Abridges records that were sent before. {@link createRepeatDecoder} is the other end. */
export class RepeatAbridger {
  readonly #sent = new Map<string, WireRecord>();

  /** Returns the part of a record to send. */
  abridge({ record, latest }: CachedRecord): WireRecord | RepeatedRecord {
    const { id } = record;
    // The record of a number that was not looked up yet changes soon.
    if (this.#sent.get(id) === record) return { again: id, ...latest };
    this.#sent.set(id, record);
    return { ...record, ...latest };
  }
}

/** Decodes records like {@link decodeRecord}, and the replacements from a {@link RepeatAbridger}. */
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

/** The same record with the parts of the last one that it repeats, as a history keeps them. */
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
  // If the courier knows nothing about it, it has no other latest field.
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
