import { activeCourierQuery, replaceCourier } from '../../board/input/add-input.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { ActionScope } from '../action-scope.ts';
import { applyEdit } from '../field/text-edit.ts';
import { changeCourier } from '../parcel/parcel-actions.ts';

/** Types an `@` and opens the picker over the couriers. */
export function openPicker(scope: ActionScope): void {
  scope.dispatch({ kind: 'draft-edited', command: { kind: 'insert', text: '@' } });
  scope.dispatch({ kind: 'picker-opened', parcelId: null });
}

/** Opens the courier picker for a parcel. */
export function pickCourierFor({ dispatch }: ActionScope, parcel: Parcel): void {
  dispatch({ kind: 'picker-opened', parcelId: parcel.id });
}

/** Puts the chosen courier's code where the `@` stands. */
export function chooseCourier(scope: ActionScope, code: string): void {
  const { dispatch, ui } = scope;
  const parcelId = ui.picker?.parcelId ?? null;
  if (parcelId !== null) {
    dispatch({ kind: 'picker-closed' });
    changeCourier(scope, parcelId, code);
    return;
  }
  const token = activeCourierQuery(ui.draft.text, ui.draft.cursor);
  dispatch({ kind: 'picker-closed' });
  if (token !== null) dispatch({ kind: 'draft-set', draft: replaceCourier(ui.draft.text, token, code) });
}

/** Closes the picker without a choice; what was typed in it stays behind the `@`. */
export function leavePicker(scope: ActionScope): void {
  const { dispatch, ui } = scope;
  const isForDraft = ui.picker?.parcelId === null;
  const query = ui.picker?.query ?? '';
  dispatch({ kind: 'picker-closed' });
  if (query !== '' && isForDraft)
    dispatch({ kind: 'draft-set', draft: applyEdit(ui.draft, { kind: 'insert', text: query }) });
}
