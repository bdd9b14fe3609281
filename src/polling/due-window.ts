import type { EpochMs } from '../lib/clock.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { waitsUntil } from '../parcels/parcel-stage.ts';
import type { SoonestParcels, StoredParcels, WatchlistStore } from '../store/store.ts';

/** After so long in which too few of its parcels were checked, a window is made larger, in milliseconds. */
const stuckMs = 60_000;

/** A window is never made larger than this. */
const mostEver = 100_000;

/**
 * The part of a watchlist that whoever has no screen needs: the parcels that are to be checked soonest, or those with some
 * numbers, and whatever changes. Of a million parcels, only these are read.
 */
export class SoonestWindow {
  readonly #soonest: (most: number) => Promise<SoonestParcels>;
  readonly #withNumbers: (numbers: readonly string[]) => Promise<readonly Parcel[]>;
  #most: number;
  /** No parcel outside is to be checked before that. */
  #until: EpochMs = Number.NEGATIVE_INFINITY;
  #filledAt: EpochMs = Number.NEGATIVE_INFINITY;
  /** Parcels that were asked for by their numbers, by id: they stay until the window is filled anew. */
  #guests: ReadonlyMap<string, Parcel> = new Map();

  private constructor(
    soonest: (most: number) => Promise<SoonestParcels>,
    withNumbers: (numbers: readonly string[]) => Promise<readonly Parcel[]>,
    most: number,
  ) {
    this.#soonest = soonest;
    this.#withNumbers = withNumbers;
    this.#most = most;
  }

  /** A window of `most` parcels at first; null for a store that holds all parcels anyway, and where `most` is null. */
  static of(store: WatchlistStore, most: number | null): SoonestWindow | null {
    const { soonest, withNumbers } = store;
    if (most === null || soonest === undefined || withNumbers === undefined) return null;
    return new SoonestWindow(soonest.bind(store), withNumbers.bind(store), most);
  }

  /** A window of the parcels with these numbers; null for a store that holds all parcels anyway, and where there are none. */
  static ofNumbers(store: WatchlistStore, numbers: readonly string[] | null): SoonestWindow | null {
    const { onlyNumbers, withNumbers } = store;
    if (numbers === null || onlyNumbers === undefined || withNumbers === undefined) return null;
    const read = async (): Promise<SoonestParcels> => ({ ...(await onlyNumbers.call(store, numbers)), isAll: true });
    return new SoonestWindow(read, withNumbers.bind(store), numbers.length);
  }

  /**
   * Reads the window anew, a larger one where nothing has come of what waits in it. Rejects with a `StoreError`.
   * @param known what is held
   */
  async fill(known: readonly Parcel[], now: EpochMs): Promise<StoredParcels> {
    const isStuck = this.#isStuck(now) && this.#left(known) >= this.#most / 2;
    const most = isStuck ? Math.min(mostEver, this.#most * 2) : this.#most;
    const { changeSeq, isAll, parcels, revision } = await this.#soonest(most);
    this.#most = most;
    const last = parcels.at(-1);
    this.#until = isAll || last === undefined ? Number.POSITIVE_INFINITY : (waitsUntil(last) ?? 0);
    this.#filledAt = now;
    this.#guests = new Map();
    return { revision, changeSeq, parcels };
  }

  /**
   * Whether it is to be filled anew: half of it is no longer waiting within it, or nothing has come of what waits in it, as where
   * the budget covers no registrations; then it becomes larger, so that these do not keep others out.
   */
  isUsedUp(parcels: readonly Parcel[], now: EpochMs): boolean {
    if (this.#until === Number.POSITIVE_INFINITY) return false;
    if (this.#left(parcels) < this.#most / 2 || parcels.length > this.#most * 4) return true;
    return this.#isStuck(now);
  }

  /** How many still wait within it. */
  #left(parcels: readonly Parcel[]): number {
    return parcels.filter((parcel) => {
      const at = waitsUntil(parcel);
      return at !== null && at <= this.#until;
    }).length;
  }

  #isStuck(now: EpochMs): boolean {
    return now >= this.#until && now - this.#filledAt >= stuckMs && this.#most < mostEver;
  }

  /** The parcels that the store has handed out, and those that were asked for besides. */
  with(parcels: readonly Parcel[]): readonly Parcel[] {
    if (this.#guests.size === 0) return parcels;
    const ids = new Set(parcels.map(({ id }) => id));
    return [...parcels, ...[...this.#guests.values()].filter(({ id }) => !ids.has(id))];
  }

  /** Parcels that are there no more, by their ids. */
  forget(removed: readonly string[]): void {
    const guests = new Map(this.#guests);
    for (const id of removed) guests.delete(id);
    this.#guests = guests;
  }

  /** Reads parcels by their numbers; answers whether any is new. Rejects with a `StoreError`. */
  async fetch(numbers: readonly string[], known: readonly Parcel[]): Promise<boolean> {
    const ids = new Set(known.map(({ id }) => id));
    const found = (await this.#withNumbers(numbers)).filter(({ id }) => !ids.has(id));
    this.#guests = new Map([...this.#guests, ...found.map((parcel): [string, Parcel] => [parcel.id, parcel])]);
    return found.length > 0;
  }
}
