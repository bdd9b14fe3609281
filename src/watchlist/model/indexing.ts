import type { Parcel } from './parcel.ts';

/** Whether the service has taken a number of which it has never sent a record, and does not know it in its queries yet. */
export function isBeingIndexed(parcel: Pick<Parcel, 'indexing' | 'record' | 'registration'>): boolean {
  return parcel.indexing !== undefined && parcel.record === null && parcel.registration === 'registered';
}

/** The parcel when nothing is known of such a wait, or when it is over; itself where there is none. */
export function endIndexing(parcel: Parcel): Parcel {
  if (parcel.indexing === undefined) return parcel;
  const { indexing: _over, ...rest } = parcel;
  return rest;
}
