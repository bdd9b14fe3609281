import { historyIdOf } from '../model/identity.ts';
import { emptyWatchlist, type Parcel, type ParcelHistory, type Watchlist } from '../model/parcel.ts';
import { addedParcels, removedParcels } from '../model/parcel-differences.ts';
import { ParcelPositions } from '../model/parcel-positions.ts';
import { historyFormat } from './formats.ts';
import { applyWrites, Revisions } from './revisions.ts';
import type { WatchlistStore } from './store.ts';

/** A watchlist that lives as long as the program: for the demo, simulations and tests. */
export function createMemoryStore(initial: Watchlist = emptyWatchlist): WatchlistStore {
  let { parcels } = initial;
  const revisions = new Revisions();
  const positions = new ParcelPositions();
  const histories = new Map<string, ParcelHistory>();
  const trash = new Map<string, ParcelHistory>();
  const historyOf = (parcelId: string): ParcelHistory => histories.get(parcelId) ?? historyFormat.empty;
  const move = (parcelId: string, from: Map<string, ParcelHistory>, to: Map<string, ParcelHistory>): void => {
    const history = from.get(parcelId);
    if (history === undefined) return;
    from.delete(parcelId);
    to.set(parcelId, history);
  };
  const replace = (after: readonly Parcel[]): void => {
    const [before] = [parcels];
    parcels = after;
    for (const id of removedParcels(before, after).map(historyIdOf)) move(id, histories, trash);
    for (const id of addedParcels(before, after).map(historyIdOf)) if (!histories.has(id)) move(id, trash, histories);
  };
  return {
    read: async () => revisions.note(parcels),
    async write(writes, basedOn) {
      const isWritten = !revisions.areOvertaken(writes, basedOn, parcels);
      if (isWritten) replace(applyWrites(parcels, writes, positions));
      return { isWritten, current: revisions.note(parcels) };
    },
    async changesSince(revision) {
      revisions.note(parcels);
      return revisions.since(revision);
    },
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
