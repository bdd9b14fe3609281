import type { Change } from '../../src/parcels/change.ts';
import type { Parcel, ParcelHistory } from '../../src/parcels/parcel.ts';
import { asRead, editParcel, type NewParcel } from '../../src/parcels/parcel-factory.ts';
import type { AddedParcel } from '../../src/parcels/parcel-list.ts';
import type { Monitor } from '../../src/polling/monitor.ts';
import type { MonitorState, RefreshOutcome } from '../../src/polling/state.ts';
import type { ChangeListener } from '../../src/polling/watchlist-log.ts';
import { assumedServiceClock } from '../../src/service/service-clock.ts';

/** A core without a service or a store. Tests set its state and read its calls. */
export interface FakeMonitor extends Monitor {
  /** Replaces parts of the state and calls the listeners. */
  set(change: Partial<MonitorState>): void;
  /** Changes one parcel. */
  change(parcelId: string, change: Partial<Parcel>): void;
  /** Methods called, in order: `archive p1`, `refresh p1 p2`, … */
  readonly calls: readonly string[];
  /** Writes lines to the change log, like another process. */
  writeChanges(...changes: readonly Change[]): void;
  /** Makes the next `add` fail. */
  failNextAdd(error: Error): void;
}

const emptyHistory: ParcelHistory = { version: 1, checkpoints: [], received: null };
const emptyOutcome: RefreshOutcome = { answered: [], changed: [], rejected: [], failure: null };

/** A {@link FakeMonitor} with these parcels. */
export function createFakeMonitor(
  parcels: readonly Parcel[],
  histories: Readonly<Record<string, ParcelHistory>> = {},
  pending: (input: NewParcel) => Parcel = () => {
    throw new Error('this test adds no parcel');
  },
): FakeMonitor {
  let state: MonitorState = {
    parcels,
    polling: {
      phase: 'waiting',
      nextPollAt: null,
      lastResponseAt: null,
      callsSent: 0,
      isFollowing: false,
      queriesToday: 0,
      paused: false,
      budget: null,
      problem: null,
      cutOffSince: null,
      readOnly: null,
    },
    serviceClock: assumedServiceClock,
    checking: new Set(),
    notices: [],
    undoable: null,
    redoable: null,
  };
  const listeners = new Set<() => void>();
  const changeListeners = new Set<ChangeListener>();
  const log: Change[] = [];
  const calls: string[] = [];
  let addFailure: Error | null = null;
  let archived: string | null = null;
  /** The parcels before some were marked as read with undo, or null if that was not the last action. */
  let unreadBefore: readonly Parcel[] | null = null;
  const set = (change: Partial<MonitorState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const change = (parcelId: string, fields: Partial<Parcel>): void =>
    set({ parcels: state.parcels.map((parcel) => (parcel.id === parcelId ? { ...parcel, ...fields } : parcel)) });
  const notify = (notice: string, inPlaceOf?: string | null): void =>
    set({ notices: [...state.notices.filter((message) => message !== inPlaceOf), notice] });
  const addTogether = (inputs: readonly NewParcel[]): readonly AddedParcel[] => {
    let { parcels: all } = state;
    const outcomes = inputs.map((input): AddedParcel => {
      const { courierCode, label, trackNo } = input;
      const extra = input.postalCode ?? input.phoneSuffix;
      calls.push(`add ${trackNo} ${courierCode ?? '-'} ${label ?? '-'}${extra === null ? '' : ` ${extra}`}`);
      if (addFailure !== null) {
        const error = addFailure;
        addFailure = null;
        throw error;
      }
      const known = all.find(
        (parcel) => parcel.trackNo === trackNo && (courierCode === null || parcel.courierCode === courierCode),
      );
      if (known !== undefined) return { kind: 'duplicate', parcel: known };
      const parcel = pending(input);
      all = [...all, parcel];
      return { kind: 'added', parcel };
    });
    if (all !== state.parcels) set({ parcels: all });
    return outcomes;
  };
  const monitor: FakeMonitor = {
    calls,
    set,
    change,
    failNextAdd: (error) => {
      addFailure = error;
    },
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: async () => undefined,
    start: () => calls.push('start'),
    unwritten: () => null,
    stop: async () => {
      calls.push('stop');
    },
    whenIdle: async () => undefined,
    registrationsLeft: () => null,
    lookUp: async () => null,
    async add(input): Promise<AddedParcel> {
      const [outcome] = addTogether([input]);
      if (outcome === undefined) throw new Error('emptyOutcome was added');
      return outcome;
    },
    addAll: async (inputs) => addTogether(inputs),
    async takeOver(records) {
      calls.push(`takeOver ${records.map(({ trackNo }) => trackNo).join(' ')}`);
      return [];
    },
    edit: async (parcelId, edit) => {
      calls.push(`edit ${parcelId} ${JSON.stringify(edit)}`);
      const known = state.parcels.find((candidate) => candidate.id === parcelId);
      if (known === undefined) throw new Error('no such parcel');
      const edited = editParcel(known, edit, Date.parse('2026-11-21T12:42:00Z'));
      change(parcelId, { label: edited.label, note: edited.note ?? '', tags: edited.tags });
      return edited;
    },
    editAll: async (parcelIds, edit) => {
      for (const id of parcelIds) await monitor.edit(id, edit);
    },
    archiveAll: async (parcelIds) => {
      for (const id of parcelIds) {
        calls.push(`archive ${id}`);
        unreadBefore = null;
        change(id, { archivedAt: '2026-11-21T12:42:00Z' });
        archived = id;
        set({ undoable: 'archiving' });
      }
    },
    snoozeAll: async (parcelIds, until) => {
      calls.push(`snooze ${parcelIds.join(', ')}: ${until}`);
      for (const id of parcelIds) change(id, { snoozed: { until: null, events: 3 } });
    },
    restoreAll: async (parcelIds) => {
      for (const id of parcelIds) {
        calls.push(`restore ${id}`);
        change(id, { archivedAt: null });
      }
    },
    async remove(parcelId) {
      calls.push(`remove ${parcelId}`);
      set({ parcels: state.parcels.filter((parcel) => parcel.id !== parcelId) });
    },
    async pause() {
      calls.push('pause');
      set({ polling: { ...state.polling, paused: true } });
    },
    async resume() {
      calls.push('resume');
      set({ polling: { ...state.polling, paused: false } });
    },
    costOf: (parcelIds) => {
      const numbers = parcelIds === 'due' ? state.parcels.length : parcelIds.length;
      return { calls: Math.ceil(numbers / 100), numbers, registrations: 0 };
    },
    together: async (work) => await work(),
    undoSteps: () => [],
    continueUndo: () => undefined,
    undoList: () => ({ undo: [state.undoable ?? []].flat(), redo: [state.redoable ?? []].flat() }),
    async redo() {
      calls.push('redo');
      if (archived === null) return null;
      change(archived, { archivedAt: new Date(0).toISOString() });
      set({ redoable: null, undoable: 'archiving' });
      return { message: 'It is archived again.', parcelIds: [archived] };
    },
    async undo() {
      calls.push('undo');
      if (unreadBefore !== null) {
        set({ parcels: unreadBefore, undoable: null });
        unreadBefore = null;
        return { message: 'Unread again.', parcelIds: [] };
      }
      if (archived === null) return null;
      change(archived, { archivedAt: null });
      set({ redoable: 'archiving', undoable: null });
      return { message: 'It is back on the list.', parcelIds: [archived] };
    },
    async refresh(parcelIds) {
      calls.push(`refresh ${parcelIds.join(' ')}`);
      return { ...emptyOutcome, answered: parcelIds };
    },
    async refreshDue() {
      calls.push('refreshDue');
      return emptyOutcome;
    },
    async receive({ trackNo }) {
      calls.push(`receive ${trackNo}`);
      return state.parcels.some((parcel) => parcel.trackNo === trackNo) ? 'stored' : 'unknown';
    },
    history: async (parcelId) => histories[parcelId] ?? emptyHistory,
    notify,
    notifyBriefly: notify,
    changesAfter: async (seq) => log.filter((change) => change.seq > seq),
    changeSeq: () => log.at(-1)?.seq ?? 0,
    onChanges(listener) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    async markRead(parcelIds, { undoable = false } = {}) {
      calls.push(['markRead', ...parcelIds].join(' '));
      if (undoable) {
        unreadBefore = state.parcels;
        set({ undoable: 'marking' });
      }
      set({ parcels: state.parcels.map((parcel) => (parcelIds.includes(parcel.id) ? asRead(parcel) : parcel)) });
    },
    writeChanges(...changes) {
      log.push(...changes);
      for (const listener of changeListeners) listener(changes);
    },
    withdrawNotice: (notice) => set({ notices: state.notices.filter((shown) => shown !== notice) }),
    dismissNotice: () => set({ notices: state.notices.slice(1) }),
  };
  return monitor;
}
