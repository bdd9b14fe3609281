import { isDeepStrictEqual } from 'node:util';
import { BusyCounter, Observable } from '../lib/async.ts';
import type { Clock, EpochMs, Random } from '../lib/clock.ts';
import { plannedSkew, type SkewBounds } from '../lib/clock-skew.ts';
import { ignoreStoreError, StoreError, toStoreError } from '../lib/store-errors.ts';
import { historyIdOf } from '../parcels/identity.ts';
import { emptyHistory, type Parcel, type ParcelHistory } from '../parcels/parcel.ts';
import type { ParcelChange } from '../parcels/parcel-list.ts';
import { assumedServiceClock, type FixedServiceClock, type ServiceClock } from '../service/service-clock.ts';
import { measuredClock, type PollingMemoryData } from '../store/shared-state.ts';
import type { WatchlistStore } from '../store/store.ts';
import type { CallGate } from './gate/call-gate.ts';
import type { Planning } from './schedule/schedule.ts';
import type { PollingPolicy } from './schedule/timings.ts';
import {
  type BudgetPause,
  initialPollingState,
  type MonitorState,
  type PollingProblem,
  type PollingState,
  type ProblemSource,
  StoreProblems,
} from './state.ts';
import { ChangeFeed, WatchlistLog } from './watchlist-log.ts';

type HistoryChange = (history: ParcelHistory) => ParcelHistory;

export interface MonitorCoreOptions {
  readonly store: WatchlistStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The only numbers to read. Defaults to all. */
  readonly numbers?: readonly string[] | null;
  readonly gate: CallGate;
  /** Fixes the service clock. By default, the clock is measured. */
  readonly configuredClock?: ServiceClock | null;
  /** Measured bounds on how far the service's clock runs ahead of `clock`. */
  readonly skewBounds?: () => SkewBounds | null;
  /** Whether this is the embedded sandbox, where `minPauseMs` does not apply. */
  readonly isSandbox?: () => boolean;
}

/** The observable state and its changes: parcels (through the log), polling, notices, and what survives a restart. */
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
  readonly #options: MonitorCoreOptions;
  readonly #storeProblems = new StoreProblems(this);
  #isLongRunning = false;
  /** The notice that is shown while the store is read-only, or null. */
  #readOnlyReason: string | null = null;
  #serviceProblems: Readonly<Record<'register' | 'query', PollingProblem | null>> = { register: null, query: null };

  constructor(options: MonitorCoreOptions) {
    const { clock, configuredClock = null, gate, numbers = null, random, store } = options;
    const { policy } = gate;
    this.#options = options;
    this.clock = clock;
    this.random = random;
    this.policy = policy;
    this.store = store;
    this.gate = gate;
    this.state = new Observable<MonitorState>({
      parcels: [],
      polling: initialPollingState,
      serviceClock: configuredClock ?? assumedServiceClock,
      checking: new Set(),
      notices: [],
      undoable: null,
      redoable: null,
    });
    this.changes = new ChangeFeed(store, (error) => this.reportProblem('changes-read', error));
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
        this.#storeProblems.showUnwritten(error, this.#isLongRunning);
        this.#showProblem();
      },
    });
    gate.listen({
      onMemory: (memory) => this.#showMemory(memory),
      onUsage: ({ today }) => this.changePolling({ queriesToday: today.queries }),
      onProblem: (source, error) => this.reportProblem(source, error),
    });
  }

  /** Loads the gate's persisted state and the watchlist. Throws a `StoreError`. */
  async load(): Promise<void> {
    await this.busy.during(async () => {
      await this.gate.load();
      await this.log.reload();
      this.#noteReadOnly();
      this.collectNotices();
    });
  }

  /** Switches all processes to a measured service clock. Returns false if a clock is configured, or this one is already in use. */
  async adoptMeasuredClock(measured: FixedServiceClock): Promise<boolean> {
    if (isDeepStrictEqual(this.state.get().serviceClock, measured) || this.#options.configuredClock != null)
      return false;
    this.change({ serviceClock: measured });
    await this.gate.memory.remember({ measuredOffsetMinutes: measured.offsetMinutes });
    return true;
  }

  /** How far the service's clock runs ahead of ours, in milliseconds. */
  get skewMs(): number {
    return this.gate.memory.current.skewMs;
  }

  /** Switches all processes to the measured clock difference. Returns false if it is already in use. */
  async adoptMeasuredSkew(): Promise<boolean> {
    const bounds = this.#options.skewBounds?.() ?? null;
    const skewMs = bounds === null ? this.skewMs : plannedSkew(this.skewMs, bounds);
    if (skewMs === this.skewMs) return false;
    await this.gate.memory.remember({ skewMs });
    return true;
  }

  #showMemory(memory: PollingMemoryData): void {
    this.changePolling({ paused: memory.paused });
    const serviceClock = this.#options.configuredClock ?? measuredClock(memory) ?? assumedServiceClock;
    if (!isDeepStrictEqual(serviceClock, this.state.get().serviceClock)) this.change({ serviceClock });
  }

  /** Throws a `StoreError` if the store is read-only. */
  throwIfReadOnly(): void {
    const readOnly = this.store.readOnly ?? null;
    if (readOnly !== null) throw new StoreError('read-only', readOnly, 'the watchlist');
  }

  /** Call this in long-running processes, where a failed write can still be retried. */
  markLongRunning(): void {
    this.#isLongRunning = true;
    this.#noteReadOnly();
  }

  planning(now: EpochMs = this.clock.now()): Planning {
    const { serviceClock } = this.state.get();
    const canRegister = this.gate.budget.resumesAt('register') === null;
    const policy = this.#options.isSandbox?.() === true ? { ...this.policy, minPauseMs: 0 } : this.policy;
    const lagMs = this.gate.memory.current.lag?.ms ?? 0;
    return { now, serviceClock, skewMs: this.skewMs, policy, chance: this.random(), canRegister, lagMs };
  }

  /** Returns the changed history. Throws a `StoreError`, which the caller must show. */
  async updateHistory(historyId: string, change: HistoryChange): Promise<ParcelHistory> {
    return await this.busy.during(() => this.store.updateHistory(historyId, change));
  }

  /** Like {@link updateHistory}, but returns a failure instead of throwing. The history then contains only this change. */
  async tryUpdateHistory(
    historyId: string,
    change: HistoryChange,
  ): Promise<{ readonly history: ParcelHistory; readonly failure: unknown }> {
    try {
      return { history: await this.updateHistory(historyId, change), failure: null };
    } catch (failure) {
      return { history: change(emptyHistory), failure };
    }
  }

  /** Deletes a history if its parcel was removed or replaced while it was being written. Failures are shown as notices. */
  async dropOrphan({ id }: Pick<Parcel, 'id'>, historyId: string): Promise<void> {
    const parcel = this.log.find(id);
    if (parcel !== null && historyIdOf(parcel) === historyId) return;
    await this.withFailureNotice(() => this.store.removeHistory(historyId)).catch(ignoreStoreError);
  }

  change(changes: Partial<MonitorState>): void {
    this.state.set({ ...this.state.get(), ...changes });
  }

  changePolling(changes: Partial<PollingState>): void {
    const { polling } = this.state.get();
    const changed = { ...polling, ...changes };
    const keys = Object.keys(changes) as (keyof PollingState)[];
    if (keys.some((key) => polling[key] !== changed[key])) this.change({ polling: changed });
  }

  /** Shows why registrations or queries fail; null means that they work. Any response clears an `unreachable` problem. */
  showServiceProblem(problem: PollingProblem | null, operation: 'register' | 'query'): void {
    const otherOperation = operation === 'register' ? 'query' : 'register';
    const otherProblem = this.#serviceProblems[otherOperation];
    const isReconnected = problem === null && otherProblem?.kind === 'unreachable';
    this.#serviceProblems = {
      ...this.#serviceProblems,
      [operation]: problem,
      [otherOperation]: isReconnected ? null : otherProblem,
    };
    this.#showProblem();
  }

  /** Shows what is on hold because the budget or credit ran out; null clears it. */
  showBudgetPause(budget: BudgetPause | null): void {
    if (budget?.message !== this.state.get().polling.budget?.message) this.changePolling({ budget });
  }

  /** See {@link StoreProblems.report}. */
  reportProblem(source: ProblemSource, error: unknown): void {
    this.#storeProblems.report(source, error);
  }

  notify(message: string): void {
    const { notices } = this.state.get();
    if (!notices.includes(message)) this.change({ notices: [...notices, message] });
  }

  withdraw(message: string): void {
    const { notices } = this.state.get();
    if (notices.includes(message)) this.change({ notices: notices.filter((notice) => notice !== message) });
  }

  collectNotices(): void {
    for (const notice of this.store.takeNotices()) this.notify(notice);
  }

  /** Changes parcels, but never rejects on a store error: the log reports it and retries later. */
  async tryChange(changes: ReadonlyMap<string, ParcelChange>): Promise<void> {
    await this.log.commitChanges(changes).catch(ignoreStoreError);
  }

  /** Writes pending changes. Like {@link tryChange}, never rejects on a store error. */
  async tryFlush(): Promise<void> {
    await this.log.flush().catch(ignoreStoreError);
  }

  /** Picks up watchlist changes made by other processes. Failures are shown as notices. */
  async follow(): Promise<void> {
    try {
      await this.busy.during(() => this.log.follow());
      this.#noteReadOnly();
      this.reportProblem('watchlist-read', null);
      // Flush now instead of waiting for the next retry.
      if (this.#storeProblems.endCutOff()) void this.busy.during(() => this.tryFlush());
    } catch (error) {
      this.reportProblem('watchlist-read', error);
    } finally {
      this.collectNotices();
    }
  }

  /** If `leads`, this process records changes made outside the program, by an editor or a sync tool. */
  async logEdits(leads: boolean): Promise<void> {
    try {
      const isWritten = await this.busy.during(() => this.store.logEdits(this.clock.now(), leads));
      if (isWritten !== null) this.reportProblem('changes-write', null);
      if (isWritten === true) await this.follow();
    } catch (error) {
      this.reportProblem('changes-write', error);
    }
  }

  /** Runs store work. If it fails, shows a notice and throws a `StoreError`. */
  async withFailureNotice<Result>(work: () => Promise<Result>): Promise<Result> {
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
    // In a command, the failed write reports this.
    if (!this.#isLongRunning || readOnly === this.#readOnlyReason) return;
    if (this.#readOnlyReason !== null) this.withdraw(this.#readOnlyReason);
    this.#readOnlyReason = readOnly;
    if (readOnly !== null) this.notify(readOnly);
  }

  #showProblem(): void {
    const { query, register } = this.#serviceProblems;
    this.changePolling({ problem: query ?? register ?? this.#storeProblems.problem });
  }
}
