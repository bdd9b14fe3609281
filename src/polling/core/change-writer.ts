import type { Clock } from '../../service/clock/clock.ts';
import { ChangedMeanwhileError } from '../../watchlist/errors.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ParcelPositions } from '../../watchlist/model/parcel-positions.ts';
import { applyChanges, writesBetween } from '../../watchlist/store/revisions.ts';
import type { StoreChanges, StoredParcels, WatchlistStore } from '../../watchlist/store/store.ts';
import type { SoonestWindow } from './soonest-window.ts';
import { afterLease, applyAll, asWatchlist, fenceOf, type UnwrittenChange } from './unwritten-change.ts';
import type { WholeParcels } from './whole-parcels.ts';

/** How often a change is made anew because others have changed the same parcels. */
const mostTries = 50;

/** What a writer needs from its surroundings. */
export interface ChangeWriterContext {
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
