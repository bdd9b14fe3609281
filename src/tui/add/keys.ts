import { completeEntry } from '../../board/input/completions.ts';
import { fold } from '../../lib/text.ts';
import type { Board } from '../board.ts';
import { applyEdit, changeLine } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import type { Binding, EditedText, KeyGroup } from '../keys/binding.ts';
import { nextPane, previousPane } from '../keys/movement.ts';
import { closeSetup } from '../setup/state.ts';
import { complete } from '../typing/keys.ts';
import { completeCourier, openDraftPicker, submitDraft } from './submit.ts';

export const openAdd: Binding = {
  id: 'add',
  keys: ['a'],
  writes: true,
  hint: 'add',
  description: 'Add numbers, or paste an email',
  opensField: true,
  run: ({ change }) => change({ focus: 'add' }),
};

const pickCourierForDraft: Binding['run'] = ({ change }) =>
  change(({ draft }) => ({ draft: applyEdit(draft, { kind: 'insert', text: '@' }), ...openDraftPicker(change) }));

const draftText: EditedText = {
  read: ({ draft }) => draft,
  write: (_ui, draft) => ({ draft }),
  complete: ({ state, ui }) => completeEntry(ui.draft.text, ui.draft.cursor, state.parcels),
};

/** Leaves the bar. In the last step of setup, closes setup if there are parcels. */
function leaveBar(board: Board): void {
  if (board.ui.settingUp !== null && board.state.parcels.length > 0) closeSetup(board);
  else board.change({ focus: 'list' });
}

function recallLine(board: Board, step: 1 | -1): void {
  const { entered, draft, recall } = board.ui;
  const isBrowsing = recall !== null && recall.text === draft.text;
  const typed = isBrowsing ? recall.typed : draft;
  const query = fold(typed.text);
  const from = isBrowsing ? recall.index : entered.length;
  const isMatch = (index: number): boolean =>
    entered[index] !== draft.text && fold(entered[index] ?? '').includes(query);
  let index = from + step;
  while (index >= 0 && index < entered.length && !isMatch(index)) index += step;
  const text = entered[index];
  if (text !== undefined) {
    board.change({ draft: changeLine(draft, { text, cursor: text.length }), recall: { typed, index, text } });
    return;
  }
  if (step === 1) {
    if (isBrowsing) board.change({ draft: changeLine(draft, typed), recall: null });
    return;
  }
  showMessage(board, noEntryText(entered.length, query === '' ? null : typed.text.trim(), isBrowsing));
}

function noEntryText(count: number, query: string | null, isBrowsing: boolean): string {
  if (count === 0) return 'You have not entered anything here yet.';
  const what = query === null ? 'entry' : `entry with “${query}”`;
  return isBrowsing ? `There is no earlier ${what}.` : `There is no ${what}.`;
}

export const addKeys: KeyGroup = {
  context: 'add',
  title: 'Input bar',
  isClosed: true,
  text: draftText,
  bindings: [
    { keys: ['enter'], hint: 'add', description: 'Add', alwaysShown: true, writes: true, run: submitDraft },
    {
      keys: ['up', 'ctrl+p', 'ctrl+r'],
      hint: ({ ui }) => (ui.entered.length > 0 ? 'earlier' : null),
      description: 'Previous entry (matching your text)',
      synonyms: ['history', 'recall', 'search'],
      run: (board) => recallLine(board, -1),
    },
    {
      keys: ['down', 'ctrl+n'],
      description: 'Next entry, then back to your text',
      synonyms: ['history'],
      run: (board) => recallLine(board, 1),
    },
    { keys: ['@'], hint: 'courier', description: 'Choose a courier', run: pickCourierForDraft },
    {
      keys: ['escape'],
      hint: ({ ui }) => (ui.draft.text === '' ? 'leave' : 'leave, keep text'),
      description: 'Leave the bar, keeping the text',
      alwaysShown: true,
      run: leaveBar,
    },
    {
      keys: ['tab'],
      description: 'Complete a courier, number or label, or go to the next pane',
      synonyms: ['completion'],
      run: (board, times) => {
        if (!completeCourier(board) && !complete(board, draftText)) nextPane.run(board, times);
      },
    },
    previousPane,
  ],
};
