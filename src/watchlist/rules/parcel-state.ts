import type { Parcel } from '../model/parcel.ts';

/** Where a parcel stands between the user, this program and the service. */
export type ParcelState = 'pending' | 'watching' | 'rejected' | 'archived';

/** The parcel's state; an archived one is archived whatever its registration. */
export function parcelState({ archivedAt, registration }: Parcel): ParcelState {
  if (archivedAt !== null) return 'archived';
  return registration === 'registered' ? 'watching' : registration;
}
