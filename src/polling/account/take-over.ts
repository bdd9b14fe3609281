import type { TrackingRecord } from '../../service/record/record.ts';
import { applyRecord, mergeHistory } from '../../watchlist/merge/merge.ts';
import { createIsFirst } from '../../watchlist/model/first-of-key.ts';
import { heldParcel } from '../../watchlist/model/held-parcel.ts';
import { historyIdOf, identityKey } from '../../watchlist/model/identity.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { UndoLog } from '../core/undo.ts';
import { planAfterAnswer, planned } from '../schedule/schedule.ts';

/**
 * Watches numbers that the account holds already, with their records and histories, unless they are watched under their
 * courier; answers the new parcels. Resolves when all is written; rejects with a `StoreError`, and then no parcel is
 * without its history.
 */
export async function takeOver(
  core: MonitorCore,
  undo: UndoLog,
  records: readonly TrackingRecord[],
): Promise<readonly Parcel[]> {
  await core.busy.during(() => core.log.follow());
  const isFirst = createIsFirst(new Set(core.log.parcels().map(identityKey)));
  const unknown = records.filter((record) => isFirst(identityKey(record)));
  const fresh = await Promise.all(unknown.map((record) => parcelWithHistory(core, record)));
  core.collectNotices();
  await undo.commit('add', (watchlist) => {
    const watched = new Set(watchlist.parcels.map(identityKey));
    const added = fresh.filter((parcel) => !watched.has(identityKey(parcel)));
    return added.length === 0 ? watchlist : { ...watchlist, parcels: [...watchlist.parcels, ...added] };
  });
  // Another process may have added some of them meanwhile.
  for (const parcel of fresh) await core.dropOrphan(parcel, historyIdOf(parcel));
  return fresh.filter(({ id }) => core.log.find(id) !== null);
}

/** Writes the history of a number, and answers its parcel. */
async function parcelWithHistory(core: MonitorCore, record: TrackingRecord): Promise<Parcel> {
  const now = core.clock.now();
  const parcel = heldParcel(record, { now, random: core.random, serviceClock: core.state.get().serviceClock });
  const history = await core.updateHistory(historyIdOf(parcel), now, (empty) => mergeHistory(empty, record));
  const merged = applyRecord(parcel, history, record, now);
  return planned(merged, planAfterAnswer(parcel, merged, true, core.planning(now)));
}
