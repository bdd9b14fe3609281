import { isDeepStrictEqual } from 'node:util';
import { type BusyCounter, createSerialQueue } from '../lib/async.ts';
import type { CancelTimer, Clock } from '../lib/clock.ts';
import { ChangedMeanwhileError, StoreError, toStoreError } from '../lib/store-errors.ts';
import { emptyWatchlist, type Parcel, type Watchlist } from '../parcels/parcel.ts';
import {
  changeParcels,
  differences,
  isSameList,
  type ParcelChange,
  type ParcelDifference,
  rememberingChange,
} from '../parcels/parcel-list.ts';
import { applyChanges, writesBetween } from '../store/revisions.ts';
import type { StoredParcels, WatchlistStore } from '../store/store.ts';
import type { PollingPolicy } from './schedule/policy.ts';
import {
  afterLease,
  applyAll,
  asWatchlist,
  fenceOf,
  type UnwrittenChange,
  unfenced,
  unlessChecked,
  type WatchlistChange,
} from './unwritten-changes.ts';

/** How often a change is made again because others have changed the same parcels. */
const mostTries = 50;

/** What a log needs from its surroundings. */
interface WatchlistLogContext {
  readonly store: WatchlistStore;
  /** The only numbers that are needed; null or left out: all. */
  readonly numbers?: readonly string[] | null;
  readonly clock: Clock;
  readonly policy: PollingPolicy;
  readonly busy: BusyCounter;
  /** Called after each change of what {@link WatchlistLog.parcels} answers. */
  readonly onParcels: (parcels: readonly Parcel[]) => void;
  /** Called with the newest line of the change log whenever the store has been read or written. */
  readonly onChangeSeq: (seq: number) => void;
  /** Called when writing begins to fail, and with null when it works again. */
  readonly onProblem: (error: StoreError | null) => void;
}

/**
 * The watchlist as we see it: what the store held last, with our changes on top that are not written yet. A change is
 * visible at once and written at once; while the store fails it is kept and written again later, so that nothing is
 * lost as long as the program runs.
 */
export class WatchlistLog {
  readonly #context: WatchlistLogContext;
  readonly #queue = createSerialQueue();
  #unwritten: readonly UnwrittenChange[] = [];
  /** What the store held last; before the first reading, of a revision that no store has. */
  #kept: StoredParcels = { revision: -1, parcels: [], changeSeq: 0 };
  /** The same, with all unwritten changes. */
  #shown: Watchlist = emptyWatchlist;
  #parcels: readonly Parcel[] = [];
  /** The same by id; null until one is looked for. */
  #byId: ReadonlyMap<string, Parcel> | null = null;
  #failures = 0;
  #cancelRetry: CancelTimer = () => {};
  /** Ends the waiting for more to be written along; null while nothing waits. */
  #cancelSoon: CancelTimer | null = null;

  constructor(context: WatchlistLogContext) {
    this.#context = context;
  }

  /** All parcels, unwritten changes included. */
  parcels(): readonly Parcel[] {
    return this.#parcels;
  }

  /** The parcel with this id, or null. */
  find(parcelId: string): Parcel | null {
    this.#byId ??= new Map(this.#parcels.map((parcel) => [parcel.id, parcel]));
    return this.#byId.get(parcelId) ?? null;
  }

  /** Reads the store anew; unwritten changes stay on top. Rejects with a `StoreError`. */
  async reload(): Promise<void> {
    const { numbers = null, store } = this.#context;
    await this.#inTurn(async () => this.#adopt(await (numbers === null ? store.read() : store.read(numbers))));
  }

  /** Takes over what somebody else has changed in the store. Rejects with a `StoreError`. */
  async follow(): Promise<void> {
    await this.#inTurn(async () => {
      const newer = await this.#newer();
      if (newer !== null) this.#adopt(newer);
    });
  }

  /** What the store holds by now; null where nothing has changed. */
  async #newer(): Promise<StoredParcels | null> {
    const changes = await this.#context.store.changesSince(this.#kept.revision);
    if (changes === null) return null;
    const { changeSeq, revision } = changes;
    // What we have shown before it was written comes back from the store as another object.
    const changed = changes.changed.map((parcel) => {
      const shown = this.find(parcel.id);
      return shown !== null && isDeepStrictEqual(shown, parcel) ? shown : parcel;
    });
    return { revision, changeSeq, parcels: applyChanges(this.#kept.parcels, { ...changes, changed }) };
  }

  /**
   * Makes a change. It is visible when this returns, and written when the promise resolves. Rejects with a `StoreError`; the
   * change is kept then and written later, but for one of the kind `read-only`: then it is not made.
   */
  async commit(change: WatchlistChange): Promise<void> {
    this.#throwIfReadOnly();
    this.#unwritten = [...this.#unwritten, unfenced(change)];
    // The earlier ones are in it: to apply all of them again would make many changes at once cubic.
    this.#show(change(this.#shown));
    await this.flush();
  }

  /** Changes single parcels; as {@link commit}. */
  async commitChanges(changes: ReadonlyMap<string, ParcelChange>): Promise<void> {
    await this.commit(this.#rememberingAll(changes));
  }

  /**
   * As {@link commitChanges}, for what comes in many pieces: it is visible when this returns, and written along with
   * whatever else comes within the policy's `writeTogetherMs`, or by the next {@link flush} or {@link commit}; at once by a
   * store that writes only what has changed.
   * @param fence the number of the lease under which a poll got its answers: where somebody else has taken that since, what
   * others have checked meanwhile is left alone; null for what needs no lease
   */
  commitSoon(changes: ReadonlyMap<string, ParcelChange>, fence: number | null = null): void {
    this.#throwIfReadOnly();
    const change = this.#rememberingAll(changes);
    const withoutLease = fence === null ? change : this.#rememberingAll(unlessChecked(changes, (id) => this.find(id)));
    this.#unwritten = [...this.#unwritten, { change, fence, withoutLease }];
    this.#show(change(this.#shown));
    const { clock, policy, store } = this.#context;
    // From the first of them: what has been answered must not wait for as long as answers come.
    this.#cancelSoon ??= clock.setTimer(store.writesAtOnce === true ? 0 : policy.writeTogetherMs, () => {
      this.#cancelSoon = null;
      // As with a later try.
      this.flush().catch(() => {});
    });
  }

  /** A change that can never be written must not be shown as if it were. */
  #throwIfReadOnly(): void {
    const { readOnly = null } = this.#context.store;
    if (readOnly !== null) throw new StoreError('read-only', readOnly, 'the watchlist');
  }

  /** Writes all unwritten changes. Rejects with a `StoreError`. */
  async flush(): Promise<void> {
    await this.#inTurn(() => this.#write());
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#context.busy.during(() => this.#queue.run(work));
  }

  /** What is shown but not written yet. */
  unwritten(): readonly ParcelDifference[] {
    return differences(this.#kept.parcels, this.#shown.parcels);
  }

  /** Ends the waiting for a later try. */
  close(): void {
    this.#cancelRetry();
    this.#endWaiting();
  }

  #endWaiting(): void {
    this.#cancelSoon?.();
    this.#cancelSoon = null;
  }

  #rememberingAll(changes: ReadonlyMap<string, ParcelChange>): WatchlistChange {
    const remembering = new Map([...changes].map(([id, change]) => [id, rememberingChange(change)]));
    return (watchlist) => changeParcels(watchlist, remembering);
  }

  async #write(): Promise<void> {
    const taken = this.#unwritten;
    // Another flush may have written this one's changes along with its own.
    if (taken.length === 0) return;
    this.#cancelRetry();
    this.#endWaiting();
    try {
      await this.#writeAll(taken);
    } catch (error) {
      this.#writeLater();
      const storeError = toStoreError(error, 'the watchlist');
      this.#context.onProblem(storeError);
      throw storeError;
    }
    if (this.#failures > 0) this.#context.onProblem(null);
    this.#failures = 0;
  }

  /** Writes changes, and makes them again to what the store holds by then when others have changed the same parcels. */
  async #writeAll(taken: readonly UnwrittenChange[]): Promise<void> {
    const { clock, store } = this.#context;
    let changes = taken;
    let after = this.#shown.parcels;
    for (let tries = 1; ; tries += 1) {
      const { parcels, revision } = this.#kept;
      const fence = fenceOf(changes);
      const { isFenced, isWritten } = await store.write(writesBetween(parcels, after), revision, clock.now(), {
        fence,
      });
      if (isWritten) {
        this.#unwritten = this.#unwritten.filter((change) => !taken.includes(change));
        const written = { ...this.#kept, parcels: after };
        // It is written all the same: what the store cannot say now, the next look asks again.
        this.#adopt((await this.#newer().catch(() => written)) ?? written);
        return;
      }
      if (tries === mostTries) throw new ChangedMeanwhileError('The watchlist');
      this.#adopt((await this.#newer()) ?? this.#kept);
      if (isFenced) changes = changes.map(afterLease);
      after = applyAll(asWatchlist(this.#kept.parcels), changes).parcels;
    }
  }

  #writeLater(): void {
    const { clock, policy } = this.#context;
    const wait = Math.min(policy.writeAgainLongestMs, policy.writeAgainFirstMs * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 30);
    this.#cancelRetry = clock.setTimer(wait, () => {
      // The failure is reported through onProblem; nobody waits for this try.
      this.flush().catch(() => {});
    });
  }

  #adopt(stored: StoredParcels): void {
    this.#kept = stored;
    this.#context.onChangeSeq(stored.changeSeq);
    this.#show(applyAll(asWatchlist(stored.parcels), this.#unwritten));
  }

  #show(watchlist: Watchlist): void {
    this.#shown = watchlist;
    const { parcels } = watchlist;
    // What was shown before it was written is most often what has been written.
    if (isSameList(parcels, this.#parcels)) return;
    this.#parcels = parcels;
    this.#byId = null;
    this.#context.onParcels(parcels);
  }
}
