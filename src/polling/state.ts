import { createSerialQueue } from '../lib/async.ts';
import type { EpochMs } from '../lib/clock.ts';
import type { AddedParcel } from '../parcels/add-parcels.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';
import type { NewParcel, ParcelEdit } from '../parcels/parcel-factory.ts';
import type { ParcelDifference } from '../parcels/parcel-list.ts';
import type { ServiceError } from '../service/errors.ts';
import type { InstantAnswer, TrackingRecord } from '../service/record.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { PollingState } from '../store/polling-state.ts';
import type { WatchlistStore } from '../store/store.ts';
import type { CallCost } from './gate/call-rules.ts';

/** Called with new lines of the change log, oldest first; never with none. */
export type ChangeListener = (changes: readonly Change[]) => void;

/**
 * Hands on each line of the change log that is written from now on, once and in order, whichever process wrote it. A line
 * that cannot be read comes with the next one.
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

  /** The newest line that was handed on, or was there at the beginning; 0 before the beginning. */
  get seq(): number {
    return this.#seq ?? 0;
  }

  /** Begins at this line, or reads up to it; a log that was begun anew is followed from there. */
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
        // Another one may have begun anew meanwhile.
        if (last === undefined || from !== this.#seq) return;
        this.#seq = last.seq;
        for (const listener of this.#listeners) listener(changes);
      } catch (error) {
        this.#onTrouble(error);
      }
    });
  }

  /** Listens from now on; answers how to stop. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** How a refresh by the user is done. */
export interface RefreshOptions {
  /** True to call although the budget is used up. */
  readonly beyondBudget?: boolean;
  /** Aborted, it ends the call under way, and no other one follows: the outcome's failure is a `CancelledError`. */
  readonly signal?: AbortSignal;
  /** True to register what is not registered, and to query nothing. */
  readonly registersOnly?: boolean;
}

/** What a user does to parcels. */
export type UndoableKind = 'add' | 'edit' | 'archive' | 'restore' | 'remove' | 'read';

/** One thing that the user did. */
export interface UndoStep {
  readonly kind: UndoableKind;
  /** What it did to the newest watchlist; settled once it is written. */
  readonly changes: () => readonly ParcelDifference[];
}

/** Everything that the board and the commands read: one immutable snapshot. */
export interface MonitorState {
  readonly parcels: readonly Parcel[];
  readonly polling: PollingState;
  readonly serviceClock: ServiceClock;
  /** Ids of the parcels of the call under way. */
  readonly checking: ReadonlySet<string>;
  /** Messages for the user that are not tied to a parcel (a damaged file moved aside, a write that failed), oldest first. */
  readonly notices: readonly string[];
  /** What {@link Monitor.undo} would take back, e.g. `removing Lamp`; null when there is nothing. */
  readonly undoable: string | null;
}

/** What was taken back. */
export interface UndoOutcome {
  /** How things are now, as a sentence, e.g. `Lamp is watched again.` */
  readonly message: string;
  /** Ids of the parcels to go to: those concerned that are watched now; none where only marks of unread changes came back. */
  readonly parcelIds: readonly string[];
}

/**
 * What came of adding a number: `duplicate` is watched already under the same courier, or under some courier when none was
 * named; `restored` was archived; `retried` had been rejected by the service, and is tried again as it is named now.
 */
export type AddOutcome = AddedParcel;

/** How a parcel is removed. */
interface RemoveOptions {
  /** True when the service holds the number no more: undone, it is registered again before it is queried. */
  readonly deletedAtService?: boolean;
}

/** How parcels are marked as read. */
interface ReadOptions {
  /** True when the user does it, so that it is a step for {@link Monitor.undo}; reading that happens by itself is none. */
  readonly undoable?: boolean;
}

/** How a live look-up is made. */
interface LookUpOptions {
  readonly signal?: AbortSignal;
  /** Called when it is about to be sent. */
  readonly onAdmitted?: () => void;
}

/** What a refresh did. */
export interface RefreshOutcome {
  /** Ids of parcels that got a good answer. */
  readonly answered: readonly string[];
  /** Ids of parcels whose record changed. */
  readonly changed: readonly string[];
  /** Ids of parcels that the service rejected or does not know, or that make a call fail. */
  readonly rejected: readonly string[];
  /** Why not all of it was done: a call that failed, or the user's budget; null when all was. */
  readonly failure: ServiceError | null;
}

/** What the store does not hold yet. */
interface Unwritten {
  /** What of it the user entered, e.g. `added RB1CN; removed RB2CN`; null when the service can give it all again. */
  readonly entered: string | null;
}

/**
 * The core: watchlist, polling and their state, without any screen. The board and the commands drive it.
 * Methods that write reject with a `StoreError`.
 */
export interface Monitor {
  /** The newest snapshot; the same object until something changes. */
  getState(): MonitorState;
  /** Calls the listener after each change; answers how to stop. */
  subscribe(listener: () => void): () => void;

  /** Reads the watchlist. To be called first. */
  load(): Promise<void>;
  /** Begins to poll when parcels are due, and stays open until {@link stop}. Without a service (no key) it does nothing. */
  start(): void;
  /**
   * Stops polling, ends the call under way, waits for writes until `giveUp` is aborted. Rejects with a `StoreError` when
   * not everything could be written; it names what the user had entered.
   */
  stop(giveUp?: AbortSignal): Promise<void>;
  /** What the store does not hold yet; null when it holds all. */
  unwritten(): Unwritten | null;
  /** Resolves when no call and no write is under way. */
  whenIdle(): Promise<void>;

  add(parcel: NewParcel): Promise<AddOutcome>;
  /** As {@link add}, of several in one write: the outcomes in their order. */
  addAll(parcels: readonly NewParcel[]): Promise<readonly AddOutcome[]>;
  /**
   * Watches numbers that the account holds already, with these records and their histories: nothing is registered. Answers
   * the new parcels; what is watched under the same courier stays as it is.
   */
  takeOver(records: readonly TrackingRecord[]): Promise<readonly Parcel[]>;
  edit(parcelId: string, edit: ParcelEdit): Promise<Parcel>;
  archive(parcelId: string): Promise<void>;
  restore(parcelId: string): Promise<void>;
  /** As {@link edit}, of several in one write; those that are gone are left out. So do the two below. */
  editAll(parcelIds: readonly string[], edit: ParcelEdit): Promise<void>;
  archiveAll(parcelIds: readonly string[]): Promise<void>;
  restoreAll(parcelIds: readonly string[]): Promise<void>;
  /** Stops watching; the parcel waits in the trash with its history for 30 days. */
  remove(parcelId: string, options?: RemoveOptions): Promise<void>;
  /** Lets all that `work` adds, edits, archives, restores, removes and marks count as one step for {@link Monitor.undo}. */
  together<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Takes back what was added, edited, archived, restored, removed or marked as read last in this run, histories included;
   * null when there is nothing. News of the service and changes by others stay.
   */
  undo(): Promise<UndoOutcome | null>;
  /** What {@link Monitor.undo} can take back, for the monitor that takes this one's place. */
  undoSteps(): readonly (readonly UndoStep[])[];
  /** Can take back what was done to the same watchlist through a monitor that has ended. */
  goOnUndoing(steps: readonly (readonly UndoStep[])[]): void;
  /** Pauses the polling until {@link resume}, over restarts and in all processes. */
  pause(): Promise<void>;
  /** Takes a pause back; what came due meanwhile is polled at once, in batches. */
  resume(): Promise<void>;
  /**
   * Checks these parcels now, due or not; registers those that are pending or rejected. A failure of registrations stops
   * no query, nor the reverse; it is part of the outcome. Rejects with a `StoreError`.
   */
  refresh(parcelIds: readonly string[], options?: RefreshOptions): Promise<RefreshOutcome>;
  /** Checks now all that are due or have no record yet; archived ones are left alone. See {@link refresh}. */
  refreshDue(options?: RefreshOptions): Promise<RefreshOutcome>;
  /**
   * Looks a parcel up at its courier now, which costs as much as a registration, and merges what comes; the next check stays
   * as planned. Null when there is no service or no such parcel. Rejects as a call through the gate, and with a `StoreError`.
   */
  lookUp(parcelId: string, options?: LookUpOptions): Promise<InstantAnswer | null>;
  /** What {@link refresh} of these parcels, or {@link refreshDue}, would take now. */
  costOf(parcelIds: readonly string[] | 'due'): CallCost;
  /** How many registrations the user's budget leaves this month, over all processes; null without such a budget. */
  registrationsLeft(): number | null;
  /**
   * Takes a record that the service has pushed, and sent at `sentAt`, if it said so. Resolves when it is stored; `unknown` when it is about no parcel of the
   * watchlist, which a notice says. Never sets a parcel back to an older record, and never wakes an archived one.
   */
  receive(record: TrackingRecord, sentAt?: EpochMs | null): Promise<'stored' | 'unknown'>;
  history(parcelId: string): Promise<ParcelHistory>;
  /** The lines of the change log after a number, oldest first. Rejects with a `StoreError`. */
  changesAfter(seq: number): Promise<readonly Change[]>;
  /** The newest line of the change log that listeners were given, or that was there when the watchlist was loaded. */
  changeSeq(): number;
  /**
   * Calls the listener with each line of the change log that is written from now on, once and in order, whichever process
   * wrote it; answers how to stop.
   */
  onChanges(listener: ChangeListener): () => void;
  /** Takes the marks of unread changes off parcels, on all boards. Rejects with a `StoreError` only where it is undoable. */
  markRead(parcelIds: readonly string[], options?: ReadOptions): Promise<void>;
  /** Adds a notice; `inPlaceOf` names the earlier one that it brings up to date, if that is still there. */
  notify(notice: string, inPlaceOf?: string | null): void;
  /** As `notify`, for what nobody has to do anything about: it leaves by itself after some seconds. */
  notifyBriefly(notice: string, inPlaceOf?: string | null): void;
  /** Takes a notice off the state that is true no more. */
  withdrawNotice(notice: string): void;
  /** Takes the oldest notice off the state. */
  dismissNotice(): void;
}
