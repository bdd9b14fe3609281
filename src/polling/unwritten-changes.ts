import type { Clock } from '../lib/clock.ts';
import { ChangedMeanwhileError, StoreError } from '../lib/store-errors.ts';
import { isLight } from '../parcels/light-parcel.ts';
import type { Parcel, Watchlist } from '../parcels/parcel.ts';
import { differences, type ParcelChange, type ParcelDifference, type ParcelPositions } from '../parcels/parcel-list.ts';
import { applyChanges, writesBetween } from '../store/revisions.ts';
import { inBatches, type StoreChanges, type StoredParcels, type WatchlistStore } from '../store/store.ts';
import type { SoonestWindow } from './due-window.ts';

/** A change of the watchlist. May be applied several times, to newer watchlists, and must come out alike. */
export type WatchlistChange = (current: Watchlist) => Watchlist;

/** A change that is not written yet. */
export interface UnwrittenChange {
  readonly change: WatchlistChange;
  /** The number of the lease under which it was decided; null where it needs none. */
  readonly fence: number | null;
  /** The same change where somebody else has taken the lease since: it leaves alone what others have checked. */
  readonly withoutLease: WatchlistChange;
}

/** A change that needs no lease. */
export const unfenced = (change: WatchlistChange): UnwrittenChange => ({ change, fence: null, withoutLease: change });

/** A change as it is where somebody else has taken the lease. */
const afterLease = ({ withoutLease }: UnwrittenChange): UnwrittenChange => unfenced(withoutLease);

/** The lowest number of a lease that any of these changes was decided under: others may have polled since. Null where none needs one. */
const fenceOf = (changes: readonly UnwrittenChange[]): number | null =>
  changes.reduce<number | null>((known, { fence }) => (fence === null ? known : Math.min(fence, known ?? fence)), null);

/** Parcels as a watchlist. */
export const asWatchlist = (parcels: readonly Parcel[]): Watchlist => ({ version: 1, parcels });

/** Makes all changes, one after the other. */
export function applyAll(watchlist: Watchlist, changes: readonly UnwrittenChange[]): Watchlist {
  return changes.reduce((current, { change }) => change(current), watchlist);
}

/**
 * The same changes, but of parcels that have been checked or registered since they were made: those stay as they are.
 * @param find the parcel as it is when the changes are made
 */
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

/** Numbers that are named; of more the count is given. */
const mostNamed = 20;

/** The program ends and what the user entered could not be written: the message names it, so that it can be entered again. */
export class UnwrittenChangesError extends StoreError {
  constructor(cause: StoreError, entered: string) {
    super(cause.kind, `${cause.message} Not written: ${entered}.`, cause.path, cause);
  }
}

/** What the user entered among the differences, e.g. `added RB1CN, RB2CN; removed RB3CN`; null when that is nothing. */
export function enteredWords(differences: readonly ParcelDifference[]): string | null {
  const named = (verb: string, isMeant: (difference: ParcelDifference) => boolean): string[] => {
    const numbers = differences.filter(isMeant).map(({ before, after }) => (after ?? before)?.trackNo ?? '');
    if (numbers.length === 0) return [];
    const more = numbers.length > mostNamed ? ` and ${numbers.length - mostNamed} more` : '';
    return [`${verb} ${numbers.slice(0, mostNamed).join(', ')}${more}`];
  };
  const words = [
    ...named('added', ({ before }) => before === null),
    ...named('removed', ({ after }) => after === null),
    ...named('changed', isEdited),
  ];
  return words.length === 0 ? null : words.join('; ');
}

/** Whether the user changed a parcel; what the service said of it can be queried again. */
function isEdited({ before, after }: ParcelDifference): boolean {
  if (before === null || after === null) return false;
  return (
    before.label !== after.label ||
    before.archivedAt !== after.archivedAt ||
    before.extras.postalCode !== after.extras.postalCode ||
    before.extras.phoneSuffix !== after.extras.phoneSuffix ||
    (after.courierPinned && before.courierCode !== after.courierCode)
  );
}

/** How many are read at a time, so that whoever else wants something of the store has a turn. */
const mostAtOnce = 500;

/** Two lists between which only whole parcels differ. */
interface WholeChange {
  readonly base: readonly Parcel[];
  readonly after: readonly Parcel[];
}

/** The whole parcels of light ones, each read once for as long as it stays as it is. */
export class WholeParcels {
  readonly #store: Pick<WatchlistStore, 'whole'>;
  /** A light parcel that has changed is another object. */
  readonly #known = new WeakMap<Parcel, Parcel>();

  constructor(store: Pick<WatchlistStore, 'whole'>) {
    this.#store = store;
  }

  /** The whole parcel of one that the store has handed out; null for a light one that has not been read. */
  of(parcel: Parcel): Parcel | null {
    return isLight(parcel) ? (this.#known.get(parcel) ?? null) : parcel;
  }

  /** Reads those of these parcels that are light and have not been read; what the store has no more stays so. Rejects with a `StoreError`. */
  async read(parcels: readonly Parcel[]): Promise<void> {
    const missing = parcels.filter((parcel) => this.of(parcel) === null);
    for (const wanted of inBatches(missing, mostAtOnce)) {
      const found = new Map((await this.#store.whole(wanted.map(({ id }) => id))).map((whole) => [whole.id, whole]));
      for (const light of wanted) {
        const whole = found.get(light.id);
        if (whole !== undefined) this.#known.set(light, whole);
      }
    }
  }

  /** A list with whole parcels in place of these light ones, as far as they have been read. */
  putInto(parcels: readonly Parcel[], ids: ReadonlySet<string>): readonly Parcel[] {
    return parcels.map((parcel) => (ids.has(parcel.id) ? (this.of(parcel) ?? parcel) : parcel));
  }

  /**
   * Two lists between which only whole parcels differ: what light ones lack is read, and the changes made to that. Null when
   * somebody else has removed one of them. Rejects with a `StoreError`.
   */
  async madeTo(
    before: readonly Parcel[],
    shown: readonly Parcel[],
    changes: readonly UnwrittenChange[],
  ): Promise<WholeChange | null> {
    let [base, after] = [before, shown];
    for (;;) {
      const lacking = differences(base, after).flatMap(({ before }) =>
        before !== null && isLight(before) ? [before] : [],
      );
      if (lacking.length === 0) return { base, after };
      await this.read(lacking);
      const ids = new Set(lacking.flatMap((light) => (this.of(light) === null ? [] : [light.id])));
      if (ids.size < lacking.length) return null;
      base = this.putInto(base, ids);
      after = applyAll(asWatchlist(base), changes).parcels;
    }
  }
}

/** How often a change is made anew because others have changed the same parcels. */
const mostTries = 50;

/** What a writer needs from its surroundings. */
interface ChangeWriterContext {
  readonly store: WatchlistStore;
  readonly clock: Clock;
  /** The part of the watchlist that is held; null for all of it. */
  readonly window: SoonestWindow | null;
  readonly wholes: WholeParcels;
  readonly positions: ParcelPositions;
}

/** Writes changes of a watchlist that others change, too. */
export class ChangeWriter {
  readonly #context: ChangeWriterContext;

  constructor(context: ChangeWriterContext) {
    this.#context = context;
  }

  /**
   * Writes changes, and makes them anew whenever somebody else has changed the same parcels meanwhile, to whole parcels where
   * they were made to light ones, and without the lease where somebody else has taken that. Answers what the store holds then;
   * rejects with a `StoreError`.
   * @param kept what the store held last
   * @param shown the same with the changes
   */
  async write(
    kept: StoredParcels,
    shown: readonly Parcel[],
    given: readonly UnwrittenChange[],
  ): Promise<StoredParcels> {
    const { clock, store, wholes, window } = this.#context;
    let changes = given;
    let base = kept;
    let after = shown;
    for (let tries = 1; ; tries += 1) {
      const made = await wholes.madeTo(base.parcels, after, changes);
      const writes = made === null ? null : writesBetween(made.base, made.after);
      const outcome =
        writes === null ? null : await store.write(writes, base.revision, clock.now(), { fence: fenceOf(changes) });
      if (outcome?.isWritten) {
        window?.forget(writes?.flatMap(({ id, parcel }) => (parcel === null ? [id] : [])) ?? []);
        return outcome.current;
      }
      if (tries === mostTries) throw new ChangedMeanwhileError('The watchlist');
      if (outcome?.isFenced) changes = changes.map(afterLease);
      // What the store holds of a part does not say what was removed of the rest.
      const current = window === null ? outcome?.current : undefined;
      base = current ?? (await this.#newerThan(base));
      after = applyAll(asWatchlist(base.parcels), changes).parcels;
    }
  }

  /** What the store holds by now. */
  async #newerThan(stored: StoredParcels): Promise<StoredParcels> {
    const { positions, store, window } = this.#context;
    const changes = await store.changesSince(stored.revision);
    if (changes === null) return stored;
    window?.forget(changes.removed);
    const newest = withChanges(stored, changes, positions);
    return window === null ? newest : { ...newest, parcels: window.with(newest.parcels) };
  }
}

/** What a store holds after changes. */
export function withChanges(
  { parcels }: StoredParcels,
  changes: StoreChanges,
  positions: ParcelPositions,
): StoredParcels {
  const { changeSeq, revision } = changes;
  return { revision, changeSeq, parcels: applyChanges(parcels, changes, positions) };
}
