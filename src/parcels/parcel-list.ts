import type { EpochMs } from '../lib/clock.ts';
import { foldNumber } from '../lib/text.ts';
import type { ChangeLogState } from './change.ts';
import { historyIdOf, identityKey, type ParcelIdentity, sameCourier } from './identity.ts';
import type { Parcel, ParcelMerchant } from './parcel.ts';
import { editParcel, type ParcelEdit, registerAgain, restoreParcel } from './parcel-factory.ts';

/** The index in `watchlist.json`. */
export interface Watchlist {
  readonly version: 1;
  /** The end of the change log. Absent before its first line. */
  readonly changes?: ChangeLogState;
  readonly parcels: readonly Parcel[];
}

export const emptyWatchlist: Watchlist = { version: 1, parcels: [] };

/** How a parcel differs between two lists. `before` is null for an added parcel, `after` for a removed one. */
export interface ParcelDifference {
  readonly before: Parcel | null;
  readonly after: Parcel | null;
}

/** Whether two lists contain the same objects in the same order. Parcels are immutable, so that means no change. */
export function isSameList(a: readonly Parcel[], b: readonly Parcel[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  // Nine times as fast as `===` in a list of ten thousand, because it does not read the parcels.
  return a.every((parcel, position) => Object.is(parcel, b[position]));
}

export function differences(before: readonly Parcel[], after: readonly Parcel[]): readonly ParcelDifference[] {
  const [oldParcels, newParcels] = dropUnchanged(before, after);
  const oldById = new Map(oldParcels.map((parcel) => [parcel.id, parcel]));
  const result: ParcelDifference[] = [];
  for (const parcel of newParcels) {
    const oldParcel = oldById.get(parcel.id) ?? null;
    if (oldParcel !== parcel) result.push({ before: oldParcel, after: parcel });
    oldById.delete(parcel.id);
  }
  for (const parcel of oldById.values()) result.push({ before: parcel, after: null });
  return result;
}

/** Leaves out parcels that are identical in both lists at the same position, so that usually only a few are left. */
function dropUnchanged(
  before: readonly Parcel[],
  after: readonly Parcel[],
): readonly [oldParcels: readonly Parcel[], newParcels: readonly Parcel[]] {
  const [oldParcels, newParcels]: [Parcel[], Parcel[]] = [[], []];
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > 0 && newEnd > 0 && Object.is(before[oldEnd - 1], after[newEnd - 1])) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  for (let index = 0; index < Math.max(oldEnd, newEnd); index += 1) {
    if (index < oldEnd && index < newEnd && Object.is(before[index], after[index])) continue;
    if (index < oldEnd) oldParcels.push(before[index] as Parcel);
    if (index < newEnd) newParcels.push(after[index] as Parcel);
  }
  return [oldParcels, newParcels];
}

/** Returns the parcels of `before` whose history is not on the list `after`: they were removed or replaced. */
export function removedParcels(before: readonly Parcel[], after: readonly Parcel[]): readonly Parcel[] {
  const isKept = ({ before: old, after: parcel }: ParcelDifference): boolean =>
    old === null || (parcel !== null && historyIdOf(parcel) === historyIdOf(old));
  if (differences(before, after).every(isKept)) return [];
  const histories = new Set(after.map(historyIdOf));
  return before.filter((parcel) => !histories.has(historyIdOf(parcel)));
}

/** Returns the parcels of `after` whose history is not on the list `before`: they were added or replaced. */
export function addedParcels(before: readonly Parcel[], after: readonly Parcel[]): readonly Parcel[] {
  return removedParcels(after, before);
}

/** Returns its argument if nothing changes. */
export type ParcelChange = (parcel: Parcel) => Parcel;

/**
 * May be applied again to newer lists, so it must not depend on how often it runs. Returns its argument if nothing
 * changes.
 */
export type ListChange = (parcels: readonly Parcel[]) => readonly Parcel[];

/**
 * Changes the parcels with these ids. Remembers the last results, because all changes are applied again after another
 * process writes, mostly to the same parcels.
 */
export function createListChange(changes: ReadonlyMap<string, ParcelChange>): ListChange {
  const results = new Map<string, { readonly before: Parcel; readonly after: Parcel }>();
  const changeParcel = (before: Parcel): Parcel => {
    const change = changes.get(before.id);
    if (change === undefined) return before;
    const lastResult = results.get(before.id);
    const after = lastResult?.before === before ? lastResult.after : change(before);
    results.set(before.id, { before, after });
    return after;
  };
  return (before) => {
    const parcels = before.map(changeParcel);
    return isSameList(parcels, before) ? before : parcels;
  };
}

export interface AddedParcel {
  /** `retried`: the service had rejected the number before. */
  readonly kind: 'added' | 'duplicate' | 'restored' | 'retried';
  /** The parcel as it now is on the watchlist. */
  readonly parcel: Parcel;
}

export interface Additions {
  readonly additions: readonly AddedParcel[];
  /** The list including the additions, or the same object if nothing changed. */
  readonly parcels: readonly Parcel[];
}

/**
 * Adds parcels, unless they are already on the watchlist under the same courier, or under any courier if they name none.
 * In that case the known parcel takes over the new data: it is restored if it was archived, registered again if it was
 * rejected, and gets the courier if it had none. An archived new parcel neither restores nor archives the known one.
 */
export function addParcels(before: readonly Parcel[], newParcels: readonly Parcel[], now: EpochMs): Additions {
  const parcels = [...before];
  const positions = Map.groupBy(parcels.keys(), (position) => foldNumber(parcels[position]?.trackNo ?? ''));
  const additions = newParcels.map((newParcel): AddedParcel => {
    const number = foldNumber(newParcel.trackNo);
    const same = positions.get(number) ?? [];
    const known = knownParcel(
      same.flatMap((position) => parcels[position] ?? []),
      newParcel,
    );
    const addition =
      known === undefined ? ({ kind: 'added', parcel: newParcel } as const) : joinParcels(known, newParcel, now);
    const position = same.find((at) => parcels[at] === known) ?? parcels.length;
    if (known === undefined) positions.set(number, [...same, position]);
    parcels[position] = addition.parcel;
    return addition;
  });
  return { additions, parcels: isSameList(parcels, before) ? before : parcels };
}

function joinParcels(known: Parcel, newParcel: Parcel, now: EpochMs): AddedParcel {
  const isActive = newParcel.archivedAt === null;
  const isRestored = isActive && known.archivedAt !== null;
  const isRejected = isActive && known.registration === 'rejected';
  const shouldSetCourier = isRejected || (known.courierCode === null && newParcel.courierCode !== null);
  const changes: ParcelEdit = {
    ...(shouldSetCourier ? { courierCode: newParcel.courierCode } : {}),
    ...(known.label === null && newParcel.label !== null ? { label: newParcel.label } : {}),
    ...(newParcel.extras.postalCode !== null ? { postalCode: newParcel.extras.postalCode } : {}),
    ...(newParcel.extras.phoneSuffix !== null ? { phoneSuffix: newParcel.extras.phoneSuffix } : {}),
    addTags: newParcel.tags,
  };
  const edited = withMerchant(editParcel(known, changes, now), newParcel.merchant, now);
  const restored = isRestored ? restoreParcel(edited, now) : edited;
  const parcel = isRejected ? registerAgain(restored, now) : restored;
  // The same addition, repeated because we do not know whether the first write succeeded.
  if (known.id === newParcel.id) return { kind: 'added', parcel };
  return { kind: isRestored ? 'restored' : isRejected ? 'retried' : 'duplicate', parcel };
}

/** Returns the parcel that a new one with the same number would duplicate, if any. */
export function knownParcel(
  sameNumber: readonly Parcel[],
  newParcel: Pick<ParcelIdentity, 'courierCode'>,
): Parcel | undefined {
  if (newParcel.courierCode === null) return sameNumber.find((parcel) => parcel.archivedAt === null) ?? sameNumber[0];
  return (
    sameNumber.find((parcel) => sameCourier(parcel.courierCode, newParcel.courierCode)) ??
    sameNumber.find((parcel) => parcel.courierCode === null || parcel.registration === 'rejected')
  );
}

/** Merchant data is sent with the registration, so new data needs a new registration. */
function withMerchant(parcel: Parcel, merchant: ParcelMerchant | undefined, now: EpochMs): Parcel {
  const names = Object.keys(merchant ?? {}) as (keyof ParcelMerchant)[];
  if (names.every((name) => parcel.merchant?.[name] === merchant?.[name])) return parcel;
  return registerAgain({ ...parcel, merchant: { ...parcel.merchant, ...merchant } }, now);
}

/** Returns the watched parcel for a number in the account, or null if it is not watched yet. */
export type MatchWatched = (entry: ParcelIdentity) => Parcel | null;

/**
 * Matches the numbers in an account with the watchlist by number and courier. A parcel without a courier matches only the
 * first entry with its number. An entry without a courier matches any parcel with its number.
 * @param matched earlier matches of parcels without a courier, by id; pass the same map to match a list in parts
 */
export function matchWatched(parcels: readonly Parcel[], matched: Map<string, string>): MatchWatched {
  const byNumber = Map.groupBy(parcels, ({ trackNo }) => foldNumber(trackNo));
  return (entry) => {
    const candidates = byNumber.get(foldNumber(entry.trackNo)) ?? [];
    const exactMatch = candidates.find(({ courierCode }) => sameCourier(courierCode, entry.courierCode));
    if (exactMatch !== undefined) return exactMatch;
    if (entry.courierCode === null) return candidates[0] ?? null;
    const unclaimed = candidates.find(({ courierCode, id }) => {
      return courierCode === null && (matched.get(id) ?? identityKey(entry)) === identityKey(entry);
    });
    if (unclaimed !== undefined) matched.set(unclaimed.id, identityKey(entry));
    return unclaimed ?? null;
  };
}
