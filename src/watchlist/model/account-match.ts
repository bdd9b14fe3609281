import { foldNumber } from '../../service/text/same-number.ts';
import { identityKey, type ParcelIdentity, sameCourier } from './identity.ts';
import type { Parcel } from './parcel.ts';

/** Answers the watched parcel that a number of the account is; null for one that is new. */
export type MatchWatched = (held: ParcelIdentity) => Parcel | null;

/**
 * Compares what an account holds with what is watched: number and courier decide, as ever. A parcel whose courier is not
 * known yet is the first of its number that the account names, and no second one; a number without a courier is whichever
 * parcel has it.
 * @param meant which numbers of the account parcels without a courier have turned out to be, by their ids: to be handed in
 * where a list is matched in parts
 */
export function matchWatched(
  parcels: readonly Parcel[],
  meant: Map<string, string> = new Map<string, string>(),
): MatchWatched {
  const byNumber = Map.groupBy(parcels, ({ trackNo }) => foldNumber(trackNo));
  return (held) => {
    const ofNumber = byNumber.get(foldNumber(held.trackNo)) ?? [];
    const own = ofNumber.find(({ courierCode }) => sameCourier(courierCode, held.courierCode));
    if (own !== undefined) return own;
    if (held.courierCode === null) return ofNumber[0] ?? null;
    const open = ofNumber.find(({ courierCode, id }) => {
      return courierCode === null && (meant.get(id) ?? identityKey(held)) === identityKey(held);
    });
    if (open !== undefined) meant.set(open.id, identityKey(held));
    return open ?? null;
  };
}
