import { activeCourierQuery, replaceCourier } from '../../board/input/add-input.ts';
import { fold } from '../../board/text/fold.ts';
import type { Board } from '../board.ts';
import { changedTo, editOf } from '../field/text-edit.ts';
import { openPicker } from '../picker/state.ts';

/**
 * Completes the courier behind an `@`: the only one whose code begins so is taken, else the picker opens with what was typed.
 * Answers false where the cursor is in none, where a code is whole, and while a text that was entered waits for the couriers.
 */
export function completeCourier({ change, courierList, ui }: Board): boolean {
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
  const { picker } = openPicker(null);
  change({
    draft: changedTo(draft, { text, cursor: at }),
    picker: picker === null ? null : { ...picker, query: editOf(token.query) },
  });
  return true;
}
