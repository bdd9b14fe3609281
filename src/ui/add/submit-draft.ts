import { courierCheck } from '../../board/courier/courier-check.ts';
import { readEnteredText } from '../../board/input/entered-text.ts';
import { type ActionScope, told } from '../action-scope.ts';
import { emptyEdit } from '../field/text-edit.ts';
import type { LoadedCouriers } from '../picker/use-couriers.ts';
import { keyContextOf } from '../state.ts';
import { sortEntries, submitEntries } from './add-actions.ts';

const lookingUp = 'Looking up the courier…';

/**
 * Adds what the input bar holds. What cannot be added stays in the bar, with a sentence that says why. A courier that
 * Get Carriers does not list would cost a registration, so that list is waited for; until it is there the text stays
 * in the bar, too, and {@link finishLookup} goes on.
 */
export function submitDraft(scope: ActionScope, couriers: LoadedCouriers): void {
  const { dispatch, ui } = scope;
  const { text } = ui.draft;
  const entries = readEnteredText(text);
  if (entries.length === 0) {
    dispatch({ kind: 'focused', pane: 'list' });
    return;
  }
  const namesCourier = entries.some(({ input }) => input.kind === 'ok' && input.courierCode !== null);
  if (namesCourier && couriers.status !== 'ready') {
    lookUp(scope, text);
    return;
  }
  dispatch({ kind: 'lookup-ended' });
  dispatch({ kind: 'draft-set', draft: emptyEdit });
  submitEntries(scope, sortEntries(scope, entries, couriers.check));
}

/** Waits for the couriers on behalf of the text that was entered last; all that wait share one request. */
function lookUp({ board, dispatch }: ActionScope, text: string): void {
  dispatch({ kind: 'lookup-began', text });
  dispatch(told(lookingUp));
  board.couriers.list().then(
    (list) => dispatch({ kind: 'lookup-answered', check: courierCheck(list) }),
    // Why there is none is told by the picker; without a list every code is let pass.
    () => dispatch({ kind: 'lookup-answered', check: courierCheck(null) }),
  );
}

/**
 * Adds a text that has waited for the couriers once they are there: only when the bar still holds that very text, and
 * nothing that the user has opened since is covered. Otherwise the text is left to the user. Harmless at any other time.
 */
export function finishLookup(scope: ActionScope): void {
  const { dispatch, ui } = scope;
  const { draft, lookup, message } = ui;
  if (lookup === null || lookup.check === null) return;
  dispatch({ kind: 'lookup-ended' });
  const sorted = sortEntries(scope, readEnteredText(draft.text), lookup.check);
  const context = keyContextOf(ui);
  const isInTheWay = context !== 'add' && ((context !== 'list' && context !== 'timeline') || sorted.question !== null);
  const hasOtherMessage = message !== null && message.text !== lookingUp;
  if (draft.text === lookup.text && !isInTheWay) {
    if (!hasOtherMessage) dispatch({ kind: 'told', message: null });
    dispatch({ kind: 'draft-set', draft: emptyEdit });
    submitEntries(scope, sorted);
  } else if (draft.text.trim() !== '' && !hasOtherMessage) {
    dispatch(told('The couriers are there. Press Enter again in the input bar to add.'));
  }
}
