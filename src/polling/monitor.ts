import { orAborted } from '../lib/async.ts';
import type { CancelTimer, EpochMs } from '../lib/clock.ts';
import { StoreError, toStoreError } from '../lib/store-errors.ts';
import { type Additions, addParcels } from '../parcels/add-parcels.ts';
import type { ArchiveDays } from '../parcels/delivery.ts';
import { historyIdOf } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import {
  archiveParcel,
  asRead,
  editParcel,
  newParcel,
  registerAgain,
  restoreParcel,
  snoozeParcel,
  wakeParcel,
} from '../parcels/parcel-factory.ts';
import { type AccountService, defaultBatchLimit, type TrackingService } from '../service/port.ts';
import type { Presence } from '../store/poll-lease.ts';
import { sendLateExtras } from './account.ts';
import { takeOver } from './account-import.ts';
import { callCost } from './gate/call-rules.ts';
import { type Instant, lookUpInstantly, SilentLookups } from './instant-lookups.ts';
import { MonitorCore, type MonitorCoreOptions } from './monitor-core.ts';
import { type KnownExtras, ResponseRecorder } from './response-recorder.ts';
import { Follower, PollLoop } from './schedule/poll-loop.ts';
import { DueParcels, dueIds, Poller } from './schedule/poller.ts';
import type { Monitor, UndoableKind } from './state.ts';
import { UndoLog } from './undo.ts';
import { enteredWords, UnwrittenChangesError } from './unwritten-changes.ts';
import { PushRecorder } from './webhook/push-recorder.ts';

/** How long a notice that needs no action is shown, in milliseconds. */
const shownMs = 20_000;

class BriefNotices {
  readonly #core: Pick<MonitorCore, 'clock' | 'notify' | 'unnotify'>;
  readonly #timers = new Map<string, CancelTimer>();

  constructor(core: Pick<MonitorCore, 'clock' | 'notify' | 'unnotify'>) {
    this.#core = core;
  }

  show(notice: string): void {
    this.#timers.get(notice)?.();
    this.#core.notify(notice);
    const leave = (): void => {
      this.#timers.delete(notice);
      this.#core.unnotify(notice);
    };
    this.#timers.set(notice, this.#core.clock.setTimer(shownMs, leave));
  }

  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}

const notAdded = (): StoreError => new StoreError('failed', 'The parcel was not added.', 'the watchlist');

const notInTime = (): StoreError =>
  new StoreError('failed', 'The watchlist could not be saved in time.', 'the watchlist');

export interface MonitorOptions extends MonitorCoreOptions {
  /** Null without an API key: then everything works except checks. */
  readonly service: TrackingService | null;
  readonly knownExtras?: KnownExtras;
  readonly archiveAfterDays?: ArchiveDays;
  /** Reports other programs that share the watchlist; only for a database. */
  readonly presence?: Presence | null;
  /** The account that gets {@link knownExtras} when the courier becomes known after the registration. */
  readonly account?: Pick<AccountService, 'edit'> | null;
  readonly instant?: Instant | null;
  /** Whether to look up numbers live once if they have had no record for a day. */
  readonly looksUpWhenSilent?: () => boolean;
}

export function createMonitor(options: MonitorOptions): Monitor {
  const { store, service, clock, random, gate } = options;
  const core = new MonitorCore(options);
  const undo = new UndoLog(core);
  const pushes = new PushRecorder(core);
  const brief = new BriefNotices(core);
  const recorder = new ResponseRecorder(core, options.knownExtras);
  const batchLimits = service?.batchLimits ?? { register: defaultBatchLimit, query: defaultBatchLimit };
  const due = new DueParcels(core, batchLimits);
  const poller = new Poller(core, service, recorder, due);
  const loop = new PollLoop(core, poller, due);
  const { archiveAfterDays = { delivered: 0, closed: 0 }, presence = null } = options;
  const follower = new Follower({ core, loop, presence, archiveAfterDays });
  const rearm = (): void => loop.rearm();
  let manual = new AbortController();
  if (options.account != null && options.knownExtras !== undefined) {
    sendLateExtras({
      core,
      service: options.account,
      knownExtras: options.knownExtras,
      signal: () => manual.signal,
      onSent: rearm,
    });
  }
  const silent =
    options.instant == null || options.looksUpWhenSilent === undefined
      ? null
      : new SilentLookups({
          core,
          instant: options.instant,
          isWanted: options.looksUpWhenSilent,
          signal: () => manual.signal,
        });

  const commit = async (...change: Parameters<UndoLog['commit']>): Promise<void> => {
    const written = undo.commit(...change);
    loop.rearm();
    await written;
  };

  /** Changes parcels in one write. Returns them as written, without missing ones. */
  const changeAll = async (
    kind: UndoableKind,
    parcelIds: readonly string[],
    edit: (parcel: Parcel, now: EpochMs) => Parcel,
  ): Promise<readonly Parcel[]> => {
    const now = clock.now();
    const wanted = new Set(parcelIds);
    let changed: readonly Parcel[] = [];
    await commit(kind, (before) => {
      const parcels = before.map((parcel) => (wanted.has(parcel.id) ? edit(parcel, now) : parcel));
      changed = parcels.filter(({ id }) => wanted.has(id));
      return parcels;
    });
    return changed;
  };
  const change = async (kind: UndoableKind, parcelId: string, edit: (parcel: Parcel, now: EpochMs) => Parcel) => {
    const [changed] = await changeAll(kind, [parcelId], edit);
    if (changed === undefined) throw new StoreError('failed', 'This parcel is no longer on the list.', parcelId);
    return changed;
  };

  const addAll: Monitor['addAll'] = async (drafts) => {
    const now = clock.now();
    const fresh = drafts.map((draft) => newParcel(draft, now, random));
    let added: Additions | null = null;
    await commit('add', (parcels) => {
      added = addParcels(parcels, fresh, now);
      return added.parcels;
    });
    if (added === null) throw notAdded();
    const { additions }: Additions = added;
    return additions;
  };

  const refresh: Monitor['refresh'] = async (parcelIds, refreshOptions) => {
    core.throwIfReadOnly();
    return await poller.refresh(parcelIds, manual.signal, refreshOptions).finally(rearm);
  };
  const unwritten: Monitor['unwritten'] = () => {
    const differences = core.log.unwritten();
    return differences.length === 0 ? null : { entered: enteredWords(differences) };
  };
  const setPaused = async (paused: boolean): Promise<void> => {
    core.throwIfReadOnly();
    await core.busy.during(() => gate.memory.remember({ paused }));
    loop.rearm();
  };

  return {
    getState: () => core.state.get(),
    subscribe: (listener) => core.state.subscribe(listener),

    async load() {
      await core.load();
      if (core.state.get().polling.readOnly === null) await recorder.replanAll({ onlyFollowing: true });
    },
    start() {
      core.keepOpen();
      if (service !== null) loop.start();
      silent?.start();
      // Only the process with the lease polls.
      follower.start({ atOnce: service !== null && gate.lease.isShared });
    },
    async stop(giveUp) {
      follower.stop();
      loop.stop();
      pushes.stop();
      brief.stop();
      silent?.stop();
      manual.abort();
      manual = new AbortController();
      const finish = async (): Promise<void> => {
        await core.busy.whenIdle();
        await loop.release();
        await follower.leave();
        await core.log.flush();
      };
      try {
        await (giveUp === undefined ? finish() : orAborted(finish(), giveUp));
      } catch (error) {
        const left = unwritten();
        // All changes are written, so the rest can be aborted.
        if (giveUp?.aborted && left === null) return;
        const cause = giveUp?.aborted ? notInTime() : error;
        const { entered } = left ?? { entered: null };
        throw entered === null ? cause : new UnwrittenChangesError(toStoreError(cause, 'the watchlist'), entered);
      } finally {
        core.log.close();
        loop.rearm();
      }
    },
    unwritten,
    whenIdle: () => core.busy.whenIdle(),

    async add(draft) {
      const [added] = await addAll([draft]);
      if (added === undefined) throw notAdded();
      return added;
    },
    addAll,
    takeOver: (records) => takeOver(core, undo, records).finally(rearm),
    edit: (parcelId, edit) => change('edit', parcelId, (parcel, now) => editParcel(parcel, edit, now)),
    archive: async (parcelId) => void (await change('archive', parcelId, archiveParcel)),
    restore: async (parcelId) => void (await change('restore', parcelId, restoreParcel)),
    editAll: async (parcelIds, edit) =>
      void (await changeAll('edit', parcelIds, (parcel, now) => editParcel(parcel, edit, now))),
    snoozeAll: async (parcelIds, until) =>
      void (await changeAll('edit', parcelIds, (parcel, now) =>
        until === 'now' ? wakeParcel(parcel, now) : snoozeParcel(parcel, until),
      )),
    archiveAll: async (parcelIds) => void (await changeAll('archive', parcelIds, archiveParcel)),
    restoreAll: async (parcelIds) => void (await changeAll('restore', parcelIds, restoreParcel)),
    async remove(parcelId, { deletedAtService = false } = {}) {
      const now = clock.now();
      const restored = deletedAtService ? (parcel: Parcel) => registerAgain(parcel, now) : undefined;
      await commit('remove', (parcels) => parcels.filter(({ id }) => id !== parcelId), restored);
    },
    together: (work) => undo.together(work),
    undoSteps: () => undo.steps(),
    continueUndo: (steps) => undo.continueFrom(steps),
    async undo() {
      const undone = undo.undo();
      loop.rearm();
      return await undone;
    },
    async redo() {
      const redone = undo.redo();
      loop.rearm();
      return await redone;
    },
    undoList: () => undo.list(),
    refresh,
    refreshDue: (refreshOptions) => refresh(dueIds(core), refreshOptions),
    async lookUp(parcelId, { onAdmitted, signal } = {}) {
      const { instant = null } = options;
      const parcel = core.log.find(parcelId);
      if (instant === null || parcel === null) return null;
      core.throwIfReadOnly();
      const ended = signal === undefined ? manual.signal : AbortSignal.any([manual.signal, signal]);
      const lookUp = lookUpInstantly(core, instant, parcel, ended, onAdmitted === undefined ? {} : { onAdmitted });
      return await core.busy.during(() => lookUp);
    },
    costOf(parcelIds) {
      const wanted = new Set(parcelIds === 'due' ? dueIds(core) : parcelIds);
      return callCost(
        core.log.parcels().filter(({ id }) => wanted.has(id)),
        batchLimits,
      );
    },
    registrationsLeft: () => gate.budget.registrationsLeft(),
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    receive: (record, sentAt = null) => core.busy.during(() => pushes.record(record, sentAt)).finally(rearm),
    history(parcelId) {
      const historyId = historyIdOf(core.log.find(parcelId) ?? { id: parcelId });
      return core.busy.during(() => store.readHistory(historyId));
    },
    changesAfter: (seq) => core.busy.during(() => store.changeLogAfter(seq)),
    changeSeq: () => core.changes.seq,
    onChanges: (listener) => core.changes.listen(listener),
    async markRead(parcelIds, { undoable = false } = {}) {
      if (undoable) await changeAll('read', parcelIds, asRead);
      if (undoable || core.state.get().polling.readOnly !== null) return;
      const unread = parcelIds.filter((id) => core.log.find(id)?.unread !== undefined);
      if (unread.length > 0) await core.changeTolerantly(new Map(unread.map((id) => [id, asRead])));
    },
    notify(notice, inPlaceOf = null) {
      if (inPlaceOf !== null) core.unnotify(inPlaceOf);
      core.notify(notice);
    },
    notifyBriefly(notice, inPlaceOf = null) {
      if (inPlaceOf !== null && inPlaceOf !== notice) core.unnotify(inPlaceOf);
      brief.show(notice);
    },
    withdrawNotice: (notice) => core.unnotify(notice),
    dismissNotice() {
      core.change({ notices: core.state.get().notices.slice(1) });
    },
  };
}
