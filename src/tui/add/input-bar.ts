import { createCourierResolver } from '../../board/courier-search.ts';
import { activeCourierQuery, replaceCourier } from '../../board/input/add-input.ts';
import { completeEntry } from '../../board/input/completions.ts';
import { readEnteredText } from '../../board/input/entered-text.ts';
import { fold } from '../../lib/text.ts';
import type { Board } from '../board.ts';
import { openPicker } from '../courier-picker.ts';
import { complete } from '../field/keys.ts';
import { showMessage } from '../footer.ts';
import { showOverlay } from '../help/keys.ts';
import {
  type Binding,
  type EditedText,
  type KeyContext,
  type KeyGroup,
  nextPane,
  previousPane,
} from '../keys/binding.ts';
import { closeSetup, openStep } from '../setup/state.ts';
import { applyEdit, changeLine, createEdit, emptyEdit, type TextEdit } from '../text-edit.ts';
import type { Change, UiState } from '../ui-state.ts';
import { sortEntries, submitEntries } from './entries.ts';

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
  if (board.ui.setupState !== null && board.state.parcels.length > 0) closeSetup(board);
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
  if (text !== undefined) board.change({ draft: changeLine(draft, createEdit(text)), recall: { typed, index, text } });
  else if (step === -1)
    showMessage(board, noEntryText(entered.length, query === '' ? null : typed.text.trim(), isBrowsing));
  else if (isBrowsing) board.change({ draft: changeLine(draft, typed), recall: null });
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

/**
 * Completes the courier after `@`: inserts the only match, or opens the picker. Returns false if the cursor is not in a
 * courier, if the code is already complete, or while an entry waits for the courier list.
 */
function completeCourier({ change, courierList, ui }: Board): boolean {
  const { draft } = ui;
  const token = activeCourierQuery(draft.text, draft.cursor);
  const typed = fold(token?.query ?? '');
  const isComplete = courierList.couriers.some(({ code }) => fold(code) === typed);
  if (token === null || isComplete || ui.lookup !== null) return false;
  const [only, ...others] = courierList.couriers.filter(({ code }) => typed !== '' && fold(code).startsWith(typed));
  if (only !== undefined && others.length === 0) {
    change({ draft: changeLine(draft, replaceCourier(draft.text, token, only.code)) });
    return true;
  }
  const at = token.from + 1;
  const text = draft.text.slice(0, at) + draft.text.slice(draft.cursor);
  change({ draft: changeLine(draft, { text, cursor: at }), ...openDraftPicker(change, createEdit(token.query)) });
  return true;
}

/** Opens the picker for the courier at the cursor. If the user closes it without choosing, the typed text stays. */
const openDraftPicker = (change: Change, query?: TextEdit): Pick<UiState, 'picker'> =>
  openPicker(
    {
      onChoose: (courierCode) =>
        change(({ draft }) => {
          const token = activeCourierQuery(draft.text, draft.cursor);
          return token === null ? {} : { draft: changeLine(draft, replaceCourier(draft.text, token, courierCode)) };
        }),
      onClose: (text) =>
        change(({ draft }) => (text === '' ? {} : { draft: applyEdit(draft, { kind: 'insert', text }) })),
    },
    query,
  );

const lookupMessage = 'Looking up the courier…';

/**
 * Adds the entries in the bar. Those that cannot be added stay in it, with the reason. If an entry names a courier,
 * first waits for the courier list, because a registration with an unknown code is wasted; {@link finishLookup} then
 * continues.
 */
function submitDraft(board: Board): void {
  const { change, courierList, ui } = board;
  const { text } = ui.draft;
  const entries = readEnteredText(text);
  if (entries.length === 0) {
    if (ui.setupState === null) change({ focus: 'list' });
    else closeSetup(board);
    return;
  }
  const namesCourier = entries.some(({ input }) => input.kind === 'ok' && input.courierCode !== null);
  if (namesCourier && courierList.status !== 'ready') lookUp(board, text);
  else {
    change({ lookup: null, draft: emptyEdit });
    submitEntries(board, sortEntries(board, entries, createCourierResolver(courierList)));
  }
}

function lookUp(board: Board, text: string): void {
  const { change, couriers } = board;
  change(({ lookup }) => ({ lookup: { text, read: lookup?.read ?? null } }));
  showMessage(board, lookupMessage);
  // Without a list, every code is accepted. The picker shows why the list is missing.
  const listed = couriers.list().catch(() => null);
  void listed.then((list) =>
    change(({ lookup }) => (lookup === null ? {} : { lookup: { ...lookup, read: createCourierResolver(list) } })),
  );
}

/**
 * Continues {@link submitDraft} once the couriers are loaded, if the bar still contains the same text and nothing else
 * is open.
 * @param context the current key context
 */
export function finishLookup(board: Board, context: KeyContext): void {
  const { change, ui } = board;
  const { draft, lookup, message } = ui;
  if (lookup === null || lookup.read === null) return;
  change({ lookup: null });
  const sorted = sortEntries(board, readEnteredText(draft.text), lookup.read);
  const isBlocked = context !== 'add' && ((context !== 'list' && context !== 'timeline') || sorted.question !== null);
  const hasOtherMessage = message !== null && message.text !== lookupMessage;
  if (draft.text === lookup.text && !isBlocked) {
    if (!hasOtherMessage) change({ message: null });
    change({ draft: emptyEdit });
    submitEntries(board, sorted);
  } else if (draft.text.trim() !== '' && !hasOtherMessage) {
    showMessage(board, 'The couriers are loaded. Press Enter again in the input bar to add.');
  }
}

export function openBarWithText({ change }: Board, text: string, isInBar: boolean): void {
  // A courier follows the `@`.
  const namesCourier = text.endsWith('@') && isInBar;
  change(({ draft, setupState }) => ({
    ...showOverlay(null),
    ...(setupState === null || setupState.step === 'numbers'
      ? {}
      : { setupState: { ...setupState, ...openStep('numbers') } }),
    focus: 'add',
    draft: applyEdit(draft, { kind: 'insert', text }),
    ...(namesCourier ? openDraftPicker(change) : {}),
  }));
}
