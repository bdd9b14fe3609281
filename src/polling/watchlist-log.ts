import { type BusyCounter, createSerialQueue } from '../lib/async.ts';
import type { CancelTimer, Clock, EpochMs } from '../lib/clock.ts';
import { LatestMap } from '../lib/collections.ts';
import { StoreError, toStoreError } from '../lib/store-errors.ts';
import { isLight } from '../parcels/light-parcel.ts';
import { emptyWatchlist, type Parcel, type ParcelHistory, type Watchlist } from '../parcels/parcel.ts';
import {
  changeParcels,
  differences,
  isSameList,
  type ParcelChange,
  type ParcelDifference,
  ParcelPositions,
  rememberingChange,
} from '../parcels/parcel-list.ts';
import type { StoredParcels, WatchlistStore } from '../store/store.ts';
import type { SoonestWindow } from './due-window.ts';
import type { PollingPolicy } from './schedule/policy.ts';
import {
  applyAll,
  asWatchlist,
  ChangeWriter,
  type UnwrittenChange,
  unfenced,
  unlessChecked,
  type WatchlistChange,
  WholeParcels,
  withChanges,
} from './unwritten-changes.ts';

/** What a log needs from its surroundings. */
interface WatchlistLogContext {
  readonly store: WatchlistStore;
  /** The part of the watchlist that is held; null or left out: all of it. */
  readonly window?: SoonestWindow | null;
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
 * lost as long as the program runs. Of a long list the store hands out light parcels: a change of one is shown on it, and
 * made once more to the whole one to be written.
 */
export class WatchlistLog {
  readonly #context: WatchlistLogContext;
  readonly #queue = createSerialQueue();
  readonly #positions: ParcelPositions;
  readonly #wholes: WholeParcels;
  readonly #writer: ChangeWriter;
  /** Null where all parcels are held. */
  readonly #window: SoonestWindow | null;
  #unwritten: readonly UnwrittenChange[] = [];
  /** What the store held last; before the first reading, of a revision that no store has. */
  #kept: StoredParcels = { revision: -1, parcels: [], changeSeq: 0 };
  /** The same, with all unwritten changes. */
  #shown: Watchlist = emptyWatchlist;
  #parcels: readonly Parcel[] = [];
  #failures = 0;
  #cancelRetry: CancelTimer = () => {};
  /** Ends the waiting for more to be written along; null while nothing waits. */
  #cancelSoon: CancelTimer | null = null;

  constructor(context: WatchlistLogContext) {
    this.#context = context;
    this.#positions = context.store.positions ?? new ParcelPositions();
    this.#wholes = new WholeParcels(context.store);
    const { clock, store, window = null } = context;
    this.#window = window;
    this.#writer = new ChangeWriter({ store, clock, window, wholes: this.#wholes, positions: this.#positions });
  }

  /** All parcels, unwritten changes included. */
  parcels(): readonly Parcel[] {
    return this.#parcels;
  }

  /** The parcel with this id, or null. */
  find(parcelId: string): Parcel | null {
    return this.#positions.find(this.#parcels, parcelId);
  }

  /**
   * The whole parcels of these ids, in their order, unwritten changes included; those that are there no more are left out.
   * Rejects with a `StoreError`.
   */
  async whole(parcelIds: readonly string[]): Promise<readonly Parcel[]> {
    const shown = parcelIds.flatMap((id) => this.find(id) ?? []);
    if (!shown.some(isLight)) return shown;
    await this.#wholes.read(shown.flatMap(({ id }) => this.#positions.find(this.#kept.parcels, id) ?? []));
    let changed: Watchlist | null = null;
    const changedOne = (id: string): Parcel | null => {
      const ids = new Set(parcelIds);
      changed ??= applyAll(asWatchlist(this.#wholes.putInto(this.#kept.parcels, ids)), this.#unwritten);
      return this.#positions.find(changed.parcels, id);
    };
    return parcelIds.flatMap((id) => {
      const parcel = this.find(id);
      const whole = parcel === null ? null : (this.#wholes.of(parcel) ?? changedOne(id));
      return whole === null || isLight(whole) ? [] : [whole];
    });
  }

  /** Reads the store anew; unwritten changes stay on top. Rejects with a `StoreError`. */
  async reload(): Promise<void> {
    await this.#inTurn(async () => {
      const { clock, store } = this.#context;
      this.#adopt(await (this.#window === null ? store.read() : this.#window.fill(this.#kept.parcels, clock.now())));
    });
  }

  /** Takes over what somebody else has changed in the store. Rejects with a `StoreError`. */
  async follow(): Promise<void> {
    const { clock, store } = this.#context;
    const { revision } = this.#kept;
    const found = await store.changesSince(revision);
    if (found !== null) {
      await this.#inTurn(async () => {
        // What was written meanwhile has been taken over along with it.
        const isCurrent = this.#kept.revision === revision;
        const changes = isCurrent ? found : await store.changesSince(this.#kept.revision);
        if (changes === null) return;
        // All of them may be a million.
        if (changes.isAll && this.#window !== null)
          this.#adopt(await this.#window.fill(this.#kept.parcels, clock.now()));
        else {
          this.#window?.forget(changes.removed);
          this.#adopt(withChanges(this.#kept, changes, this.#positions));
        }
      });
    }
    await this.refill();
  }

  /** Reads the parcels with these numbers where not all are held, so that they are found. Rejects with a `StoreError`. */
  async fetchNumbers(numbers: readonly string[]): Promise<void> {
    const window = this.#window;
    if (window === null || numbers.length === 0) return;
    await this.#inTurn(async () => {
      if (await window.fetch(numbers, this.#kept.parcels)) this.#adopt(this.#kept);
    });
  }

  /**
   * Reads what is to be checked next where not all parcels are held and most of those that are have been; answers whether it
   * did. What is not written yet needs its parcels. Rejects with a `StoreError`.
   */
  async refill(): Promise<boolean> {
    const window = this.#window;
    if (window === null || !this.#isRefillDue(window)) return false;
    return await this.#inTurn(async () => {
      if (!this.#isRefillDue(window)) return false;
      const filled = await window.fill(this.#kept.parcels, this.#context.clock.now());
      // Changed while it was read: the next look fills it.
      if (this.#unwritten.length > 0) return false;
      this.#adopt(filled);
      return true;
    });
  }

  #isRefillDue(window: SoonestWindow): boolean {
    return this.#unwritten.length === 0 && window.isUsedUp(this.#kept.parcels, this.#context.clock.now());
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
    return (watchlist) => changeParcels(watchlist, remembering, this.#positions);
  }

  async #write(): Promise<void> {
    const taken = this.#unwritten;
    // Another flush may have written this one's changes along with its own.
    if (taken.length === 0) return;
    this.#cancelRetry();
    this.#endWaiting();
    try {
      const written = await this.#writer.write(this.#kept, this.#shown.parcels, taken);
      this.#unwritten = this.#unwritten.filter((change) => !taken.includes(change));
      this.#adopt(written);
    } catch (error) {
      this.#writeLater();
      const storeError = toStoreError(error, 'the watchlist');
      this.#context.onProblem(storeError);
      throw storeError;
    }
    if (this.#failures > 0) this.#context.onProblem(null);
    this.#failures = 0;
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

  #adopt(given: StoredParcels): void {
    const stored = { ...given, parcels: this.#window?.with(given.parcels) ?? given.parcels };
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
    this.#context.onParcels(parcels);
  }
}

/** Histories kept: a call answers about 100 parcels, and each may hold a page of text. */
const mostKept = 128;

interface KeptHistory {
  readonly history: ParcelHistory;
  readonly checkedAt: EpochMs;
}

/** Histories that this process has merged last: whoever shows one need not read from the disk what was just written there. */
export class RecentHistories {
  readonly #kept = new LatestMap<string, KeptHistory>(mostKept);

  /** Keeps a history as it is written, of a parcel that was checked at `checkedAt`. */
  keep(historyId: string, history: ParcelHistory, checkedAt: EpochMs): void {
    this.#kept.set(historyId, { history, checkedAt });
  }

  /** The history of a parcel; null when none is kept, and when the parcel was checked at another time, by whichever process. */
  of(historyId: string, { checkedAt }: Pick<Parcel, 'checkedAt'>): ParcelHistory | null {
    const kept = this.#kept.get(historyId);
    return kept !== undefined && checkedAt !== null && Date.parse(checkedAt) === kept.checkedAt ? kept.history : null;
  }
}
