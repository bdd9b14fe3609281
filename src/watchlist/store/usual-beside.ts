import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../model/parcel.ts';
import {
  mayBeQuiet,
  noUsualStillness,
  type StoodStill,
  stoodStill,
  type UsualStillness,
  usualStillness,
} from '../rules/usual-stillness.ts';
import type { WatchlistStore } from './store.ts';

/**
 * For how long parcels usually stand still, where that is to be said of one parcel. A store that holds no list is asked for
 * it only then, and page by page. Rejects with a `StoreError`.
 */
export async function usualBeside(store: WatchlistStore, parcel: Parcel, now: EpochMs): Promise<UsualStillness> {
  if (!mayBeQuiet(parcel, now)) return noUsualStillness;
  const known: StoodStill[] = [];
  const pages = store.pages?.('light') ?? [(await store.read()).parcels];
  for await (const page of pages) for (const one of page) known.push(...stoodStill(one));
  return usualStillness(known);
}
