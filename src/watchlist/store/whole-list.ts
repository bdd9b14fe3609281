import { isLight } from '../model/light-parcel.ts';
import type { Parcel } from '../model/parcel.ts';
import { inBatches } from './in-batches.ts';
import type { WatchlistStore } from './store.ts';

/** How many parcels are read at a time. */
const pageParcels = 1_000;

/**
 * A list with whole parcels in place of light ones, for what prints or writes all of each; those that have been removed
 * meanwhile are left out. Rejects with a `StoreError`.
 */
export async function wholeList(
  store: Pick<WatchlistStore, 'whole'>,
  parcels: readonly Parcel[],
): Promise<readonly Parcel[]> {
  const light = parcels.filter(isLight).map(({ id }) => id);
  if (light.length === 0) return parcels;
  const found = new Map<string, Parcel>();
  for (const page of inBatches(light, pageParcels)) {
    for (const parcel of await store.whole(page)) found.set(parcel.id, parcel);
  }
  return parcels.flatMap((parcel) => (isLight(parcel) ? (found.get(parcel.id) ?? []) : [parcel]));
}
