import { courierReader } from '../../board/courier-search.ts';
import { activeCourierQuery, replaceCourier } from '../../board/input/add-input.ts';
import { readEnteredText } from '../../board/input/entered-text.ts';
import { fold } from '../../lib/text.ts';
import type { Board } from '../board.ts';
import { applyEdit, changeLine, editOf, emptyEdit, type TextEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import { showOverlay } from '../help/keys.ts';
import type { KeyContext } from '../keys/binding.ts';
import { openPicker } from '../picker/couriers.ts';
import { atStep, closeSetup } from '../setup/state.ts';
import type { Change, UiState } from '../ui-state.ts';
import { sortEntries, submitEntries } from './state.ts';

/**
 * Completes the courier after `@`: inserts the only match, or opens the picker. Returns false if the cursor is not in a
 * courier, if the code is already complete, or while an entry waits for the courier list.
 */
export function completeCourier({ change, courierList, ui }: Board): boolean {
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
  change({ draft: changeLine(draft, { text, cursor: at }), ...openDraftPicker(change, editOf(token.query)) });
  return true;
}

/** Opens the picker for the courier at the cursor. If the user chooses none, the typed text stays. */
export const openDraftPicker = (change: Change, query?: TextEdit): Pick<UiState, 'picker'> =>
  openPicker(
    {
      take: (courierCode) =>
        change(({ draft }) => {
          const token = activeCourierQuery(draft.text, draft.cursor);
          return token === null ? {} : { draft: changeLine(draft, replaceCourier(draft.text, token, courierCode)) };
        }),
      leave: (text) =>
        change(({ draft }) => (text === '' ? {} : { draft: applyEdit(draft, { kind: 'insert', text }) })),
    },
    query,
  );

const lookingUp = 'Looking up the courier…';

/**
 * Adds the entries in the bar. Those that cannot be added stay in it, with the reason. If an entry names a courier,
 * first waits for the courier list, because a registration with an unknown code is wasted; {@link finishLookup} then
 * continues.
 */
export function submitDraft(board: Board): void {
  const { change, courierList, ui } = board;
  const { text } = ui.draft;
  const entries = readEnteredText(text);
  if (entries.length === 0) {
    if (ui.settingUp === null) change({ focus: 'list' });
    else closeSetup(board);
    return;
  }
  const namesCourier = entries.some(({ input }) => input.kind === 'ok' && input.courierCode !== null);
  if (namesCourier && courierList.status !== 'ready') {
    lookUp(board, text);
    return;
  }
  change({ lookup: null, draft: emptyEdit });
  submitEntries(board, sortEntries(board, entries, courierReader(courierList)));
}

function lookUp(board: Board, text: string): void {
  const { change, couriers } = board;
  change(({ lookup }) => ({ lookup: { text, read: lookup?.read ?? null } }));
  showMessage(board, lookingUp);
  // Without a list, every code is accepted. The picker shows why the list is missing.
  const listed = couriers.list().catch(() => null);
  void listed.then((list) =>
    change(({ lookup }) => (lookup === null ? {} : { lookup: { ...lookup, read: courierReader(list) } })),
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
  const isInTheWay = context !== 'add' && ((context !== 'list' && context !== 'timeline') || sorted.question !== null);
  const hasOtherMessage = message !== null && message.text !== lookingUp;
  if (draft.text === lookup.text && !isInTheWay) {
    if (!hasOtherMessage) change({ message: null });
    change({ draft: emptyEdit });
    submitEntries(board, sorted);
  } else if (draft.text.trim() !== '' && !hasOtherMessage) {
    showMessage(board, 'The couriers are loaded. Press Enter again in the input bar to add.');
  }
}

export function openBarWith({ change }: Board, text: string, isInBar: boolean): void {
  // A courier follows the `@`.
  const namesCourier = text.endsWith('@') && isInBar;
  change(({ draft, settingUp }) => ({
    ...showOverlay(null),
    ...(settingUp === null || settingUp.step === 'numbers'
      ? {}
      : { settingUp: { ...settingUp, ...atStep('numbers') } }),
    focus: 'add',
    draft: applyEdit(draft, { kind: 'insert', text }),
    ...(namesCourier ? openDraftPicker(change) : {}),
  }));
}
