import type { Parcel } from '../../src/parcels/parcel.ts';
import { createMemoryStore, type WatchlistStore } from '../../src/store/store.ts';

/** A store that a simulation can wait for, because its work takes real time but no virtual time. */
export interface SimulatedStore {
  readonly store: WatchlistStore;
  /** Resolves once no request is pending. Returns null if none is pending now. */
  whenIdle(): Promise<void> | null;
  close(): Promise<void>;
}

/** Keeps the parcels in memory, where nothing takes time. */
export async function simulateInMemory(parcels: readonly Parcel[]): Promise<SimulatedStore> {
  return {
    store: createMemoryStore({ version: 1, parcels: [...parcels] }),
    whenIdle: () => null,
    close: async () => {},
  };
}
