import type { Parcel } from '../../src/parcels/parcel.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import type { WatchlistStore } from '../../src/store/store.ts';

/** A store that a simulation can wait for, because it takes real time and no virtual time. */
export interface SimulatedStore {
  readonly store: WatchlistStore;
  /** Resolves when all requests are answered. Null if there aren't any. */
  answered(): Promise<void> | null;
  close(): Promise<void>;
}

/** Parcels in memory, where nothing takes time. */
export async function simulateInMemory(parcels: readonly Parcel[]): Promise<SimulatedStore> {
  return {
    store: createMemoryStore({ version: 1, parcels: [...parcels] }),
    answered: () => null,
    close: async () => {},
  };
}
