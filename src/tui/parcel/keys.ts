import { deliveredBeforeToday } from '../../board/list/arrange.ts';
import type { Board } from '../board.ts';
import { type Binding, needsService } from '../keys/binding.ts';
import { onOneTarget, onTargets } from '../list/marks.ts';
import {
  archiveDelivered,
  archiveOrRestore,
  openCourierPage,
  pickCourier,
  promptDelete,
  retrack,
  togglePause,
  undo,
} from './actions.ts';
import { promptExtra, promptLabel, promptTags } from './prompts.ts';
import { refresh, refreshDue } from './refresh.ts';

/** Why the service cannot be queried about what is listed; null when it can. */
const needsWatched = ({ ui }: Board): string | null =>
  ui.listed === 'archive' ? 'Archived parcels are not checked. x watches one again.' : null;

/** {@link onOneTarget} for what sends a request at once. */
const retrackTarget = onOneTarget(retrack);

/** {@link onTargets} for what sends a request at once. */
const refreshTargets = onTargets(refresh);

export const undoKey: Binding = {
  keys: ['u'],
  writes: true,
  description: 'Undo what was done last: archive, delete, edit, add, mark as read',
  disabled: ({ state }) => (state.undoable === null ? 'There is nothing to undo.' : null),
  run: undo,
};

export const parcelKeys: readonly Binding[] = [
  {
    keys: ['r'],
    writes: true,
    hint: 'refresh',
    description: 'Refresh the selected parcel, or all that are marked',
    ...refreshTargets,
    disabled: (board) => needsService(board) ?? refreshTargets.disabled?.(board) ?? needsWatched(board),
  },
  {
    keys: ['R'],
    writes: true,
    description: 'Refresh all parcels that are due',
    disabled: needsService,
    run: refreshDue,
  },
  {
    keys: ['o'],
    hint: 'page',
    description: "Open the courier's page about the selected parcel",
    alsoFoundBy: ['browser', 'link'],
    ...onOneTarget(openCourierPage),
  },
  {
    keys: ['x'],
    writes: true,
    hint: 'archive',
    hintNow: ({ ui }) => (ui.listed === 'archive' ? 'restore' : 'archive'),
    description: 'Archive the selected parcel, or all that are marked; archived ones are watched again',
    alsoFoundBy: ['restore', 'unarchive'],
    ...onTargets(archiveOrRestore),
  },
  {
    keys: ['X'],
    writes: true,
    description: 'Archive all that were delivered before today',
    disabled: (board) =>
      deliveredBeforeToday(board.state.parcels, board).length === 0
        ? 'There is nothing to archive: no parcel on the board was delivered before today.'
        : null,
    run: archiveDelivered,
  },
  undoKey,
  {
    keys: ['e'],
    writes: true,
    description: 'Change the label of the selected parcel, or give all that are marked the same one',
    alsoFoundBy: ['rename'],
    ...onTargets(promptLabel),
  },
  {
    keys: ['#'],
    writes: true,
    description: 'Edit the tags of the selected parcel, or those that all marked ones have',
    ...onTargets(promptTags),
  },
  {
    keys: ['c'],
    writes: true,
    description: 'Choose another courier for the selected parcel, or for all that are marked',
    ...onTargets(pickCourier),
  },
  {
    keys: ['p'],
    writes: true,
    description: 'Enter the postal code or phone digits that the courier needs',
    ...onOneTarget(promptExtra),
  },
  {
    keys: ['f'],
    writes: true,
    description: 'Ask the courier again (once in six hours)',
    ...retrackTarget,
    disabled: (board) => needsService(board) ?? retrackTarget.disabled?.(board) ?? needsWatched(board),
  },
  {
    keys: ['d'],
    writes: true,
    description: 'Delete the selected parcel, or all that are marked, here and at the service',
    alsoFoundBy: ['remove'],
    ...onTargets(promptDelete),
  },
  {
    keys: ['P'],
    writes: true,
    description: 'Pause automatic checks, or resume them',
    disabled: needsService,
    run: togglePause,
  },
];
