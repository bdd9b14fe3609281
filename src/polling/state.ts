import { createSerialQueue } from '../lib/async.ts';
import type { CancelTimer, Clock, EpochMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { ParcelDifference } from '../parcels/parcel-list.ts';
import type { ServiceError, ServiceErrorKind } from '../service/errors.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { Company } from '../store/poll-lease.ts';
import type { WatchlistStore } from '../store/store.ts';

export type ChangeListener = (changes: readonly Change[]) => void;

/**
 * Reports each new line of the change log once and in order, from all processes. After a failed read, retries with the
 * next line.
 */
export class ChangeFeed {
  readonly #store: Pick<WatchlistStore, 'changeLogAfter'>;
  readonly #onTrouble: (error: unknown) => void;
  readonly #queue = createSerialQueue();
  readonly #listeners = new Set<ChangeListener>();
  #seq: number | null = null;

  constructor(store: Pick<WatchlistStore, 'changeLogAfter'>, onTrouble: (error: unknown) => void) {
    this.#store = store;
    this.#onTrouble = onTrouble;
  }

  get seq(): number {
    return this.#seq ?? 0;
  }

  /** Starts at this line, or reads up to it. Starts again if the log was restarted. */
  async advanceTo(seq: number): Promise<void> {
    if (this.#seq === null || seq < this.#seq) this.#seq = seq;
    if (seq === this.#seq) return;
    await this.#queue.run(async () => {
      const from = this.#seq ?? seq;
      if (seq <= from) return;
      try {
        const changes = await this.#store.changeLogAfter(from);
        this.#onTrouble(null);
        const [last] = changes.slice(-1);
        // The log may have been restarted in the meantime.
        if (last === undefined || from !== this.#seq) return;
        this.#seq = last.seq;
        for (const listener of this.#listeners) listener(changes);
      } catch (error) {
        this.#onTrouble(error);
      }
    });
  }

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** How long a notice that needs no action is shown, in milliseconds. */
const shownMs = 20_000;

interface NoticeBoard {
  readonly clock: Pick<Clock, 'setTimer'>;
  notify(notice: string): void;
  withdraw(notice: string): void;
}

/** Shows each notice for some seconds. */
export class BriefNotices {
  readonly #core: NoticeBoard;
  readonly #timers = new Map<string, CancelTimer>();

  constructor(core: NoticeBoard) {
    this.#core = core;
  }

  show(notice: string): void {
    this.#timers.get(notice)?.();
    this.#core.notify(notice);
    const leave = (): void => {
      this.#timers.delete(notice);
      this.#core.withdraw(notice);
    };
    this.#timers.set(notice, this.#core.clock.setTimer(shownMs, leave));
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}

/** Why we cannot use the service. */
export interface PollingProblem {
  readonly kind: ServiceErrorKind | 'store';
  /** A sentence that tells the user what to do next. */
  readonly message: string;
  readonly code: string | null;
  readonly traceId: string | null;
  /** True if only registrations fail and queries continue. */
  readonly isRegistering?: true;
}

/** Why due parcels wait: the user's own budget is used up, or the account's credit for registrations. */
export interface BudgetPause {
  /** Two sentences for the user: which budget is used up, what waits and until when, and what to do. */
  readonly message: string;
  /** A short form, for example `50 of 50 registrations used; 3 wait`. */
  readonly short: string;
  /** When checks resume automatically. */
  readonly resumesAt: EpochMs;
  /** How many parcels become due before that. */
  readonly waiting: number;
}

/** The state of polling to show. */
export interface PollingState {
  /**
   * `off`: never started (no key). `waiting`: sleeps until `nextPollAt`. `checking`: a request is running.
   * `backing-off`: the last request failed, and the retry is at `nextPollAt`. `stopped`: the user has to act (key,
   * quota), see `problem`.
   */
  readonly phase: 'off' | 'waiting' | 'checking' | 'backing-off' | 'stopped';
  /** When the next request is sent, or null if none is due. */
  readonly nextPollAt: EpochMs | null;
  /** When the service last responded successfully. */
  readonly lastResponseAt: EpochMs | null;
  /** Requests sent since the start of this run. */
  readonly callsSent: number;
  /** Queries of this UTC day, by all processes. */
  readonly queriesToday: number;
  /** True while the user has paused polling; a refresh still sends requests. */
  readonly paused: boolean;
  /** True while another process polls and this one shows its results. */
  readonly isFollowing: boolean;
  /** Who polls, and how many boards are open. Null while this is unknown, absent if there can be no other host. */
  readonly company?: Company | null;
  /** Null while the budget lasts. */
  readonly budget: BudgetPause | null;
  readonly problem: PollingProblem | null;
  /** When the watchlist's database became unreachable. Null if it is reachable or there is no database. */
  readonly cutOffSince: EpochMs | null;
  /** Why we cannot write, as a sentence that tells the user what to do, or null. */
  readonly readOnly: string | null;
}

/** The initial state. */
export const offPolling: PollingState = {
  phase: 'off',
  nextPollAt: null,
  lastResponseAt: null,
  callsSent: 0,
  queriesToday: 0,
  paused: false,
  isFollowing: false,
  budget: null,
  problem: null,
  cutOffSince: null,
  readOnly: null,
};

export interface RefreshOptions {
  readonly beyondBudget?: boolean;
  /** Aborts the current request and sends no other one. The failure is then a `CancelledError`. */
  readonly signal?: AbortSignal;
  readonly registersOnly?: boolean;
}

export type UndoableKind = 'add' | 'edit' | 'archive' | 'restore' | 'remove' | 'read';

export interface UndoStep {
  readonly kind: UndoableKind;
  readonly changes: () => readonly ParcelDifference[];
  /** Whether it cannot be redone, because it also changed data at the service. */
  readonly isFinal?: boolean;
}

export interface MonitorState {
  readonly parcels: readonly Parcel[];
  readonly polling: PollingState;
  readonly serviceClock: ServiceClock;
  /** Ids of the parcels in the current request. */
  readonly checking: ReadonlySet<string>;
  readonly notices: readonly string[];
  /** What `Monitor.undo` would undo, such as `removing Lamp`, or null. */
  readonly undoable: string | null;
  /** Description of what `Monitor.redo` would redo; null if there is nothing. */
  readonly redoable: string | null;
}

export interface UndoOutcome {
  /** For example `Lamp is back on the list.` */
  readonly message: string;
  readonly parcelIds: readonly string[];
}

/** Parcels of a check, by id. */
export interface AnsweredParcels {
  readonly answered: readonly string[];
  readonly changed: readonly string[];
  /** Rejected by the service, unknown to it, or the cause of a failed request. */
  readonly rejected: readonly string[];
}

export interface RefreshOutcome extends AnsweredParcels {
  /** A failed request, or the user's budget. Null if all parcels were checked. */
  readonly failure: ServiceError | null;
}
