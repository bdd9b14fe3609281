import { isDeepStrictEqual } from 'node:util';
import { BusyCounter, Observable } from '../lib/async.ts';
import type { Clock, EpochMs, Random } from '../lib/clock.ts';
import { plannedSkew, type SkewBounds } from '../lib/clock-skew.ts';
import { ignoreStoreError, StoreError, toStoreError } from '../lib/store-errors.ts';
import { historyIdOf } from '../parcels/identity.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';
import type { ParcelChange } from '../parcels/parcel-list.ts';
import { assumedServiceClock, type FixedServiceClock, type ServiceClock } from '../service/service-clock.ts';
import { measuredClock, type PollingMemoryData } from '../store/polling-memory.ts';
import { type BudgetPause, offPolling, type PollingProblem, type PollingState } from '../store/polling-state.ts';
import type { WatchlistStore } from '../store/store.ts';
import { historyFormat } from '../store/watchlist-format.ts';
import type { CallGate } from './gate/call-gate.ts';
import type { PollingPolicy } from './schedule/policy.ts';
import type { Planning } from './schedule/schedule.ts';
import { ChangeFeed, type MonitorState } from './state.ts';
import { StoreTroubles, type TroubleSource } from './store-troubles.ts';
import { WatchlistLog } from './watchlist-log.ts';

type HistoryChange = (history: ParcelHistory) => ParcelHistory;

export interface MonitorCoreOptions {
  readonly store: WatchlistStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The only numbers that are needed; null or left out: all. */
  readonly numbers?: readonly string[] | null;
  /** What all calls pass, on the same clock. */
  readonly gate: CallGate;
  /** Fixes the service clock; null or absent lets it be measured. */
  readonly configuredClock?: ServiceClock | null;
  /** Between what the service's clock is ahead of `clock`, as measured; not known when left out. */
  readonly skewBounds?: () => SkewBounds | null;
  /** Whether the embedded sandbox answers, which may be queried as often as it plans; not when left out. */
  readonly isSandbox?: () => boolean;
}

/**
 * The one observable state and the changes that everybody makes to it: parcels (through the log), polling, notices,
 * what is remembered over a restart.
 */
export class MonitorCore {
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: PollingPolicy;
  readonly store: WatchlistStore;
  readonly gate: CallGate;
  readonly busy = new BusyCounter();
  readonly log: WatchlistLog;
  readonly changes: ChangeFeed;
  readonly state: Observable<MonitorState>;
  readonly #configuredClock: ServiceClock | null;
  readonly #skewBounds: () => SkewBounds | null;
  readonly #isSandbox: () => boolean;
  readonly #sandboxPolicy: PollingPolicy;
  readonly #troubles = new StoreTroubles(this);
  #isKeptOpen = false;
  /** The notice that nothing can be written; null while there is none. */
  #saidReadOnly: string | null = null;
  #serviceProblems: Readonly<Record<'register' | 'query', PollingProblem | null>> = { register: null, query: null };

  constructor(options: MonitorCoreOptions) {
    const {
      store,
      numbers = null,
      clock,
      random,
      gate,
      configuredClock = null,
      isSandbox = () => false,
      skewBounds = () => null,
    } = options;
    const { policy } = gate;
    this.clock = clock;
    this.random = random;
    this.policy = policy;
    this.store = store;
    this.gate = gate;
    this.#configuredClock = configuredClock;
    this.#skewBounds = skewBounds;
    this.#isSandbox = isSandbox;
    this.#sandboxPolicy = { ...policy, leastMs: 0 };
    this.state = new Observable<MonitorState>({
      parcels: [],
      polling: offPolling,
      serviceClock: configuredClock ?? assumedServiceClock,
      checking: new Set(),
      notices: [],
      undoable: null,
    });
    this.changes = new ChangeFeed(store, (error) => this.notifyTrouble('changes-read', error));
    this.log = new WatchlistLog({
      store,
      numbers,
      clock,
      policy,
      busy: this.busy,
      onParcels: (parcels) => {
        this.change({ parcels });
        this.collectNotices();
      },
      onChangeSeq: (seq) => void this.busy.during(() => this.changes.advanceTo(seq)),
      onProblem: (error) => {
        this.#troubles.showUnwritten(error, this.#isKeptOpen);
        this.#showProblem();
      },
    });
    gate.listen({
      onMemory: (remembered) => this.#showMemory(remembered),
      onUsage: ({ today }) => this.changePolling({ queriesToday: today.queries }),
      onTrouble: (source, error) => this.notifyTrouble(source, error),
    });
  }

  /** Reads what the gate remembers, and the watchlist. Rejects with a `StoreError`. */
  async load(): Promise<void> {
    await this.busy.during(async () => {
      await this.gate.recall();
      await this.log.reload();
      this.#noteReadOnly();
      this.collectNotices();
    });
  }

  /** Uses a measured service clock from now on, in all processes; answers false when it is configured, or in use already. */
  async adoptMeasuredClock(measured: FixedServiceClock): Promise<boolean> {
    if (isDeepStrictEqual(this.state.get().serviceClock, measured) || this.#configuredClock !== null) return false;
    this.change({ serviceClock: measured });
    await this.gate.memory.remember({ measuredOffsetMinutes: measured.offsetMinutes });
    return true;
  }

  /** How far plans take the service's clock to be ahead of ours, in milliseconds. */
  get skewMs(): number {
    return this.gate.memory.current.skewMs;
  }

  /** Uses the measured difference of the clocks from now on, in all processes; answers false when it is in use already. */
  async adoptMeasuredSkew(): Promise<boolean> {
    const bounds = this.#skewBounds();
    const skewMs = bounds === null ? this.skewMs : plannedSkew(this.skewMs, bounds);
    if (skewMs === this.skewMs) return false;
    await this.gate.memory.remember({ skewMs });
    return true;
  }

  #showMemory(remembered: PollingMemoryData): void {
    this.changePolling({ paused: remembered.paused });
    const serviceClock = this.#configuredClock ?? measuredClock(remembered) ?? assumedServiceClock;
    if (!isDeepStrictEqual(serviceClock, this.state.get().serviceClock)) this.change({ serviceClock });
  }

  /** Throws a `StoreError` where nothing can be written. */
  throwIfReadOnly(): void {
    const readOnly = this.store.readOnly ?? null;
    if (readOnly !== null) throw new StoreError('read-only', readOnly, 'the watchlist');
  }

  /** To be called by what stays open until the user ends it, so that a write that fails has time to succeed. */
  keepOpen(): void {
    this.#isKeptOpen = true;
    this.#noteReadOnly();
  }

  /** What one parcel is planned with at this moment. */
  planning(now: EpochMs = this.clock.now()): Planning {
    const { serviceClock } = this.state.get();
    const canRegister = this.gate.budget.resumesAt('register') === null;
    const policy = this.#isSandbox() ? this.#sandboxPolicy : this.policy;
    const lagMs = this.gate.memory.current.lag?.ms ?? 0;
    return { now, serviceClock, skewMs: this.skewMs, policy, chance: this.random(), canRegister, lagMs };
  }

  /** Returns the changed history. Throws a `StoreError`, which the caller shows. */
  async updateHistory(historyId: string, change: HistoryChange): Promise<ParcelHistory> {
    return await this.busy.during(() => this.store.updateHistory(historyId, change));
  }

  /** As {@link updateHistory}; on failure returns it with the history as the change alone makes it. */
  async updateHistoryTolerantly(
    historyId: string,
    change: HistoryChange,
  ): Promise<{ readonly history: ParcelHistory; readonly failure: unknown }> {
    try {
      return { history: await this.updateHistory(historyId, change), failure: null };
    } catch (failure) {
      return { history: change(historyFormat.empty), failure };
    }
  }

  /** Removes a history that was written for a parcel which was removed, or made another one, meanwhile; a failure to do so is shown. */
  async dropOrphan({ id }: Pick<Parcel, 'id'>, historyId: string): Promise<void> {
    const parcel = this.log.find(id);
    if (parcel !== null && historyIdOf(parcel) === historyId) return;
    await this.tellingFailure(() => this.store.removeHistory(historyId)).catch(ignoreStoreError);
  }

  change(changes: Partial<MonitorState>): void {
    this.state.set({ ...this.state.get(), ...changes });
  }

  /** Changes how the polling goes; does nothing when that is how it goes. */
  changePolling(changes: Partial<PollingState>): void {
    const { polling } = this.state.get();
    const changed = { ...polling, ...changes };
    const keys = Object.keys(changes) as (keyof PollingState)[];
    if (keys.some((key) => polling[key] !== changed[key])) this.change({ polling: changed });
  }

  /**
   * Shows why registrations or queries fail; null when they do not. An answer of either ends the problem that there is no
   * connection.
   */
  showServiceProblem(problem: PollingProblem | null, operation: 'register' | 'query'): void {
    const { query, register } = this.#serviceProblems;
    const still = (other: PollingProblem | null): PollingProblem | null =>
      problem === null && other?.kind === 'unreachable' ? null : other;
    this.#serviceProblems =
      operation === 'register'
        ? { register: problem, query: still(query) }
        : { register: still(register), query: problem };
    this.#showProblem();
  }

  /** Shows what waits because budget or credit is used up; null when nothing does. */
  showBudgetPause(budget: BudgetPause | null): void {
    if (budget?.message !== this.state.get().polling.budget?.message) this.changePolling({ budget });
  }

  /** See {@link StoreTroubles.notify}. */
  notifyTrouble(source: TroubleSource, error: unknown): void {
    this.#troubles.notify(source, error);
  }

  /** Adds a message for the user, unless it is there already. */
  notify(message: string): void {
    const { notices } = this.state.get();
    if (!notices.includes(message)) this.change({ notices: [...notices, message] });
  }

  /** Takes a message back that is true no more. */
  unnotify(message: string): void {
    const { notices } = this.state.get();
    if (notices.includes(message)) this.change({ notices: notices.filter((notice) => notice !== message) });
  }

  /** Takes over what the store has to say. */
  collectNotices(): void {
    for (const notice of this.store.takeNotices()) this.notify(notice);
  }

  /** Changes parcels without failing: while the store fails, the log reports it, keeps the changes and writes them later. */
  async changeTolerantly(changes: ReadonlyMap<string, ParcelChange>): Promise<void> {
    await this.log.commitChanges(changes).catch(ignoreStoreError);
  }

  /** Writes what waits to be written; a failure is treated as in {@link changeTolerantly}. */
  async flushTolerantly(): Promise<void> {
    await this.log.flush().catch(ignoreStoreError);
  }

  /** Takes over what others have written to the watchlist; a failure to do so is shown, and stops nothing. */
  async follow(): Promise<void> {
    try {
      await this.busy.during(() => this.log.follow());
      this.#noteReadOnly();
      this.notifyTrouble('watchlist-read', null);
      // What was entered meanwhile is written at once: to wait for the next try would let others see it late.
      if (this.#troubles.endCutOff()) void this.busy.during(() => this.flushTolerantly());
    } catch (error) {
      this.notifyTrouble('watchlist-read', error);
    } finally {
      this.collectNotices();
    }
  }

  /**
   * Lets lines be written for what an editor or a synchroniser has changed, by the one process that `leads`; a failure to do
   * so is shown, and tried again with the next change.
   */
  async logEdits(leads: boolean): Promise<void> {
    try {
      const isWritten = await this.busy.during(() => this.store.logEdits(this.clock.now(), leads));
      if (isWritten !== null) this.notifyTrouble('changes-write', null);
      if (isWritten === true) await this.follow();
    } catch (error) {
      this.notifyTrouble('changes-write', error);
    }
  }

  /** Runs a piece of work on the store whose failure is shown. Rejects with that, as a `StoreError`. */
  async tellingFailure<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.busy.during(work);
    } catch (error) {
      const storeError = toStoreError(error, 'the watchlist');
      this.notify(storeError.message);
      throw storeError;
    } finally {
      this.collectNotices();
    }
  }

  #noteReadOnly(): void {
    const readOnly = this.store.readOnly ?? null;
    if (readOnly !== this.state.get().polling.readOnly) this.changePolling({ readOnly });
    // A command says it when it fails with it, and only then.
    if (!this.#isKeptOpen || readOnly === this.#saidReadOnly) return;
    if (this.#saidReadOnly !== null) this.unnotify(this.#saidReadOnly);
    this.#saidReadOnly = readOnly;
    if (readOnly !== null) this.notify(readOnly);
  }

  #showProblem(): void {
    const { query, register } = this.#serviceProblems;
    this.changePolling({ problem: query ?? register ?? this.#troubles.problem });
  }
}
