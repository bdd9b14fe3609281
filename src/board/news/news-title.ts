import type { Change } from '../../watchlist/changes/change.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { parcelTitle } from '../status/view-stage.ts';

/** What the parcel of a change is called: as it is now, or as it was when it is not watched any more. */
export function newsTitle({ label, parcelId, trackNo }: Change, parcels: readonly Parcel[]): string {
  const parcel = parcels.find(({ id }) => id === parcelId);
  return parcel === undefined ? (label ?? trackNo) : parcelTitle(parcel);
}
