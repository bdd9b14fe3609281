import { isLight } from '../../watchlist/model/light-parcel.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { differences } from '../../watchlist/model/parcel-differences.ts';
import { inBatches } from '../../watchlist/store/in-batches.ts';
import type { WatchlistStore } from '../../watchlist/store/store.ts';
import { applyAll, asWatchlist, type UnwrittenChange } from './unwritten-change.ts';

/** How many are read at a time, so that whoever else wants something of the store has a turn. */
const mostAtOnce = 500;

/** Two lists between which only whole parcels differ. */
export interface WholeChange {
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
