import type { InstantAnswer, InstantItem, TrackingRecord } from '../../service/record/record.ts';
import { applyRecord, mergeHistory } from '../../watchlist/merge/merge.ts';
import { historyIdOf, sameCourier } from '../../watchlist/model/identity.ts';
import type { Parcel, ParcelHistory } from '../../watchlist/model/parcel.ts';
import { historyFormat } from '../../watchlist/store/formats.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { GatedService } from '../gate/gated-service.ts';

/** Looks a number up at its courier now; costs as much as a registration, and passes the gate. */
export type Instant = GatedService['instant'];

/**
 * Looks a whole parcel up at its courier and merges the record that comes; when the parcel is checked next stays as planned.
 * Rejects as `CallGate.call`.
 */
export async function lookUpInstantly(
  core: MonitorCore,
  instant: Instant,
  parcel: Parcel,
  ...[signal, options]: [signal: AbortSignal, options?: Parameters<Instant>[2]]
): Promise<InstantAnswer> {
  const { courierCode, extras, trackNo } = parcel;
  const item: InstantItem = { trackNo, courierCode, ...extras };
  const answer = await instant(item, signal, options);
  if (answer.kind === 'record') await mergeLookup(core, parcel, answer.record);
  return answer;
}

async function mergeLookup(core: MonitorCore, sent: Parcel, record: TrackingRecord): Promise<void> {
  const now = core.clock.now();
  const historyId = historyIdOf(sent);
  const history = await updatedHistory(core, historyId, record);
  const merge = (parcel: Parcel): Parcel => {
    if (historyIdOf(parcel) !== historyId || isOtherCourier(parcel, sent)) return parcel;
    const merged = applyRecord(parcel, history, record, now);
    // Checks are planned by what queries say.
    const nextUpdateTime = parcel.record?.nextUpdateTime ?? null;
    return merged.record === null ? merged : { ...merged, record: { ...merged.record, nextUpdateTime } };
  };
  await core.changeTolerantly(new Map([[sent.id, merge]]));
  await core.dropOrphan(sent, historyId);
}

/** A courier that became known meanwhile is no other one. */
const isOtherCourier = (parcel: Parcel, sent: Parcel): boolean =>
  sent.courierCode !== null && !sameCourier(parcel.courierCode, sent.courierCode);

async function updatedHistory(core: MonitorCore, historyId: string, record: TrackingRecord): Promise<ParcelHistory> {
  const update = (history: ParcelHistory): ParcelHistory => mergeHistory(history, record);
  try {
    const history = await core.updateHistory(historyId, core.clock.now(), update);
    core.notifyTrouble('history-write', null);
    return history;
  } catch (error) {
    core.notifyTrouble('history-write', error);
    return update(historyFormat.empty);
  }
}
