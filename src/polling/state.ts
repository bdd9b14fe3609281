import { createSerialQueue } from '../lib/async.ts';
import type { CancelTimer, Clock, EpochMs } from '../lib/clock.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { ParcelDifference } from '../parcels/parcel-list.ts';
import type { ServiceError, ServiceErrorKind } from '../service/errors.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { ConnectedPrograms } from '../store/poll-lease.ts';
import type { WatchlistStore } from '../store/store.ts';

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

/** How long a notice is shown that requires no action, in milliseconds. */
const shownMs = 20_000;

interface NoticeBoard {
  readonly clock: Pick<Clock, 'setTimer'>;
  notify(notice: string): void;
  withdraw(notice: string): void;
}

/** Shows each notice for a few seconds. */
export class BriefNotices {
  readonly #core: NoticeBoard;
  readonly #timers = new Map<string, CancelTimer>();

  constructor(core: NoticeBoard) {
    this.#core = core;
  }

  show(notice: string): void {
    this.#timers.get(notice)?.();
    this.#core.notify(notice);
    const expire = (): void => {
      this.#timers.delete(notice);
      this.#core.withdraw(notice);
    };
    this.#timers.set(notice, this.#core.clock.setTimer(shownMs, expire));
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}

/** Why the service cannot be used, or why changes cannot be saved. */
export interface PollingProblem {
  readonly kind: ServiceErrorKind | 'store';
  /** A sentence that tells the user what to do next. */
  readonly message: string;
  readonly code: string | null;
  readonly traceId: string | null;
  /** True if only registrations fail and queries continue. */
  readonly isRegistering?: true;
}

/** Why due parcels are on hold: the user's budget or the account's credit has run out. */
export interface BudgetPause {
  /** Two sentences: which budget has run out, what is on hold and until when, and what to do. */
  readonly message: string;
  /** A short version, such as `50 of 50 registrations used; 3 wait`. */
  readonly short: string;
  /** When checks resume automatically. */
  readonly resumesAt: EpochMs;
  /** How many parcels become due before that. */
  readonly waiting: number;
}

/** The polling state that is shown to the user. */
export interface PollingState {
  /**
   * `off`: not started, for example without a key. `waiting`: until `nextPollAt`. `checking`: a request is in progress.
   * `backing-off`: the last request failed and is retried at `nextPollAt`. `stopped`: the user has to act (key or quota),
   * see `problem`.
   */
  readonly phase: 'off' | 'waiting' | 'checking' | 'backing-off' | 'stopped';
  /** When the next request is sent, or null if none is due. */
  readonly nextPollAt: EpochMs | null;
  /** When the service last responded successfully. */
  readonly lastResponseAt: EpochMs | null;
  /** Requests that this process has sent. */
  readonly callsSent: number;
  /** Queries on this UTC day, by all processes. */
  readonly queriesToday: number;
  /** True while the user has paused polling; a refresh still sends requests. */
  readonly paused: boolean;
  /** True while another process polls and this one shows its results. */
  readonly isFollowing: boolean;
  /** Who polls, and how many boards are open. Null while unknown. Absent if the list is not shared between hosts. */
  readonly connectedPrograms?: ConnectedPrograms | null;
  /** Null if nothing is on hold. */
  readonly budget: BudgetPause | null;
  readonly problem: PollingProblem | null;
  /** When the database became unreachable. Null if it is reachable, or if there is no database. */
  readonly cutOffSince: EpochMs | null;
  /** Why changes can't be saved, as a sentence that tells the user what to do, or null if they can. */
  readonly readOnly: string | null;
}

export const initialPollingState: PollingState = {
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
  /** Aborts the current request, and prevents any further ones. The failure is then a `CancelledError`. */
  readonly signal?: AbortSignal;
  readonly registersOnly?: boolean;
}

export type UndoableKind = 'add' | 'edit' | 'archive' | 'restore' | 'remove' | 'read';

export interface UndoStep {
  readonly kind: UndoableKind;
  readonly changes: () => readonly ParcelDifference[];
  /** Whether the step cannot be redone after an undo, because it also changed data at the service. */
  readonly isFinal?: boolean;
}

export interface MonitorState {
  readonly parcels: readonly Parcel[];
  readonly polling: PollingState;
  readonly serviceClock: ServiceClock;
  /** Ids of the parcels that are being checked. */
  readonly checking: ReadonlySet<string>;
  readonly notices: readonly string[];
  /** What `Monitor.undo` would undo, such as `removing Lamp`, or null. */
  readonly undoable: string | null;
  /** What `Monitor.redo` would redo, or null. */
  readonly redoable: string | null;
}

export interface UndoOutcome {
  /** For example `Lamp is back on the list.` */
  readonly message: string;
  readonly parcelIds: readonly string[];
}

/** The results of a check, as parcel ids. */
export interface AnsweredParcels {
  readonly answered: readonly string[];
  readonly changed: readonly string[];
  /** Parcels that the service rejected, or that made a request fail. */
  readonly rejected: readonly string[];
}

export interface RefreshOutcome extends AnsweredParcels {
  /** A failed request, or a budget that has run out. Null if all parcels were checked. */
  readonly failure: ServiceError | null;
}
