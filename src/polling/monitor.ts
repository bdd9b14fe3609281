import { orAborted } from '../lib/async.ts';
import type { EpochMs } from '../lib/clock.ts';
import { StoreError, toStoreError } from '../lib/store-errors.ts';
import type { ArchiveDays } from '../parcels/delivery.ts';
import { historyIdOf } from '../parcels/identity.ts';
import type { Parcel, ParcelHistory } from '../parcels/parcel.ts';
import {
  archiveParcel,
  asRead,
  editParcel,
  type NewParcel,
  newParcel,
  type ParcelEdit,
  registerAgain,
  restoreParcel,
} from '../parcels/parcel-factory.ts';
import { type AddedParcel, type Additions, addParcels } from '../parcels/parcel-list.ts';
import { snoozeParcel, unsnoozeParcel } from '../parcels/snooze.ts';
import { type AccountService, defaultBatchLimit, type InstantResponse, type TrackingService } from '../service/port.ts';
import type { TrackingRecord } from '../service/record.ts';
import type { Presence } from '../store/shared-state.ts';
import { type CallCost, callCost } from './gate/call-rules.ts';
import { MonitorCore, type MonitorCoreOptions } from './monitor-core.ts';
import { createNoRecordLookups, type Instant, lookUpInstantly, sendLateExtras } from './no-record.ts';
import { type KnownExtras, ResponseRecorder, takeOver } from './response-recorder.ts';
import { DueParcels, dueIds } from './schedule/due-queue.ts';
import { createFollower, PollLoop } from './schedule/poll-loop.ts';
import { createPoller } from './schedule/poller.ts';
import {
  BriefNotices,
  enteredText,
  type RefreshOptions,
  type RefreshOutcome,
  type UndoableKind,
  type UndoStep,
  UnwrittenChangesError,
} from './state.ts';
import { UndoLog } from './undo.ts';
import type { ChangeListener } from './watchlist-log.ts';
import { PushRecorder } from './webhook/push-recorder.ts';

const notAdded = (): StoreError => new StoreError('failed', 'The parcel was not added.', 'the watchlist');

export interface MonitorOptions extends MonitorCoreOptions {
  /** Null without an API key. Everything except checks still works. */
  readonly service: TrackingService | null;
  readonly knownExtras?: KnownExtras;
  readonly archiveAfterDays?: ArchiveDays;
  readonly presence?: Presence | null;
  /** Used to send {@link knownExtras} if a parcel's courier becomes known only after the registration. */
  readonly account?: Pick<AccountService, 'edit'> | null;
  readonly instant?: Instant | null;
  /** Whether to look up a number live once if it has had no record for a day. */
  readonly looksUpWhenSilent?: () => boolean;
}

/** The program without a screen. Methods that write throw a `StoreError`. */
export type Monitor = ReturnType<typeof createMonitor>;

export function createMonitor(options: MonitorOptions) {
  const { store, service, clock, random, gate } = options;
  const core = new MonitorCore(options);
  const undo = new UndoLog(core);
  const pushes = new PushRecorder(core);
  const briefNotices = new BriefNotices(core);
  const recorder = new ResponseRecorder(core, options.knownExtras);
  const batchLimits = service?.batchLimits ?? { register: defaultBatchLimit, query: defaultBatchLimit };
  const dueParcels = new DueParcels(core, batchLimits);
  const poller = createPoller(core, service, recorder, dueParcels);
  const loop = new PollLoop(core, poller, dueParcels);
  const { account = null, archiveAfterDays = { delivered: 0, closed: 0 }, instant = null, presence = null } = options;
  const { knownExtras, looksUpWhenSilent: isEnabled } = options;
  const follower = createFollower({ core, loop, presence, archiveAfterDays });
  const rearm = (): void => loop.rearm();
  let stopController = new AbortController();
  const signal = (): AbortSignal => stopController.signal;
  if (account !== null && knownExtras !== undefined)
    sendLateExtras({ core, service: account, knownExtras, signal, onSent: rearm });
  const noRecordLookups =
    instant === null || isEnabled === undefined ? null : createNoRecordLookups({ core, instant, isEnabled, signal });

  /** Schedules the next poll right after the change, without waiting until it is written. */
  const rearmAndAwait = async <Result>(write: Promise<Result>): Promise<Result> => {
    loop.rearm();
    return await write;
  };
  const commit = (...change: Parameters<UndoLog['commit']>): Promise<void> => rearmAndAwait(undo.commit(...change));

  /** Changes parcels in one write. Skips missing ones, and returns the others. */
  const changeAll = async (
    kind: UndoableKind,
    parcelIds: readonly string[],
    edit: (parcel: Parcel, now: EpochMs) => Parcel,
  ): Promise<readonly Parcel[]> => {
    const now = clock.now();
    const ids = new Set(parcelIds);
    let changed: readonly Parcel[] = [];
    await commit(kind, (before) => {
      const parcels = before.map((parcel) => (ids.has(parcel.id) ? edit(parcel, now) : parcel));
      changed = parcels.filter(({ id }) => ids.has(id));
      return parcels;
    });
    return changed;
  };

  const addAll = async (drafts: readonly NewParcel[]): Promise<readonly AddedParcel[]> => {
    const now = clock.now();
    const parcelsToAdd = drafts.map((draft) => newParcel(draft, now, random));
    let added: Additions | null = null;
    await commit('add', (parcels) => {
      added = addParcels(parcels, parcelsToAdd, now);
      return added.parcels;
    });
    if (added === null) throw notAdded();
    const { additions }: Additions = added;
    return additions;
  };

  const refresh = async (parcelIds: readonly string[], refreshOptions?: RefreshOptions): Promise<RefreshOutcome> => {
    core.throwIfReadOnly();
    return await poller.refresh(parcelIds, stopController.signal, refreshOptions).finally(rearm);
  };
  const unwritten = (): { readonly entered: string | null } | null => {
    const differences = core.log.unwritten();
    return differences.length === 0 ? null : { entered: enteredText(differences) };
  };
  const setPaused = async (paused: boolean): Promise<void> => {
    core.throwIfReadOnly();
    await core.busy.during(() => gate.memory.remember({ paused }));
    loop.rearm();
  };

  return {
    getState: () => core.state.get(),
    subscribe: (listener: () => void) => core.state.subscribe(listener),

    async load(): Promise<void> {
      await core.load();
      if (core.state.get().polling.readOnly === null) await recorder.replanAll({ onlyFollowing: true });
    },
    /** Polls due parcels until `stop` is called. Without a service (no API key), it only follows the watchlist. */
    start(): void {
      core.markLongRunning();
      if (service !== null) loop.start();
      noRecordLookups?.start();
      // With a shared lease, try to take it immediately: only its holder polls.
      follower.start({ immediately: service !== null && gate.lease.isShared });
    },
    /** Waits for pending writes until `giveUp` is aborted. Throws a `StoreError` that lists the user's unsaved changes. */
    async stop(giveUp?: AbortSignal): Promise<void> {
      follower.stop();
      loop.stop();
      pushes.stop();
      briefNotices.stop();
      noRecordLookups?.stop();
      stopController.abort();
      stopController = new AbortController();
      const finish = async (): Promise<void> => {
        await core.busy.whenIdle();
        await loop.release();
        await follower.leave();
        await core.log.flush();
      };
      try {
        await (giveUp === undefined ? finish() : orAborted(finish(), giveUp));
      } catch (error) {
        const remaining = unwritten();
        // All changes have been written, so the rest can be abandoned.
        if (giveUp?.aborted && remaining === null) return;
        const cause = giveUp?.aborted
          ? new StoreError('failed', 'The watchlist could not be saved in time.', 'the watchlist')
          : error;
        const { entered } = remaining ?? { entered: null };
        throw entered === null ? cause : new UnwrittenChangesError(toStoreError(cause, 'the watchlist'), entered);
      } finally {
        core.log.close();
        loop.rearm();
      }
    },
    /** Null if everything has been written. `entered` lists the user's own unsaved changes, or is null if there aren't any. */
    unwritten,
    whenIdle: () => core.busy.whenIdle(),

    async add(draft: NewParcel): Promise<AddedParcel> {
      const [added] = await addAll([draft]);
      if (added === undefined) throw notAdded();
      return added;
    },
    addAll,
    /** Starts watching the account's numbers, without registering them. Returns the new parcels. */
    takeOver: (records: readonly TrackingRecord[]) => takeOver(core, undo, records).finally(rearm),
    async edit(parcelId: string, edit: ParcelEdit): Promise<Parcel> {
      const [changed] = await changeAll('edit', [parcelId], (parcel, now) => editParcel(parcel, edit, now));
      if (changed !== undefined) return changed;
      throw new StoreError('failed', 'This parcel is no longer on the list.', parcelId);
    },
    /** Edits several parcels in one write. Skips missing ones. */
    editAll: async (parcelIds: readonly string[], edit: ParcelEdit) =>
      void (await changeAll('edit', parcelIds, (parcel, now) => editParcel(parcel, edit, now))),
    /** @param until null snoozes until the parcel moves; `now` ends the snooze */
    snoozeAll: async (parcelIds: readonly string[], until: EpochMs | 'now' | null) =>
      void (await changeAll('edit', parcelIds, (parcel, now) =>
        until === 'now' ? unsnoozeParcel(parcel, now) : snoozeParcel(parcel, until),
      )),
    archiveAll: async (parcelIds: readonly string[]) => void (await changeAll('archive', parcelIds, archiveParcel)),
    restoreAll: async (parcelIds: readonly string[]) => void (await changeAll('restore', parcelIds, restoreParcel)),
    /** Moves a parcel to the trash for 30 days. With `deletedAtService`, undo registers it again. */
    async remove(
      parcelId: string,
      { deletedAtService = false }: { readonly deletedAtService?: boolean } = {},
    ): Promise<void> {
      const now = clock.now();
      const restore = deletedAtService ? (parcel: Parcel) => registerAgain(parcel, now) : undefined;
      await commit('remove', (parcels) => parcels.filter(({ id }) => id !== parcelId), restore);
    },
    together: <Result>(work: () => Promise<Result>): Promise<Result> => undo.together(work),
    undoSteps: () => undo.steps(),
    continueUndo: (steps: readonly (readonly UndoStep[])[]) => undo.continueFrom(steps),
    /** Undoes the last step, including histories, but keeps later changes and news. Null if there is nothing to undo. */
    undo: () => rearmAndAwait(undo.undo()),
    /** Redoes the last undone step. Null if there is nothing to redo, for example because of another change since. */
    redo: () => rearmAndAwait(undo.redo()),
    /** Describes the steps that can be undone or redone, the next one first. */
    undoList: () => undo.list(),
    /**
     * Checks parcels now, and registers pending and rejected ones. Throws a `StoreError`. Other failures are part of the
     * outcome.
     */
    refresh,
    refreshDue: (refreshOptions?: RefreshOptions) => refresh(dueIds(core), refreshOptions),
    /**
     * Looks up a parcel live, which costs as much as a registration. Null if there is no service or no such parcel.
     * Throws like `CallGate.call`, or a `StoreError` if the store is read-only.
     */
    async lookUp(
      parcelId: string,
      { onAdmitted, signal: callerSignal }: Pick<RefreshOptions, 'signal'> & { readonly onAdmitted?: () => void } = {},
    ): Promise<InstantResponse | null> {
      const parcel = core.log.find(parcelId);
      if (instant === null || parcel === null) return null;
      core.throwIfReadOnly();
      const stopSignal =
        callerSignal === undefined ? stopController.signal : AbortSignal.any([stopController.signal, callerSignal]);
      const lookUp = lookUpInstantly(core, instant, parcel, stopSignal, onAdmitted === undefined ? {} : { onAdmitted });
      return await core.busy.during(() => lookUp);
    },
    costOf(parcelIds: readonly string[] | 'due'): CallCost {
      const ids = new Set(parcelIds === 'due' ? dueIds(core) : parcelIds);
      return callCost(
        core.log.parcels().filter(({ id }) => ids.has(id)),
        batchLimits,
      );
    },
    /** Returns how many registrations are left in this month's budget, or null without a budget. */
    registrationsLeft: () => gate.budget.registrationsLeft(),
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    /** Saves a pushed record. Never resets a parcel to an older record, and never restores an archived parcel. */
    receive: (record: TrackingRecord, sentAt: EpochMs | null = null) =>
      core.busy.during(() => pushes.record(record, sentAt)).finally(rearm),
    history(parcelId: string): Promise<ParcelHistory> {
      const historyId = historyIdOf(core.log.find(parcelId) ?? { id: parcelId });
      return core.busy.during(() => store.readHistory(historyId));
    },
    /** Returns the lines of the change log after a number, oldest first. Throws a `StoreError`. */
    changesAfter: (seq: number) => core.busy.during(() => store.changeLogAfter(seq)),
    changeSeq: () => core.changes.seq,
    /**
     * Calls the listener with each new line of the change log, from any process, once and in order. Returns a function
     * that unsubscribes.
     */
    onChanges: (listener: ChangeListener) => core.changes.listen(listener),
    /** If `undoable` is set, this can be undone, and throws a `StoreError` if it fails. */
    async markRead(
      parcelIds: readonly string[],
      { undoable = false }: { readonly undoable?: boolean } = {},
    ): Promise<void> {
      if (undoable) await changeAll('read', parcelIds, asRead);
      if (undoable || core.state.get().polling.readOnly !== null) return;
      const unread = parcelIds.filter((id) => core.log.find(id)?.unread !== undefined);
      if (unread.length > 0) await core.tryChange(new Map(unread.map((id) => [id, asRead])));
    },
    notify(notice: string, inPlaceOf: string | null = null): void {
      if (inPlaceOf !== null) core.withdraw(inPlaceOf);
      core.notify(notice);
    },
    notifyBriefly(notice: string, inPlaceOf: string | null = null): void {
      if (inPlaceOf !== null && inPlaceOf !== notice) core.withdraw(inPlaceOf);
      briefNotices.show(notice);
    },
    withdrawNotice: (notice: string) => core.withdraw(notice),
    dismissNotice: () => core.change({ notices: core.state.get().notices.slice(1) }),
  };
}
