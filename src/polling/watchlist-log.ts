import { isDeepStrictEqual } from 'node:util';
import { type BusyCounter, createSerialQueue } from '../lib/async.ts';
import type { CancelTimer, Clock } from '../lib/clock.ts';
import { ChangedMeanwhileError, StoreError, toStoreError } from '../lib/store-errors.ts';
import type { Parcel } from '../parcels/parcel.ts';
import {
  changingParcels,
  differences,
  isSameList,
  type ListChange,
  type ParcelChange,
  type ParcelDifference,
  rememberingChange,
} from '../parcels/parcel-list.ts';
import { writesBetween } from '../store/revisions.ts';
import type { StoredParcels, WatchlistStore } from '../store/store.ts';
import type { PollingPolicy } from './schedule/policy.ts';
import { afterLease, applyAll, fenceOf, type UnwrittenChange, unfenced, unlessChecked } from './unwritten-changes.ts';

/** Maximum number of tries if other processes change the same parcels. */
const maxTries = 50;

interface WatchlistLogContext {
  readonly store: WatchlistStore;
  /** The only numbers to read. Defaults to all. */
  readonly numbers?: readonly string[] | null;
  readonly clock: Clock;
  readonly policy: PollingPolicy;
  readonly busy: BusyCounter;
  /** Called after each change of {@link WatchlistLog.parcels}. */
  readonly onParcels: (parcels: readonly Parcel[]) => void;
  /** Called with the newest line of the change log after each read and write. */
  readonly onChangeSeq: (seq: number) => void;
  /** Called with the error when writing fails, and with null when it works again. */
  readonly onProblem: (error: StoreError | null) => void;
}

/**
 * The watchlist as last read from the store, plus our unwritten changes. A change is visible at once and written at
 * once. While the store fails, changes wait and are retried, so that nothing is lost while the program runs.
 */
export class WatchlistLog {
  readonly #context: WatchlistLogContext;
  readonly #queue = createSerialQueue();
  #unwritten: readonly UnwrittenChange[] = [];
  /** The store's last state. Revision -1 before the first read. */
  #kept: StoredParcels = { revision: -1, parcels: [], changeSeq: 0 };
  /** The same with all unwritten changes applied. */
  #shown: readonly Parcel[] = [];
  /** The same by id. Null until a parcel is looked up. */
  #byId: ReadonlyMap<string, Parcel> | null = null;
  #failures = 0;
  #cancelRetry: CancelTimer = () => {};
  /** Cancels the wait for more changes to write together, or null. */
  #cancelSoon: CancelTimer | null = null;

  constructor(context: WatchlistLogContext) {
    this.#context = context;
  }

  /** Returns all parcels, including unwritten changes. */
  parcels(): readonly Parcel[] {
    return this.#shown;
  }

  find(parcelId: string): Parcel | null {
    this.#byId ??= new Map(this.parcels().map((parcel) => [parcel.id, parcel]));
    return this.#byId.get(parcelId) ?? null;
  }

  /** Reads the store again and keeps unwritten changes on top. Throws a `StoreError`. */
  async reload(): Promise<void> {
    const { numbers = null, store } = this.#context;
    await this.#inTurn(async () => this.#adopt(await (numbers === null ? store.read() : store.read(numbers))));
  }

  /** Reads changes by other processes. Throws a `StoreError`. */
  async follow(): Promise<void> {
    await this.#inTurn(async () => {
      const newer = await this.#newer();
      if (newer !== null) this.#adopt(newer);
    });
  }

  /** Returns the store's current state, or null if nothing has changed. */
  async #newer(): Promise<StoredParcels | null> {
    const newer = await this.#context.store.newer(this.#kept);
    if (newer === null) return null;
    // Our own changes come back from the store as other objects.
    const parcels = newer.parcels.map((parcel, position) => {
      if (Object.is(parcel, this.#kept.parcels[position])) return parcel;
      const shown = this.find(parcel.id);
      return shown !== null && isDeepStrictEqual(shown, parcel) ? shown : parcel;
    });
    return { ...newer, parcels };
  }

  /**
   * Makes a change. It is visible at once, and written when the promise resolves. Throws a `StoreError`: the change is
   * then retried later, except for the kind `read-only`, where it is not made.
   */
  async commit(change: ListChange): Promise<void> {
    this.#throwIfReadOnly();
    this.#unwritten = [...this.#unwritten, unfenced(change)];
    // Based on the shown list: applying all earlier changes again would make many simultaneous changes cubic.
    this.#show(change(this.#shown));
    await this.flush();
  }

  /** Changes single parcels. Throws like {@link commit}. */
  async commitChanges(changes: ReadonlyMap<string, ParcelChange>): Promise<void> {
    await this.commit(this.#rememberingAll(changes));
  }

  /**
   * Changes parcels like {@link commitChanges}, but writes the changes together with others within the policy's
   * `writeTogetherMs`, or by the next {@link flush} or {@link commit}. A store that writes only changed parcels writes
   * them at once.
   * @param fence the lease number of a poll, or null without a lease; if another process has taken the lease since,
   * parcels that were checked in the meantime stay as they are
   */
  commitSoon(changes: ReadonlyMap<string, ParcelChange>, fence: number | null = null): void {
    this.#throwIfReadOnly();
    const change = this.#rememberingAll(changes);
    const withoutLease = fence === null ? change : this.#rememberingAll(unlessChecked(changes, (id) => this.find(id)));
    this.#unwritten = [...this.#unwritten, { change, fence, withoutLease }];
    this.#show(change(this.#shown));
    const { clock, policy, store } = this.#context;
    // Counted from the first response, so that a steady stream of responses is still written.
    this.#cancelSoon ??= clock.setTimer(store.writesAtOnce === true ? 0 : policy.writeTogetherMs, () => {
      this.#cancelSoon = null;
      // Reported through onProblem.
      this.flush().catch(() => {});
    });
  }

  #throwIfReadOnly(): void {
    const { readOnly = null } = this.#context.store;
    if (readOnly !== null) throw new StoreError('read-only', readOnly, 'the watchlist');
  }

  /** Writes all unwritten changes. Throws a `StoreError`. */
  async flush(): Promise<void> {
    await this.#inTurn(() => this.#write());
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#context.busy.during(() => this.#queue.run(work));
  }

  unwritten(): readonly ParcelDifference[] {
    return differences(this.#kept.parcels, this.#shown);
  }

  close(): void {
    this.#cancelRetry();
    this.#endWaiting();
  }

  #endWaiting(): void {
    this.#cancelSoon?.();
    this.#cancelSoon = null;
  }

  #rememberingAll(changes: ReadonlyMap<string, ParcelChange>): ListChange {
    return changingParcels(new Map([...changes].map(([id, change]) => [id, rememberingChange(change)])));
  }

  async #write(): Promise<void> {
    const taken = this.#unwritten;
    // Another flush may have written them.
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

  /** Writes changes. Applies them to the newer list and retries if other processes have changed the same parcels. */
  async #writeAll(taken: readonly UnwrittenChange[]): Promise<void> {
    const { clock, store } = this.#context;
    let changes = taken;
    let after = this.#shown;
    for (let tries = 1; ; tries += 1) {
      const writes = writesBetween(this.#kept.parcels, after);
      const { isFenced, isWritten } = await store.write(writes, this.#kept, clock.now(), { fence: fenceOf(changes) });
      if (isWritten) {
        this.#unwritten = this.#unwritten.filter((change) => !taken.includes(change));
        const written = { ...this.#kept, parcels: after };
        // The write succeeded, so the next read tries again.
        this.#adopt((await this.#newer().catch(() => written)) ?? written);
        return;
      }
      if (tries === maxTries) throw new ChangedMeanwhileError('The watchlist');
      this.#adopt((await this.#newer()) ?? this.#kept);
      if (isFenced) changes = changes.map(afterLease);
      after = applyAll(this.#kept.parcels, changes);
    }
  }

  #writeLater(): void {
    const { clock, policy } = this.#context;
    const wait = Math.min(policy.writeAgainMaxMs, policy.writeAgainFirstMs * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 30);
    this.#cancelRetry = clock.setTimer(wait, () => {
      // Reported through onProblem.
      this.flush().catch(() => {});
    });
  }

  #adopt(stored: StoredParcels): void {
    this.#kept = stored;
    this.#context.onChangeSeq(stored.changeSeq);
    this.#show(applyAll(stored.parcels, this.#unwritten));
  }

  #show(parcels: readonly Parcel[]): void {
    // Most writes return the parcels that are already shown.
    if (isSameList(parcels, this.#shown)) return;
    this.#shown = parcels;
    this.#byId = null;
    this.#context.onParcels(parcels);
  }
}
