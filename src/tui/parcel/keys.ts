import { deliveredBeforeToday } from '../../board/list/arrange.ts';
import type { Board } from '../board.ts';
import { type Binding, needsService } from '../keys/binding.ts';
import { onArgument, onOneTarget, onTargets } from '../list/marks.ts';
import {
  archiveDelivered,
  archiveOrRestore,
  moveToNamedCourier,
  openCourierPage,
  pickCourier,
  promptDelete,
  retrack,
  togglePause,
  undo,
} from './actions.ts';
import {
  changeTags,
  promptExtra,
  promptLabel,
  promptNote,
  promptSnooze,
  promptTags,
  setLabel,
  setNote,
} from './prompts.ts';
import { refresh, refreshDue } from './refresh.ts';

/** Why the service cannot be called for the listed parcels; null if it can. */
const needsWatched = ({ ui }: Board): string | null =>
  ui.listed === 'archive' ? 'Archived parcels are not checked. Press x to restore one.' : null;

/** {@link onOneTarget} for requests. */
const retrackTarget = onOneTarget(retrack);

/** {@link onTargets} for requests. */
const refreshTargets = onTargets(refresh);

export const undoKey: Binding = {
  keys: ['u'],
  writes: true,
  description: 'Undo the last action',
  alsoFoundBy: ['archive', 'delete', 'edit', 'add', 'mark as read'],
  disabled: ({ state }) => (state.undoable === null ? 'Nothing to undo.' : null),
  run: undo,
};

export const parcelKeys: readonly Binding[] = [
  {
    keys: ['r'],
    writes: true,
    hint: 'refresh',
    description: 'Check now',
    alsoFoundBy: ['refresh', 'update', 'reload'],
    ...refreshTargets,
    disabled: (board) => needsService(board) ?? refreshTargets.disabled?.(board) ?? needsWatched(board),
  },

  {
    keys: ['o'],
    hint: 'page',
    description: 'Open the courier page',
    alsoFoundBy: ['browser', 'link'],
    ...onOneTarget(openCourierPage),
  },
  {
    keys: ['x'],
    writes: true,
    hint: 'archive',
    hintNow: ({ ui }) => (ui.listed === 'archive' ? 'restore' : 'archive'),
    description: 'Archive, or restore',
    alsoFoundBy: ['restore', 'unarchive'],
    ...onTargets(archiveOrRestore),
  },

  undoKey,
  {
    keys: ['W'],
    writes: true,
    description: 'Sleep until later',
    alsoFoundBy: ['snooze', 'later', 'remind', 'wake'],
    ...onTargets(promptSnooze),
  },
  {
    keys: ['e'],
    writes: true,
    description: 'Edit the label',
    command: {
      name: 'label',
      argument: 'TEXT',
      known: ({ state }) => state.parcels.flatMap(({ label }) => label ?? []),
      run: onArgument(setLabel),
    },
    alsoFoundBy: ['rename'],
    ...onTargets(promptLabel),
  },
  {
    keys: ['E'],
    writes: true,
    description: 'Edit your note',
    command: { name: 'note', argument: 'TEXT', known: () => [], run: onArgument(setNote) },
    alsoFoundBy: ['comment', 'remark'],
    ...onTargets(promptNote),
  },
  {
    keys: ['#'],
    writes: true,
    description: 'Edit tags',
    command: {
      name: 'tag',
      argument: 'TAG, or -TAG',
      known: ({ state }) => [...new Set(state.parcels.flatMap(({ tags }) => tags))],
      run: onArgument(changeTags),
    },
    ...onTargets(promptTags),
  },
  {
    keys: ['c'],
    writes: true,
    description: 'Change the courier',
    command: {
      name: 'courier',
      argument: 'NAME',
      known: ({ courierList }) => courierList.couriers.map(({ code }) => code),
      run: onArgument(moveToNamedCourier),
    },
    ...onTargets(pickCourier),
  },
  {
    keys: ['p'],
    writes: true,
    description: 'Postal code or phone digits',
    ...onOneTarget(promptExtra),
  },
  {
    keys: ['f'],
    writes: true,
    description: 'Ask the courier for an update',
    ...retrackTarget,
    disabled: (board) => needsService(board) ?? retrackTarget.disabled?.(board) ?? needsWatched(board),
  },
  {
    keys: ['d'],
    writes: true,
    description: 'Delete, also at the service',
    alsoFoundBy: ['remove'],
    ...onTargets(promptDelete),
  },
];

export const allParcelsKeys: readonly Binding[] = [
  {
    keys: ['R'],
    writes: true,
    description: 'Check all due parcels now',
    alsoFoundBy: ['refresh', 'update', 'reload'],
    disabled: needsService,
    run: refreshDue,
  },
  {
    keys: ['X'],
    writes: true,
    description: 'Archive what was delivered',
    disabled: (board) =>
      deliveredBeforeToday(board.state.parcels, board).length === 0
        ? 'Nothing to archive: no parcel was delivered before today.'
        : null,
    run: archiveDelivered,
  },
  {
    keys: ['P'],
    writes: true,
    description: 'Pause or resume checks',
    disabled: needsService,
    run: togglePause,
  },
];
