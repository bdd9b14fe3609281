import { completeEntry } from '../../board/input/complete-entry.ts';
import type { Board } from '../app/board.ts';
import { complete } from '../field/complete.ts';
import { applyEdit } from '../field/text-edit.ts';
import type { Binding, EditedText, KeyGroup } from '../keys/binding.ts';
import { nextPane, previousPane } from '../keys/movement.ts';
import { closeSetup, farewell } from '../setup/walk.ts';
import { completeCourier, openDraftPicker } from './complete.ts';
import { recallLine } from './recall.ts';
import { submitDraft } from './submit.ts';

/** The key that leads to the input bar. */
export const openAdd: Binding<Board> = {
  keys: ['a', 'i'],
  writes: true,
  hint: 'add',
  description: 'Add a number in the input bar',
  leadsToField: true,
  run: ({ change }) => change({ focus: 'add' }),
};

/** Types an `@` and opens the picker over the couriers. */
const pickCourierForDraft: Binding<Board>['run'] = ({ change }) =>
  change(({ draft }) => ({ draft: applyEdit(draft, { kind: 'insert', text: '@' }), ...openDraftPicker(change) }));

const draftText: EditedText<Board['ui'], Board> = {
  read: ({ draft }) => draft,
  write: (_ui, draft) => ({ draft }),
  complete: ({ state, ui }) => completeEntry(ui.draft.text, ui.draft.cursor, state.parcels),
};

/** Leaves the bar; who has entered first numbers while setting up is done with that. */
function leaveBar(board: Board): void {
  if (board.ui.settingUp !== null && board.state.parcels.length > 0) closeSetup(board, farewell(board));
  else board.change({ focus: 'list' });
}

/** Keys of the input bar. */
export const addKeys: KeyGroup<Board['ui'], Board> = {
  context: 'add',
  title: 'Input bar',
  isClosed: true,
  text: draftText,
  bindings: [
    { keys: ['enter'], hint: 'add', description: 'Add', alwaysShown: true, writes: true, run: submitDraft },
    {
      keys: ['up', 'ctrl+p', 'ctrl+r'],
      hint: 'earlier',
      isHinted: ({ ui }) => ui.entered.length > 0,
      description: 'What was entered before; with something typed, what has it',
      alsoFoundBy: ['history', 'recall', 'search'],
      run: (board) => recallLine(board, -1),
    },
    {
      keys: ['down', 'ctrl+n'],
      description: 'What was entered after it, and back to what was typed',
      alsoFoundBy: ['history'],
      run: (board) => recallLine(board, 1),
    },
    { keys: ['@'], hint: 'courier', description: 'Choose a courier', run: pickCourierForDraft },
    {
      keys: ['escape'],
      hint: 'leave',
      description: 'Leave the bar; what was typed stays',
      alwaysShown: true,
      run: leaveBar,
    },
    {
      keys: ['tab'],
      description: 'Complete the courier, a known number or a label; where nothing can be completed, next pane',
      alsoFoundBy: ['completion'],
      run: (board, times) => {
        if (!completeCourier(board) && !complete(board, draftText, 1)) nextPane.run(board, times);
      },
    },
    {
      keys: ['shift+tab'],
      description: 'In place of what was completed, the one before; else previous pane',
      run: (board, times) => {
        if (!complete(board, draftText, -1)) previousPane.run(board, times);
      },
    },
  ],
};
