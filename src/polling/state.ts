import { createSerialQueue } from '../lib/async.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { AddedParcel } from '../parcels/add-parcels.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';
import type { NewParcel, ParcelEdit } from '../parcels/parcel-factory.ts';
import type { ParcelDifference } from '../parcels/parcel-list.ts';
import type { ServiceError, ServiceErrorKind } from '../service/errors.ts';
import type { InstantResponse, TrackingRecord } from '../service/record.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { Company } from '../store/poll-lease.ts';
import type { WatchlistStore } from '../store/store.ts';
import type { CallCost } from './gate/call-rules.ts';

export type ChangeListener = (changes: readonly Change[]) => void;

/**
 * Reports each new line of the change log once and in order, from all processes. Retries failed reads with the next
 * line.
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

  /** Starts at this line, or reads up to it. Starts again if the log has started again. */
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
        // The log may have started again in the meantime.
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

/** Why we cannot use the service. */
export interface PollingProblem {
  readonly kind: ServiceErrorKind | 'store';
  /** A sentence for the user with what to do next. */
  readonly message: string;
  readonly code: string | null;
  readonly traceId: string | null;
  /** True if only registrations fail: queries continue. */
  readonly isRegistering?: true;
}

/** Why due parcels wait: the user's own budget is used up, or the account's credit for registrations. */
export interface BudgetPause {
  /** Two sentences for the user: which budget is used up, what waits and until when; what to do. */
  readonly message: string;
  /** A short form, e.g. `50 of 50 registrations used; 3 wait`. */
  readonly short: string;
  /** When checks resume automatically. */
  readonly resumesAt: EpochMs;
  /** How many parcels come due before that. */
  readonly waiting: number;
}

/** The state of polling, to show. */
export interface PollingState {
  /**
   * `off`: never started (no key). `waiting`: sleeps until `nextPollAt`. `checking`: a request is running.
   * `backing-off`: the last request failed, retry at `nextPollAt`. `stopped`: needs the user (key, quota), see
   * `problem`.
   */
  readonly phase: 'off' | 'waiting' | 'checking' | 'backing-off' | 'stopped';
  /** When the next request goes out; null if none is due. */
  readonly nextPollAt: EpochMs | null;
  /** When the service last answered successfully. */
  readonly lastResponseAt: EpochMs | null;
  /** Requests sent since the start of this run. */
  readonly callsSent: number;
  /** Queries of this UTC day, by all processes. */
  readonly queriesToday: number;
  /** True while the user has paused polling; a refresh still sends requests. */
  readonly paused: boolean;
  /** True while another process polls and this one shows its results. */
  readonly isFollowing: boolean;
  /** Who polls, and how many boards are open; null while this is unknown, absent if there can be no other host. */
  readonly company?: Company | null;
  /** Null while the budget lasts. */
  readonly budget: BudgetPause | null;
  readonly problem: PollingProblem | null;
  /**
   * The time at which the database of the watchlist became unreachable; null if it is reachable or there is no
   * database.
   */
  readonly cutOffSince: EpochMs | null;
  /** Why we cannot write, as a sentence with what to do; null if we can. */
  readonly readOnly: string | null;
}

/** The state of polling that was never started. */
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
  /** Ends the current request and sends no other one; the failure is then a `CancelledError`. */
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
  /** What {@link Monitor.undo} would undo, e.g. `removing Lamp`; null if there is nothing. */
  readonly undoable: string | null;
  /** Description of what {@link Monitor.redo} would redo; null if there is nothing. */
  readonly redoable: string | null;
}

export interface UndoOutcome {
  /** E.g. `Lamp is back on the list.` */
  readonly message: string;
  readonly parcelIds: readonly string[];
}

export type AddOutcome = AddedParcel;

/** Parcels of a check, by id. */
export interface AnsweredParcels {
  readonly answered: readonly string[];
  readonly changed: readonly string[];
  /** Rejected by the service, unknown to it, or the cause of a failed request. */
  readonly rejected: readonly string[];
}

export interface RefreshOutcome extends AnsweredParcels {
  /** A failed request, or the user's budget; null if all parcels were checked. */
  readonly failure: ServiceError | null;
}

/** The core without any screen. Methods that write throw a `StoreError`. */
export interface Monitor {
  getState(): MonitorState;
  subscribe(listener: () => void): () => void;

  load(): Promise<void>;
  /** Polls when parcels are due, until {@link stop}. Without a service (no API key) it only follows the watchlist. */
  start(): void;
  /** Waits for writes until `giveUp` is aborted. Throws a `StoreError` that lists unsaved changes of the user. */
  stop(giveUp?: AbortSignal): Promise<void>;
  /** Null if everything is written. `entered` lists what the user entered; null if that is written. */
  unwritten(): { readonly entered: string | null } | null;
  whenIdle(): Promise<void>;

  add(parcel: NewParcel): Promise<AddOutcome>;
  addAll(parcels: readonly NewParcel[]): Promise<readonly AddOutcome[]>;
  /** Starts to watch numbers of the account without registering them. Returns the new parcels. */
  takeOver(records: readonly TrackingRecord[]): Promise<readonly Parcel[]>;
  edit(parcelId: string, edit: ParcelEdit): Promise<Parcel>;
  archive(parcelId: string): Promise<void>;
  restore(parcelId: string): Promise<void>;
  /** Edits several parcels in one write. Skips missing ones. */
  editAll(parcelIds: readonly string[], edit: ParcelEdit): Promise<void>;
  archiveAll(parcelIds: readonly string[]): Promise<void>;
  restoreAll(parcelIds: readonly string[]): Promise<void>;
  /** @param until null for until a parcel moves, `now` to wake it */
  snoozeAll(parcelIds: readonly string[], until: EpochMs | 'now' | null): Promise<void>;
  /** Moves a parcel to the trash for 30 days. `deletedAtService`: undo registers it again. */
  remove(parcelId: string, options?: { readonly deletedAtService?: boolean }): Promise<void>;
  together<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Undoes the last step of this run, including histories; returns null without one. News and later changes stay. */
  undo(): Promise<UndoOutcome | null>;
  /** Redoes the last {@link undo}, unless something else has changed since; null if there is nothing to redo. */
  redo(): Promise<UndoOutcome | null>;
  /** Descriptions of the steps for undo and redo, the next one first. */
  undoList(): Readonly<Record<'redo' | 'undo', readonly string[]>>;
  undoSteps(): readonly (readonly UndoStep[])[];
  continueUndo(steps: readonly (readonly UndoStep[])[]): void;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Checks parcels now, and registers pending and rejected ones. Throws a `StoreError`; other failures are in the
   * outcome.
   */
  refresh(parcelIds: readonly string[], options?: RefreshOptions): Promise<RefreshOutcome>;
  refreshDue(options?: RefreshOptions): Promise<RefreshOutcome>;
  /**
   * Looks up a parcel live, which costs a registration. Null without a service or such a parcel. Throws as
   * `CallGate.call`, and a `StoreError`.
   */
  lookUp(
    parcelId: string,
    options?: Pick<RefreshOptions, 'signal'> & { readonly onAdmitted?: () => void },
  ): Promise<InstantResponse | null>;
  costOf(parcelIds: readonly string[] | 'due'): CallCost;
  /** Returns how many registrations the user's budget leaves this month; null without a budget. */
  registrationsLeft(): number | null;
  /** Saves a pushed record. Never resets a parcel to an older one, and never restores an archived parcel. */
  receive(record: TrackingRecord, sentAt?: EpochMs | null): Promise<'stored' | 'unknown'>;
  history(parcelId: string): Promise<ParcelHistory>;
  /** Returns the lines of the change log after a number, oldest first. Throws a `StoreError`. */
  changesAfter(seq: number): Promise<readonly Change[]>;
  changeSeq(): number;
  /**
   * Calls the listener with each new line of the change log, once and in order, from all processes. Returns a function
   * to stop.
   */
  onChanges(listener: ChangeListener): () => void;
  /** `undoable` makes it a step for {@link Monitor.undo}. Only then it throws a `StoreError`. */
  markRead(parcelIds: readonly string[], options?: { readonly undoable?: boolean }): Promise<void>;
  notify(notice: string, inPlaceOf?: string | null): void;
  /** Shows a notice for some seconds. */
  notifyBriefly(notice: string, inPlaceOf?: string | null): void;
  withdrawNotice(notice: string): void;
  dismissNotice(): void;
}
