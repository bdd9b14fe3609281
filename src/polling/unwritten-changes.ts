import { StoreError } from '../lib/store-errors.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { ListChange, ParcelChange, ParcelDifference } from '../parcels/parcel-list.ts';

export interface UnwrittenChange {
  readonly change: ListChange;
  /** The number of the lease under which the change was made, or null if it needs no lease. */
  readonly fence: number | null;
  /** Replaces the change if another process has taken the lease. Skips parcels that were checked in the meantime. */
  readonly withoutLease: ListChange;
}

export const unfenced = (change: ListChange): UnwrittenChange => ({ change, fence: null, withoutLease: change });

export const afterLease = ({ withoutLease }: UnwrittenChange): UnwrittenChange => unfenced(withoutLease);

/** Returns the lowest lease number of the changes, or null if none has one. */
export const fenceOf = (changes: readonly UnwrittenChange[]): number | null =>
  changes.reduce<number | null>((known, { fence }) => (fence === null ? known : Math.min(fence, known ?? fence)), null);

export const applyAll = (parcels: readonly Parcel[], changes: readonly UnwrittenChange[]): readonly Parcel[] =>
  changes.reduce((current, { change }) => change(current), parcels);

/** Makes changes skip parcels that are checked or registered after this call. */
export function unlessChecked(
  changes: ReadonlyMap<string, ParcelChange>,
  find: (parcelId: string) => Parcel | null,
): ReadonlyMap<string, ParcelChange> {
  return new Map(
    [...changes].map(([id, change]): [string, ParcelChange] => {
      const known = find(id);
      const isOther = (parcel: Parcel): boolean =>
        parcel.checkedAt !== known?.checkedAt || parcel.registeredAt !== known.registeredAt;
      return [id, (parcel) => (isOther(parcel) ? parcel : change(parcel))];
    }),
  );
}

/** How many tracking numbers to list before only counting the rest. */
const maxNamed = 20;

/** Lists what the user entered but the program could not save before it ended, so that it can be entered again. */
export class UnwrittenChangesError extends StoreError {
  constructor(cause: StoreError, entered: string) {
    super(cause.kind, `${cause.message} Not saved: ${entered}.`, cause.path, cause);
  }
}

/**
 * Describes the user's own changes, such as `added RB1CN, RB2CN; removed RB3CN`. Returns null if there aren't any.
 */
export function enteredText(differences: readonly ParcelDifference[]): string | null {
  const named = (verb: string, isMeant: (difference: ParcelDifference) => boolean): string[] => {
    const numbers = differences.filter(isMeant).map(({ before, after }) => (after ?? before)?.trackNo ?? '');
    if (numbers.length === 0) return [];
    const more = numbers.length > maxNamed ? ` and ${numbers.length - maxNamed} more` : '';
    return [`${verb} ${numbers.slice(0, maxNamed).join(', ')}${more}`];
  };
  const words = [
    ...named('added', ({ before }) => before === null),
    ...named('removed', ({ after }) => after === null),
    ...named('changed', isEdited),
  ];
  return words.length === 0 ? null : words.join('; ');
}

/** Whether the user changed the parcel. Changes by the service do not count, because they can be queried again. */
function isEdited({ before, after }: ParcelDifference): boolean {
  if (before === null || after === null) return false;
  return (
    before.label !== after.label ||
    before.note !== after.note ||
    before.archivedAt !== after.archivedAt ||
    before.extras.postalCode !== after.extras.postalCode ||
    before.extras.phoneSuffix !== after.extras.phoneSuffix ||
    (after.courierPinned && before.courierCode !== after.courierCode)
  );
}
