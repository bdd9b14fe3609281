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

export type ChangeListener = (changes: readonly Change[]) => void;

/**
 * Passes on each new line of the change log once and in order, from all processes. A line that cannot be read comes
 * with the next one.
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
        // Another reading may have begun anew.
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

export interface RefreshOptions {
  readonly beyondBudget?: boolean;
  /** Aborted, it ends the call under way, and no other one follows: the outcome's failure is a `CancelledError`. */
  readonly signal?: AbortSignal;
  readonly registersOnly?: boolean;
}

export type UndoableKind = 'add' | 'edit' | 'archive' | 'restore' | 'remove' | 'read';

export interface UndoStep {
  readonly kind: UndoableKind;
  readonly changes: () => readonly ParcelDifference[];
}

export interface MonitorState {
  readonly parcels: readonly Parcel[];
  readonly polling: PollingState;
  readonly serviceClock: ServiceClock;
  /** Ids of the parcels of the call under way. */
  readonly checking: ReadonlySet<string>;
  readonly notices: readonly string[];
  /** What {@link Monitor.undo} would take back, e.g. `removing Lamp`; null when there is nothing. */
  readonly undoable: string | null;
}

export interface UndoOutcome {
  /** How things are now, as a sentence, e.g. `Lamp is watched again.` */
  readonly message: string;
  readonly parcelIds: readonly string[];
}

/**
 * `duplicate`: already watched under the same courier, or under any when none was named; `retried`: was rejected
 * before.
 */
export type AddOutcome = AddedParcel;

export interface RefreshOutcome {
  readonly answered: readonly string[];
  readonly changed: readonly string[];
  /** Ids of parcels that the service rejected or does not know, or that make a call fail. */
  readonly rejected: readonly string[];
  /** Why not all of it was done: a call that failed, or the user's budget; null when all was. */
  readonly failure: ServiceError | null;
}

/** The core without any screen. Methods that write throw a `StoreError`. */
export interface Monitor {
  getState(): MonitorState;
  subscribe(listener: () => void): () => void;

  load(): Promise<void>;
  /** Begins to poll when parcels are due, and stays open until {@link stop}. Without a service (no key) it does nothing. */
  start(): void;
  /**
   * Waits for writes until `giveUp` is aborted. Throws a `StoreError` that names what the user had entered and could
   * not be written.
   */
  stop(giveUp?: AbortSignal): Promise<void>;
  /** `entered`: what of the unwritten changes the user entered, null for none; null in all when everything is written. */
  unwritten(): { readonly entered: string | null } | null;
  whenIdle(): Promise<void>;

  add(parcel: NewParcel): Promise<AddOutcome>;
  addAll(parcels: readonly NewParcel[]): Promise<readonly AddOutcome[]>;
  /** Watches numbers that the account already has; nothing is registered. Returns the new parcels. */
  takeOver(records: readonly TrackingRecord[]): Promise<readonly Parcel[]>;
  edit(parcelId: string, edit: ParcelEdit): Promise<Parcel>;
  archive(parcelId: string): Promise<void>;
  restore(parcelId: string): Promise<void>;
  /** As {@link edit}, of several in one write; those that are gone are left out. So do the two below. */
  editAll(parcelIds: readonly string[], edit: ParcelEdit): Promise<void>;
  archiveAll(parcelIds: readonly string[]): Promise<void>;
  restoreAll(parcelIds: readonly string[]): Promise<void>;
  /**
   * Stops watching; the parcel waits in the trash with its history for 30 days. `deletedAtService`: undone, it is
   * registered again before it is queried.
   */
  remove(parcelId: string, options?: { readonly deletedAtService?: boolean }): Promise<void>;
  together<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Takes back the last step of this run, histories included; null when there is none. News and changes by others stay.
   */
  undo(): Promise<UndoOutcome | null>;
  undoSteps(): readonly (readonly UndoStep[])[];
  goOnUndoing(steps: readonly (readonly UndoStep[])[]): void;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Checks parcels now, due or not, and registers pending and rejected ones. A failure of the service is in the
   * outcome. Throws a `StoreError`.
   */
  refresh(parcelIds: readonly string[], options?: RefreshOptions): Promise<RefreshOutcome>;
  refreshDue(options?: RefreshOptions): Promise<RefreshOutcome>;
  /**
   * Costs as much as a registration; the next check stays as planned. Null without a service or such a parcel. Throws
   * as a call through the gate, and a `StoreError`.
   */
  lookUp(
    parcelId: string,
    options?: Pick<RefreshOptions, 'signal'> & { readonly onAdmitted?: () => void },
  ): Promise<InstantAnswer | null>;
  costOf(parcelIds: readonly string[] | 'due'): CallCost;
  /** How many registrations the user's budget leaves this month, over all processes; null without such a budget. */
  registrationsLeft(): number | null;
  /**
   * `sentAt`: when the service says that it sent it. Resolves when stored. Never sets a parcel back, never wakes an
   * archived one.
   */
  receive(record: TrackingRecord, sentAt?: EpochMs | null): Promise<'stored' | 'unknown'>;
  history(parcelId: string): Promise<ParcelHistory>;
  /** The lines of the change log after a number, oldest first. Rejects with a `StoreError`. */
  changesAfter(seq: number): Promise<readonly Change[]>;
  changeSeq(): number;
  /** Each new line of the change log once and in order, from all processes. Returns how to stop. */
  onChanges(listener: ChangeListener): () => void;
  /** On all boards. `undoable`: the user does it, as a step for {@link Monitor.undo}; only then it throws a `StoreError`. */
  markRead(parcelIds: readonly string[], options?: { readonly undoable?: boolean }): Promise<void>;
  notify(notice: string, inPlaceOf?: string | null): void;
  /** As `notify`, for what needs no action: it leaves after some seconds. */
  notifyBriefly(notice: string, inPlaceOf?: string | null): void;
  withdrawNotice(notice: string): void;
  dismissNotice(): void;
}
