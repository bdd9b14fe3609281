import type { Clock } from '../../service/clock/clock.ts';
import { assumedServiceClock, type ServiceClock } from '../../service/clock/service-clock.ts';
import { StoreError, toStoreError } from '../../watchlist/errors.ts';
import { createSerialQueue } from '../../watchlist/files/serial-queue.ts';
import type { ParcelChange } from '../../watchlist/model/change-parcels.ts';
import {
  emptyPollingMemory,
  measuredClock,
  type PollingMemory,
  type PollingMemoryData,
} from '../../watchlist/state/polling-memory.ts';
import type { WatchlistStore } from '../../watchlist/store/store.ts';
import type { PollingPolicy } from '../schedule/policy.ts';
import { type BusyCounter, createBusyCounter } from './busy.ts';
import { createObservable, type Observable } from './observable.ts';
import type { BudgetPause, MonitorState, PollingProblem, PollingState } from './state.ts';
import { WatchlistLog } from './watchlist-log.ts';

const calm = { queriesToday: 0, paused: false, isFollowing: false, budget: null, problem: null } as const;

/** What may fail again and again beside the writing of the watchlist, and how it is called where the system names no file. */
const troubleSources = {
  'watchlist-read': 'the watchlist',
  'history-write': 'the history',
  'memory-read': 'the polling memory',
  'memory-write': 'the polling memory',
  'meter-read': 'the query meter',
  'meter-write': 'the query meter',
  lease: 'the polling lease',
} as const;

/** Where a trouble comes from. */
export type TroubleSource = keyof typeof troubleSources;

/** What the core runs on. */
export interface MonitorCoreOptions {
  readonly store: WatchlistStore;
  readonly clock: Clock;
  readonly memory: PollingMemory;
  /** Fixes the service clock; null lets it be measured. */
  readonly configuredClock: ServiceClock | null;
  readonly policy: PollingPolicy;
}

/**
 * The one observable state and the changes that everybody makes to it: parcels (through the log), polling, notices,
 * what is remembered over a restart.
 */
export class MonitorCore {
  readonly clock: Clock;
  readonly policy: PollingPolicy;
  readonly store: WatchlistStore;
  readonly busy: BusyCounter = createBusyCounter();
  readonly log: WatchlistLog;
  readonly state: Observable<MonitorState>;
  readonly #memory: PollingMemory;
  readonly #memoryQueue = createSerialQueue();
  readonly #configuredClock: ServiceClock | null;
  #remembered: PollingMemoryData = emptyPollingMemory;
  /** What could not be written; it is in force all the same. */
  #unwritten: Partial<PollingMemoryData> = {};
  readonly #troubles = new Map<TroubleSource, StoreError>();
  #serviceProblem: PollingProblem | null = null;
  #storeProblem: PollingProblem | null = null;

  constructor({ store, clock, memory, configuredClock, policy }: MonitorCoreOptions) {
    this.clock = clock;
    this.policy = policy;
    this.store = store;
    this.#memory = memory;
    this.#configuredClock = configuredClock;
    this.state = createObservable<MonitorState>({
      parcels: [],
      polling: { phase: 'off', nextPollAt: null, lastAnswerAt: null, callsSent: 0, ...calm },
      serviceClock: configuredClock ?? assumedServiceClock,
      asking: new Set(),
      notices: [],
      undoable: null,
    });
    this.log = new WatchlistLog({
      store,
      clock,
      policy,
      busy: this.busy,
      onParcels: (parcels) => {
        this.change({ parcels });
        this.collectNotices();
      },
      onProblem: (error) => this.#tellStoreProblem(error),
    });
  }

  /** Reads memory and watchlist. Rejects with a `StoreError`. */
  async load(): Promise<void> {
    await this.busy.during(async () => {
      await this.recall();
      await this.log.reload();
      this.collectNotices();
    });
  }

  /**
   * Reads what survives a restart, and what other processes have kept; writes what could not be written before. A failure
   * to do so is told, and costs no more than that.
   */
  async recall(): Promise<void> {
    if (Object.keys(this.#unwritten).length > 0) {
      await this.remember({});
      return;
    }
    try {
      this.#adopt(await this.#inTurn(() => this.#memory.load()));
      this.tellTrouble('memory-read', null);
    } catch (error) {
      this.tellTrouble('memory-read', error);
    }
  }

  /** Whether the service clock may be replaced by a measurement. */
  get measuresClock(): boolean {
    return this.#configuredClock === null;
  }

  /** What survives a restart. */
  get remembered(): PollingMemoryData {
    return this.#remembered;
  }

  /** Remembers something over a restart; a failure to do so is told, and costs no more than that. */
  async remember(changes: Partial<PollingMemoryData>): Promise<void> {
    this.#unwritten = { ...this.#unwritten, ...changes };
    const taken = this.#unwritten;
    this.#adopt(this.#remembered);
    try {
      const kept = await this.#inTurn(() => this.#memory.update(taken));
      if (this.#unwritten === taken) this.#unwritten = {};
      this.#adopt(kept);
      this.tellTrouble('memory-write', null);
    } catch (error) {
      this.tellTrouble('memory-write', error);
    }
  }

  /** One after the other: what was read before a write must not be taken over after it. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.busy.during(() => this.#memoryQueue.run(work));
  }

  #adopt(kept: PollingMemoryData): void {
    this.#remembered = { ...kept, ...this.#unwritten };
    this.changePolling({ paused: this.#remembered.paused });
    const serviceClock = this.#configuredClock ?? measuredClock(this.#remembered) ?? assumedServiceClock;
    const { offsetMinutes, source } = this.state.get().serviceClock;
    if (serviceClock.offsetMinutes !== offsetMinutes || serviceClock.source !== source) this.change({ serviceClock });
  }

  /** Changes the state. */
  change(changes: Partial<MonitorState>): void {
    this.state.set({ ...this.state.get(), ...changes });
  }

  /** Changes how the asking stands; does nothing when that is how it stands. */
  changePolling(changes: Partial<PollingState>): void {
    const { polling } = this.state.get();
    const changed = { ...polling, ...changes };
    const keys = Object.keys(changes) as (keyof PollingState)[];
    if (keys.some((key) => polling[key] !== changed[key])) this.change({ polling: changed });
  }

  /** Tells what stands between us and the service; null when nothing does any more. */
  tellServiceProblem(problem: PollingProblem | null): void {
    this.#serviceProblem = problem;
    this.#showProblem();
  }

  /** Tells what waits because the budget is used up; null when nothing does. */
  tellBudget(budget: BudgetPause | null): void {
    if (budget?.message !== this.state.get().polling.budget?.message) this.changePolling({ budget });
  }

  /**
   * Tells a trouble that is met again and again: once, however long it lasts, however many files it concerns and whether
   * or not the user has taken note, and takes it back with null when it is over.
   */
  tellTrouble(source: TroubleSource, error: unknown): void {
    const trouble = error === null ? null : toStoreError(error, troubleSources[source]);
    const told = this.#troubles.get(source) ?? null;
    if (trouble?.kind === told?.kind) return;
    if (told !== null) this.unnotify(told.message);
    if (trouble === null) this.#troubles.delete(source);
    else this.#troubles.set(source, trouble);
    if (trouble !== null) this.notify(trouble.message);
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
    for (const { message } of this.store.takeNotices()) this.notify(message);
  }

  /** Changes parcels for nobody who waits: while the store fails, the log tells it, keeps the changes and writes them later. */
  async changeTolerantly(changes: ReadonlyMap<string, ParcelChange>): Promise<void> {
    try {
      await this.log.commitChanges(changes);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /** Takes over what others have written to the watchlist; a failure to do so is told, and costs no more than that. */
  async follow(): Promise<void> {
    try {
      await this.busy.during(() => this.log.follow());
      this.tellTrouble('watchlist-read', null);
    } catch (error) {
      this.tellTrouble('watchlist-read', error);
    } finally {
      this.collectNotices();
    }
  }

  /** Runs a piece of work on the store whose failure is told but stops nothing; answers null then. */
  async tolerantly<Result>(work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await this.busy.during(work);
    } catch (error) {
      const { message } = toStoreError(error, 'the watchlist');
      this.notify(message);
      return null;
    } finally {
      this.collectNotices();
    }
  }

  #tellStoreProblem(error: StoreError | null): void {
    const told = this.#storeProblem;
    if (error === null) {
      this.#storeProblem = null;
    } else {
      const message = `${error.message} Changes are kept until they can be written; do not quit before that.`;
      this.#storeProblem = {
        kind: 'store',
        message,
        code: null,
        traceId: null,
        since: told?.since ?? this.clock.now(),
      };
    }
    const message = this.#storeProblem?.message ?? null;
    if (told !== null && told.message !== message) this.unnotify(told.message);
    if (message !== null && told?.message !== message) this.notify(message);
    this.#showProblem();
  }

  #showProblem(): void {
    this.changePolling({ problem: this.#serviceProblem ?? this.#storeProblem });
  }
}
