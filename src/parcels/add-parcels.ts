import type { EpochMs } from '../lib/clock.ts';
import { foldNumber } from '../lib/text.ts';
import { identityKey, type ParcelIdentity, sameCourier } from './identity.ts';
import type { Parcel, ParcelMerchant, Watchlist } from './parcel.ts';
import { editParcel, type ParcelEdit, registerAgain, restoreParcel } from './parcel-factory.ts';
import { isSameList } from './parcel-list.ts';

/** What adding a parcel did: `retried` is one that the service had rejected. */
type AdditionKind = 'added' | 'duplicate' | 'restored' | 'retried';

export interface AddedParcel {
  readonly kind: AdditionKind;
  /** The parcel as it is on the watchlist now. */
  readonly parcel: Parcel;
}

/** What came of adding parcels to a watchlist, one by one. */
export interface Additions {
  readonly additions: readonly AddedParcel[];
  readonly watchlist: Watchlist;
}

/**
 * Adds new parcels one by one, each unless its number is watched already under the same courier, or under any when it names
 * none. An archived one is watched again. One whose courier was not known yet takes the courier that is named now. One that the
 * service has rejected is tried again as it is named now, since adding it once more is how people correct it. One that
 * is put away only lends what it knows: it neither restores nor archives the one that is there. All in one pass over the
 * watchlist.
 */
export function addParcels(watchlist: Watchlist, fresh: readonly Parcel[], now: EpochMs): Additions {
  const parcels = [...watchlist.parcels];
  const places = new Map<string, number[]>();
  const take = ({ trackNo }: Parcel, place: number): void => {
    const number = foldNumber(trackNo);
    const same = places.get(number);
    if (same === undefined) places.set(number, [place]);
    else same.push(place);
  };
  for (const [place, parcel] of parcels.entries()) take(parcel, place);
  const additions = fresh.map((one): AddedParcel => {
    const same = places.get(foldNumber(one.trackNo)) ?? [];
    const known = knownParcel(
      same.flatMap((place) => parcels[place] ?? []),
      one,
    );
    const place = same.find((at) => parcels[at] === known);
    if (known === undefined || place === undefined) {
      parcels.push(one);
      take(one, parcels.length - 1);
      return { kind: 'added', parcel: one };
    }
    const added = joinParcels(known, one, now);
    parcels[place] = added.parcel;
    return added;
  });
  return { additions, watchlist: isSameList(parcels, watchlist.parcels) ? watchlist : { ...watchlist, parcels } };
}

/** A parcel that is there, with what a new one of its number brings. */
function joinParcels(known: Parcel, fresh: Parcel, now: EpochMs): AddedParcel {
  const isWanted = fresh.archivedAt === null;
  const isRestored = isWanted && known.archivedAt !== null;
  const isRejected = isWanted && known.registration === 'rejected';
  const isCorrected = isRejected || (known.courierCode === null && fresh.courierCode !== null);
  const changes: ParcelEdit = {
    ...(isCorrected ? { courierCode: fresh.courierCode } : {}),
    ...(known.label === null && fresh.label !== null ? { label: fresh.label } : {}),
    ...(fresh.extras.postalCode !== null ? { postalCode: fresh.extras.postalCode } : {}),
    ...(fresh.extras.phoneSuffix !== null ? { phoneSuffix: fresh.extras.phoneSuffix } : {}),
    addTags: fresh.tags,
  };
  const edited = withMerchant(editParcel(known, changes, now), fresh.merchant, now);
  const restored = isRestored ? restoreParcel(edited, now) : edited;
  const parcel = isRejected ? registerAgain(restored, now) : restored;
  // Made twice, where nobody knew whether it was written the first time.
  if (known.id === fresh.id) return { kind: 'added', parcel };
  return { kind: isRestored ? 'restored' : isRejected ? 'retried' : 'duplicate', parcel };
}

/** Which of the parcels of its number a new one stands for, by its courier; undefined when there is none. */
export function knownParcel(
  sameNumber: readonly Parcel[],
  fresh: Pick<ParcelIdentity, 'courierCode'>,
): Parcel | undefined {
  if (fresh.courierCode === null) return sameNumber.find((parcel) => parcel.archivedAt === null) ?? sameNumber[0];
  return (
    sameNumber.find((parcel) => sameCourier(parcel.courierCode, fresh.courierCode)) ??
    sameNumber.find((parcel) => parcel.courierCode === null || parcel.registration === 'rejected')
  );
}

/** The parcel with texts of its merchant that were given anew, which are sent with another registration. */
function withMerchant(parcel: Parcel, given: ParcelMerchant | undefined, now: EpochMs): Parcel {
  const names = Object.keys(given ?? {}) as (keyof ParcelMerchant)[];
  if (names.every((name) => parcel.merchant?.[name] === given?.[name])) return parcel;
  return registerAgain({ ...parcel, merchant: { ...parcel.merchant, ...given } }, now);
}

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
