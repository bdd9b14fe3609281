import { historyFormat, watchlistFormat } from './document.ts';
import type { ParcelHistory, Watchlist } from './parcel.ts';
import type { WatchlistStore } from './store.ts';

/** A watchlist that lives as long as the program: for the demo, simulations and tests. */
export function createMemoryStore(initial: Watchlist = watchlistFormat.empty): WatchlistStore {
  let watchlist = initial;
  const histories = new Map<string, ParcelHistory>();
  const historyOf = (parcelId: string): ParcelHistory => histories.get(parcelId) ?? historyFormat.empty;
  return {
    read: async () => watchlist,
    update: async (change) => {
      watchlist = change(watchlist);
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
