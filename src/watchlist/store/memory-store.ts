import { historyIdOf } from '../model/identity.ts';
import type { ParcelHistory, Watchlist } from '../model/parcel.ts';
import { addedParcels, removedParcels } from '../model/watchlist-difference.ts';
import { emptyWatchlist, historyFormat } from './formats.ts';
import type { WatchlistStore } from './store.ts';

/** A watchlist that lives as long as the program: for the demo, simulations and tests. */
export function createMemoryStore(initial: Watchlist = emptyWatchlist): WatchlistStore {
  let watchlist = initial;
  const histories = new Map<string, ParcelHistory>();
  const trash = new Map<string, ParcelHistory>();
  const historyOf = (parcelId: string): ParcelHistory => histories.get(parcelId) ?? historyFormat.empty;
  const move = (parcelId: string, from: Map<string, ParcelHistory>, to: Map<string, ParcelHistory>): void => {
    const history = from.get(parcelId);
    if (history === undefined) return;
    from.delete(parcelId);
    to.set(parcelId, history);
  };
  return {
    read: async () => watchlist,
    update: async (change) => {
      const before = watchlist;
      watchlist = change(before);
      const removed = removedParcels(before, watchlist);
      for (const id of removed.map(historyIdOf)) move(id, histories, trash);
      // Where nothing was removed and as many are there, nothing was added.
      if (removed.length === 0 && before.parcels.length === watchlist.parcels.length) return watchlist;
      for (const id of addedParcels(before, watchlist).map(historyIdOf))
        if (!histories.has(id)) move(id, trash, histories);
      return watchlist;
    },
    hasChanged: async () => false,
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
