import { deliveredBeforeToday } from '../../board/list/arrange.ts';
import type { Board } from '../board.ts';
import { type Binding, needsService } from '../keys/binding.ts';
import { onOneTarget, onTargets, onTargetsWithArgument } from '../list/keys.ts';
import {
  archiveDelivered,
  archiveOrRestore,
  moveToNamedCourier,
  openCourierPage,
  pickCourier,
  promptDelete,
  refresh,
  refreshDue,
  retrack,
  showUndoList,
  togglePause,
  undoOrRedo,
} from './actions.ts';
import {
  changeTags,
  knownLabels,
  promptExtra,
  promptLabel,
  promptNote,
  promptSnooze,
  promptTags,
  setLabel,
  setNote,
} from './prompts.ts';

/** Returns why the listed parcels are not checked, or null. */
const needsWatchedList = ({ ui }: Board): string | null =>
  ui.listed === 'archive' ? 'Archived parcels are not checked. Press x to restore one.' : null;

const retrackTarget = onOneTarget(retrack);

const refreshTargets = onTargets(refresh);

export const undoKey: Binding = {
  id: 'undo',
  keys: ['u'],
  writes: true,
  description: 'Undo the last action',
  synonyms: ['archive', 'delete', 'edit', 'add', 'mark as read'],
  detail: ({ state }) => state.undoable,
  disabled: ({ state }) => (state.undoable === null ? 'Nothing to undo.' : null),
  run: (board) => undoOrRedo(board, 'undo'),
};

const redoKey: Binding = {
  id: 'redo',
  keys: ['ctrl+r'],
  writes: true,
  description: 'Redo the last undo',
  detail: ({ state }) => state.redoable,
  disabled: ({ state }) => (state.redoable === null ? 'Nothing to redo.' : null),
  run: (board) => undoOrRedo(board, 'redo'),
};

const undoListCommand: Binding = {
  id: 'undo-list',
  keys: [],
  description: 'List undo and redo steps',
  synonyms: ['redo', 'history'],
  command: { name: 'undo', argument: '', run: showUndoList },
  run: showUndoList,
};

export const parcelKeys: readonly Binding[] = [
  {
    id: 'refresh',
    keys: ['r'],
    writes: true,
    hint: 'refresh',
    description: 'Check now',
    synonyms: ['refresh', 'update', 'reload'],
    ...refreshTargets,
    disabled: (board) => needsService(board) ?? refreshTargets.disabled?.(board) ?? needsWatchedList(board),
  },
  {
    id: 'page',
    keys: ['o'],
    hint: 'page',
    description: 'Open the courier page',
    synonyms: ['browser', 'link'],
    ...onOneTarget(openCourierPage),
  },
  {
    id: 'archive',
    keys: ['x'],
    writes: true,
    hint: ({ ui }) => (ui.listed === 'archive' ? 'restore' : 'archive'),
    description: 'Archive, or restore',
    synonyms: ['restore', 'unarchive'],
    ...onTargets(archiveOrRestore),
  },
  undoKey,
  redoKey,
  undoListCommand,
  {
    id: 'sleep',
    keys: ['W'],
    writes: true,
    description: 'Snooze until later',
    synonyms: ['snooze', 'later', 'remind', 'wake'],
    ...onTargets(promptSnooze),
  },
  {
    id: 'label',
    keys: ['e'],
    writes: true,
    description: 'Edit the label',
    command: { name: 'label', argument: 'TEXT', suggestions: knownLabels, run: onTargetsWithArgument(setLabel) },
    synonyms: ['rename'],
    ...onTargets(promptLabel),
  },
  {
    id: 'note',
    keys: ['E'],
    writes: true,
    description: 'Edit your note',
    command: { name: 'note', argument: 'TEXT', suggestions: () => [], run: onTargetsWithArgument(setNote) },
    synonyms: ['comment', 'remark'],
    ...onTargets(promptNote),
  },
  {
    id: 'tags',
    keys: ['#'],
    writes: true,
    description: 'Edit tags',
    command: {
      name: 'tag',
      argument: 'TAG, or -TAG',
      suggestions: ({ state }) => [...new Set(state.parcels.flatMap(({ tags }) => tags))],
      run: onTargetsWithArgument(changeTags),
    },
    ...onTargets(promptTags),
  },
  {
    id: 'courier',
    keys: ['c'],
    writes: true,
    description: 'Change the courier',
    command: {
      name: 'courier',
      argument: 'NAME',
      suggestions: ({ courierList }) => courierList.couriers.map(({ code }) => code),
      run: onTargetsWithArgument(moveToNamedCourier),
    },
    ...onTargets(pickCourier),
  },
  {
    id: 'postal-code',
    keys: ['p'],
    writes: true,
    description: 'Postal code or phone digits',
    ...onOneTarget(promptExtra),
  },
  {
    id: 'ask-courier',
    keys: ['f'],
    writes: true,
    description: 'Ask the courier for an update',
    ...retrackTarget,
    disabled: (board) => needsService(board) ?? retrackTarget.disabled?.(board) ?? needsWatchedList(board),
  },
  {
    id: 'delete',
    keys: ['d'],
    writes: true,
    description: 'Delete here and at the service',
    synonyms: ['remove'],
    ...onTargets(promptDelete),
  },
];

export const allParcelsKeys: readonly Binding[] = [
  {
    id: 'refresh-due',
    keys: ['R'],
    writes: true,
    description: 'Check all due parcels now',
    synonyms: ['refresh', 'update', 'reload'],
    disabled: needsService,
    run: refreshDue,
  },
  {
    id: 'archive-delivered',
    keys: ['X'],
    writes: true,
    description: 'Archive delivered parcels',
    disabled: (board) =>
      deliveredBeforeToday(board.state.parcels, board).length === 0
        ? 'Nothing to archive: no parcel was delivered before today.'
        : null,
    run: archiveDelivered,
  },
  {
    id: 'pause',
    keys: ['P'],
    writes: true,
    description: 'Pause or resume checks',
    disabled: needsService,
    run: togglePause,
  },
];
