import { courierReader } from '../../board/courier/courier-check.ts';
import { readEnteredText } from '../../board/input/entered-text.ts';
import type { Board } from '../app/board.ts';
import { keyContextOf } from '../app/state.ts';
import { applyEdit, emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import { showOverlay } from '../overlay/state.ts';
import { atStep } from '../setup/state.ts';
import { closeSetup, farewell } from '../setup/walk.ts';
import { sortEntries, submitEntries } from './add-entries.ts';
import { openDraftPicker } from './complete.ts';

const lookingUp = 'Looking up the courier…';

/**
 * Adds what the input bar holds. What cannot be added stays in the bar, with a sentence that says why. A courier that
 * Get Carriers does not list would cost a registration, so that list is waited for; until it is there the text stays
 * in the bar, too, and {@link finishLookup} goes on.
 */
export function submitDraft(board: Board): void {
  const { change, courierList, ui } = board;
  const { text } = ui.draft;
  const entries = readEnteredText(text);
  if (entries.length === 0) {
    if (ui.settingUp === null) change({ focus: 'list' });
    else closeSetup(board, farewell(board));
    return;
  }
  const namesCourier = entries.some(({ input }) => input.kind === 'ok' && input.courierCode !== null);
  if (namesCourier && courierList.status !== 'ready') {
    lookUp(board, text);
    return;
  }
  change({ lookup: null, draft: emptyEdit });
  submitEntries(board, sortEntries(board, entries, courierList.read));
}

/** Waits for the couriers on behalf of the text that was entered last; all that wait share one request. */
function lookUp(board: Board, text: string): void {
  const { change, couriers } = board;
  change(({ lookup }) => ({ lookup: { text, read: lookup?.read ?? null } }));
  showMessage(board, lookingUp);
  // Why there is none is shown by the picker; without a list every code is let pass.
  const listed = couriers.list().catch(() => null);
  void listed.then((list) =>
    change(({ lookup }) => (lookup === null ? {} : { lookup: { ...lookup, read: courierReader(list) } })),
  );
}

/**
 * Adds a text that has waited for the couriers once they are there: only when the bar still holds that very text, and
 * nothing that the user has opened since is covered. Otherwise the text is left to the user. Harmless at any other time.
 */
export function finishLookup(board: Board): void {
  const { change, ui } = board;
  const { draft, lookup, message } = ui;
  if (lookup === null || lookup.read === null) return;
  change({ lookup: null });
  const sorted = sortEntries(board, readEnteredText(draft.text), lookup.read);
  const context = keyContextOf(ui);
  const isInTheWay = context !== 'add' && ((context !== 'list' && context !== 'timeline') || sorted.question !== null);
  const hasOtherMessage = message !== null && message.text !== lookingUp;
  if (draft.text === lookup.text && !isInTheWay) {
    if (!hasOtherMessage) change({ message: null });
    change({ draft: emptyEdit });
    submitEntries(board, sorted);
  } else if (draft.text.trim() !== '' && !hasOtherMessage) {
    showMessage(board, 'The couriers are there. Press Enter again in the input bar to add.');
  }
}

/** Leads to the input bar with a text that was pasted. */
export function openBarWith({ change }: Board, text: string, isInBar: boolean): void {
  // A read that ends with an @ was typed that far; the courier comes next.
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
