import { activeCourierQuery, replaceCourier } from '../../board/input/add-input.ts';
import { fold } from '../../board/text/fold.ts';
import type { Change } from '../change.ts';
import { applyEdit, changedTo, editOf, type TextEdit } from '../field/text-edit.ts';
import type { LoadedCouriers } from '../picker/couriers.ts';
import { openPicker, type PickerState } from '../picker/state.ts';
import type { AddState } from './state.ts';

/** The board, as far as a courier is completed in its input bar. */
interface CourierBoard {
  readonly change: Change<AddState & PickerState>;
  readonly courierList: Pick<LoadedCouriers, 'couriers'>;
  readonly ui: AddState;
}

/**
 * Completes the courier behind an `@`: the only one whose code begins so is taken, else the picker opens with what was typed.
 * Answers false where the cursor is in none, where a code is whole, and while a text that was entered waits for the couriers.
 */
export function completeCourier({ change, courierList, ui }: CourierBoard): boolean {
  const { draft } = ui;
  const token = activeCourierQuery(draft.text, draft.cursor);
  const typed = fold(token?.query ?? '');
  const isWhole = courierList.couriers.some(({ code }) => fold(code) === typed);
  if (token === null || isWhole || ui.lookup !== null) return false;
  const [only, ...others] = courierList.couriers.filter(({ code }) => typed !== '' && fold(code).startsWith(typed));
  if (only !== undefined && others.length === 0) {
    change({ draft: changedTo(draft, replaceCourier(draft.text, token, only.code)) });
    return true;
  }
  const at = token.from + 1;
  const text = draft.text.slice(0, at) + draft.text.slice(draft.cursor);
  change({ draft: changedTo(draft, { text, cursor: at }), ...openDraftPicker(change, editOf(token.query)) });
  return true;
}

/** Opens the picker for the courier behind the `@` at the cursor; what was typed in it without a choice stays behind that. */
export const openDraftPicker = (change: Change<AddState>, query?: TextEdit): PickerState =>
  openPicker(
    {
      take: (courierCode) =>
        change(({ draft }) => {
          const token = activeCourierQuery(draft.text, draft.cursor);
          return token === null ? {} : { draft: changedTo(draft, replaceCourier(draft.text, token, courierCode)) };
        }),
      leave: (text) =>
        change(({ draft }) => (text === '' ? {} : { draft: applyEdit(draft, { kind: 'insert', text }) })),
    },
    query,
  );
