import { createSerialQueue } from '../lib/async.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import { historyIdOf } from '../parcels/identity.ts';
import { noteChanges } from '../parcels/note-changes.ts';
import type { ParcelHistory } from '../parcels/parcel.ts';
import { addedParcels, emptyWatchlist, removedParcels, type Watchlist } from '../parcels/parcel-list.ts';
import { maxChanges } from './file/change-file.ts';
import { applyWrites, areOutdated, createRevisions } from './revisions.ts';
import type { ParcelWrite, StoredParcels, WatchlistStore } from './store.ts';
import { historyFormat } from './watchlist-format.ts';

/**
 * A watchlist in memory, for the demo, simulations and tests.
 * @param maxLines maximum number of lines in the change log
 */
export function createMemoryStore(initial: Watchlist = emptyWatchlist, maxLines = maxChanges): WatchlistStore {
  let watchlist = initial;
  /** Changed in place: copying it for each change would cost more than everything else. */
  const log: Change[] = [...(initial.changes?.recent ?? [])];
  /** Runs writes one at a time. */
  const queue = createSerialQueue();
  const withRevision = createRevisions();
  const histories = new Map<string, ParcelHistory>();
  const trash = new Map<string, ParcelHistory>();
  const historyOf = (parcelId: string): ParcelHistory => histories.get(parcelId) ?? historyFormat.empty;
  const move = (parcelId: string, from: Map<string, ParcelHistory>, to: Map<string, ParcelHistory>): void => {
    const history = from.get(parcelId);
    if (history === undefined) return;
    from.delete(parcelId);
    to.set(parcelId, history);
  };
  const replace = async (writes: readonly ParcelWrite[], now: EpochMs): Promise<void> => {
    const parcels = applyWrites(watchlist.parcels, writes);
    const [{ parcels: before }] = [watchlist];
    watchlist = await noteChanges(watchlist, { ...watchlist, parcels }, { now, loggedSeq: log.at(-1)?.seq ?? 0 });
    const lastSeq = log.at(-1)?.seq ?? 0;
    for (const change of watchlist.changes?.recent ?? []) if (change.seq > lastSeq) log.push(change);
    if (log.length > maxLines * 1.5) log.splice(0, log.length - maxLines);
    const after = watchlist.parcels;
    for (const id of removedParcels(before, after).map(historyIdOf)) move(id, histories, trash);
    for (const id of addedParcels(before, after).map(historyIdOf)) if (!histories.has(id)) move(id, trash, histories);
  };
  const current = (): StoredParcels => withRevision(watchlist.parcels, watchlist.changes?.seq ?? 0);
  return {
    read: async () => current(),
    async write(writes, basedOn, now) {
      return await queue.run(async () => {
        const isWritten = !areOutdated(writes, basedOn.parcels, watchlist.parcels);
        if (isWritten && writes.length > 0) await replace(writes, now);
        return { isWritten };
      });
    },
    newer: async ({ revision }) => (current().revision === revision ? null : current()),
    changeLogAfter: async (seq) => log.slice(log.findLastIndex((change) => change.seq <= seq) + 1).slice(-maxLines),
    // Nothing else writes to it.
    logEdits: async () => null,
    readHistory: async (parcelId) => historyOf(parcelId),
    updateHistory: async (parcelId, change) => {
      const changed = change(historyOf(parcelId));
      histories.set(parcelId, changed);
      return changed;
    },
    removeHistory: async (parcelId) => {
      histories.delete(parcelId);
    },
    takeNotices: () => [],
  };
}
