import { isDeepStrictEqual } from 'node:util';
import { type BusyCounter, createSerialQueue } from '../lib/async.ts';
import type { CancelTimer, Clock } from '../lib/clock.ts';
import { ConcurrentChangeError, StoreError, toStoreError } from '../lib/store-errors.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import {
  createListChange,
  differences,
  isSameList,
  type ListChange,
  type ParcelChange,
  type ParcelDifference,
} from '../parcels/parcel-list.ts';
import { type StoredParcels, type WatchlistStore, writesBetween } from '../store/store.ts';
import type { PollingPolicy } from './schedule/timings.ts';

/** Maximum number of attempts while other processes change the same parcels. */
const maxTries = 50;

interface WatchlistLogContext {
  readonly store: WatchlistStore;
  /** The only numbers to read. Defaults to all. */
  readonly numbers?: readonly string[] | null;
  readonly clock: Clock;
  readonly policy: PollingPolicy;
  readonly busy: BusyCounter;
  readonly onParcels: (parcels: readonly Parcel[]) => void;
  /** Called with the number of the newest line in the change log after each read and write. */
  readonly onChangeSeq: (seq: number) => void;
  /** Called with the error when a write fails, and with null when writing works again. */
  readonly onProblem: (error: StoreError | null) => void;
}

interface UnwrittenChange {
  readonly change: ListChange;
  /** The number of the lease under which the change was made, or null if it needs no lease. */
  readonly fence: number | null;
  /** Replaces the change if another process has taken the lease. Skips parcels that were checked in the meantime. */
  readonly withoutLease: ListChange;
}

/**
 * The watchlist as last read from the store, with our unwritten changes on top. A change becomes visible and is written
 * immediately. While the store fails, changes are kept and retried, so that nothing is lost as long as the program runs.
 */
export class WatchlistLog {
  readonly #context: WatchlistLogContext;
  readonly #queue = createSerialQueue();
  #unwritten: readonly UnwrittenChange[] = [];
  /** The store's last known state. The revision is -1 before the first read. */
  #stored: StoredParcels = { revision: -1, parcels: [], changeSeq: 0 };
  /** {@link #stored} with all unwritten changes applied. */
  #visible: readonly Parcel[] = [];
  /** {@link #visible} by id. Null until a parcel is looked up. */
  #byId: ReadonlyMap<string, Parcel> | null = null;
  #failures = 0;
  #cancelRetry: CancelTimer = () => {};
  /** Cancels the write of {@link commitSoon}. Null if none is scheduled. */
  #cancelDelayedWrite: CancelTimer | null = null;

  constructor(context: WatchlistLogContext) {
    this.#context = context;
  }

  parcels(): readonly Parcel[] {
    return this.#visible;
  }

  find(parcelId: string): Parcel | null {
    this.#byId ??= new Map(this.parcels().map((parcel) => [parcel.id, parcel]));
    return this.#byId.get(parcelId) ?? null;
  }

  /** Reads the whole watchlist again. Keeps unwritten changes. Throws a `StoreError`. */
  async reload(): Promise<void> {
    const { numbers = null, store } = this.#context;
    await this.#enqueue(async () => this.#adopt(await store.read(numbers ?? undefined)));
  }

  /** Picks up changes made by other processes. Throws a `StoreError`. */
  async follow(): Promise<void> {
    await this.#enqueue(async () => {
      const newer = await this.#readNewer();
      if (newer !== null) this.#adopt(newer);
    });
  }

  /** Returns the store's current state, or null if nothing has changed. */
  async #readNewer(): Promise<StoredParcels | null> {
    const newer = await this.#context.store.newer(this.#stored);
    if (newer === null) return null;
    // Our own changes come back from the store as different objects. Keep those that are already visible.
    const parcels = newer.parcels.map((parcel, position) => {
      if (Object.is(parcel, this.#stored.parcels[position])) return parcel;
      const visible = this.find(parcel.id);
      return visible !== null && isDeepStrictEqual(visible, parcel) ? visible : parcel;
    });
    return { ...newer, parcels };
  }

  /**
   * Makes a change. It is visible immediately, and has been written when the promise resolves. Throws a `StoreError`. The
   * change is then retried later, unless the error's kind is `read-only`: then it was not made.
   */
  async commit(change: ListChange): Promise<void> {
    this.#apply(unfenced(change));
    await this.flush();
  }

  async commitChanges(changes: ReadonlyMap<string, ParcelChange>): Promise<void> {
    await this.commit(createListChange(changes));
  }

  /**
   * Changes parcels like {@link commitChanges}, but writes them together with other changes: after the policy's
   * `writeTogetherMs`, or with the next {@link flush} or {@link commit}. A store that can write single parcels writes them
   * immediately.
   * @param fence the lease number of a poll, or null without a lease. If another process has taken the lease since,
   * parcels that were checked in the meantime stay as they are.
   */
  commitSoon(changes: ReadonlyMap<string, ParcelChange>, fence: number | null = null): void {
    const change = createListChange(changes);
    const withoutLease = fence === null ? change : createListChange(unlessChecked(changes, (id) => this.find(id)));
    this.#apply({ change, fence, withoutLease });
    const { clock, policy, store } = this.#context;
    // The delay starts with the first response, so that a steady stream of responses does not postpone the write forever.
    this.#cancelDelayedWrite ??= clock.setTimer(store.writesAtOnce === true ? 0 : policy.writeTogetherMs, () => {
      this.#cancelDelayedWrite = null;
      // Reported through onProblem.
      this.flush().catch(() => {});
    });
  }

  #apply(change: UnwrittenChange): void {
    const { readOnly = null } = this.#context.store;
    if (readOnly !== null) throw new StoreError('read-only', readOnly, 'the watchlist');
    this.#unwritten = [...this.#unwritten, change];
    // Apply it to the visible list: reapplying all earlier changes would take cubic time for many changes at the same time.
    this.#show(change.change(this.#visible));
  }

  /** Writes all unwritten changes. Throws a `StoreError`. */
  async flush(): Promise<void> {
    await this.#enqueue(() => this.#write());
  }

  async #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#context.busy.during(() => this.#queue.run(work));
  }

  unwritten(): readonly ParcelDifference[] {
    return differences(this.#stored.parcels, this.#visible);
  }

  close(): void {
    this.#cancelRetry();
    this.#cancelDelayedWrite?.();
    this.#cancelDelayedWrite = null;
  }

  async #write(): Promise<void> {
    const unwritten = this.#unwritten;
    // An earlier flush may have written everything.
    if (unwritten.length === 0) return;
    this.close();
    try {
      await this.#writeAll(unwritten);
    } catch (error) {
      this.#scheduleRetry();
      const storeError = toStoreError(error, 'the watchlist');
      this.#context.onProblem(storeError);
      throw storeError;
    }
    if (this.#failures > 0) this.#context.onProblem(null);
    this.#failures = 0;
  }

  /** Writes changes. If other processes have changed the same parcels, reapplies the changes to the newer list and retries. */
  async #writeAll(pending: readonly UnwrittenChange[]): Promise<void> {
    const { clock, store } = this.#context;
    let changes = pending;
    let target = this.#visible;
    for (let tries = 1; ; tries += 1) {
      const writes = writesBetween(this.#stored.parcels, target);
      const { isFenced, isWritten } = await store.write(writes, this.#stored, clock.now(), { fence: fenceOf(changes) });
      if (isWritten) {
        this.#unwritten = this.#unwritten.filter((change) => !pending.includes(change));
        const written = { ...this.#stored, parcels: target };
        // The write succeeded. If this read fails, the next one makes up for it.
        this.#adopt((await this.#readNewer().catch(() => written)) ?? written);
        return;
      }
      if (tries === maxTries) throw new ConcurrentChangeError('The watchlist');
      this.#adopt((await this.#readNewer()) ?? this.#stored);
      if (isFenced) changes = changes.map(({ withoutLease }) => unfenced(withoutLease));
      target = applyAll(this.#stored.parcels, changes);
    }
  }

  #scheduleRetry(): void {
    const { clock, policy } = this.#context;
    const wait = Math.min(policy.writeRetryMaxMs, policy.writeRetryFirstMs * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 30);
    this.#cancelRetry = clock.setTimer(wait, () => {
      // Reported through onProblem.
      this.flush().catch(() => {});
    });
  }

  #adopt(stored: StoredParcels): void {
    this.#stored = stored;
    this.#context.onChangeSeq(stored.changeSeq);
    this.#show(applyAll(stored.parcels, this.#unwritten));
  }

  #show(parcels: readonly Parcel[]): void {
    // After most writes, the list is already visible.
    if (isSameList(parcels, this.#visible)) return;
    this.#visible = parcels;
    this.#byId = null;
    this.#context.onParcels(parcels);
  }
}

const unfenced = (change: ListChange): UnwrittenChange => ({ change, fence: null, withoutLease: change });

/** Returns the lowest lease number of the changes, or null if none has one. */
const fenceOf = (changes: readonly UnwrittenChange[]): number | null =>
  changes.reduce<number | null>(
    (lowest, { fence }) => (fence === null ? lowest : Math.min(fence, lowest ?? fence)),
    null,
  );

const applyAll = (parcels: readonly Parcel[], changes: readonly UnwrittenChange[]): readonly Parcel[] =>
  changes.reduce((current, { change }) => change(current), parcels);

/** Makes changes skip parcels that are checked or registered after this call. */
function unlessChecked(
  changes: ReadonlyMap<string, ParcelChange>,
  find: (parcelId: string) => Parcel | null,
): ReadonlyMap<string, ParcelChange> {
  return new Map(
    [...changes].map(([id, change]): [string, ParcelChange] => {
      const original = find(id);
      const wasChecked = (parcel: Parcel): boolean =>
        parcel.checkedAt !== original?.checkedAt || parcel.registeredAt !== original.registeredAt;
      return [id, (parcel) => (wasChecked(parcel) ? parcel : change(parcel))];
    }),
  );
}

export type ChangeListener = (changes: readonly Change[]) => void;

/**
 * Reports each new line of the change log, from any process, once and in order. A failed read is retried when the next
 * line is written.
 */
export class ChangeFeed {
  readonly #store: Pick<WatchlistStore, 'changeLogAfter'>;
  readonly #onProblem: (error: unknown) => void;
  readonly #queue = createSerialQueue();
  readonly #listeners = new Set<ChangeListener>();
  #seq: number | null = null;

  constructor(store: Pick<WatchlistStore, 'changeLogAfter'>, onProblem: (error: unknown) => void) {
    this.#store = store;
    this.#onProblem = onProblem;
  }

  get seq(): number {
    return this.#seq ?? 0;
  }

  /** The first call sets the starting line. Later calls report the lines up to this one, or start over if the log was reset. */
  async advanceTo(seq: number): Promise<void> {
    if (this.#seq === null || seq < this.#seq) this.#seq = seq;
    if (seq === this.#seq) return;
    await this.#queue.run(async () => {
      const from = this.#seq ?? seq;
      if (seq <= from) return;
      try {
        const changes = await this.#store.changeLogAfter(from);
        this.#onProblem(null);
        const [last] = changes.slice(-1);
        // The log may have been reset in the meantime.
        if (last === undefined || from !== this.#seq) return;
        this.#seq = last.seq;
        for (const listener of this.#listeners) listener(changes);
      } catch (error) {
        this.#onProblem(error);
      }
    });
  }

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
