import { activeCourierQuery, replaceCourier } from '../../board/input/add-input.ts';
import type { Board } from '../board.ts';
import { applyEdit, changedTo, emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import type { KeyGroup } from '../keys/binding.ts';
import { movementBelowField } from '../keys/movement.ts';
import { movedWithin } from '../pane/scroll.ts';
import { moveToCourier } from '../parcel/courier.ts';
import { takeCourier } from '../scan/choose.ts';

/** Closes the picker without a choice; what was typed in it stays behind the `@`. */
function close({ change }: Board): void {
  change(({ draft, picker }) => {
    const query = picker?.parcelIds === null && picker.scanKey === undefined ? picker.query.text : '';
    return { picker: null, ...(query === '' ? {} : { draft: applyEdit(draft, { kind: 'insert', text: query }) }) };
  });
}

/** Gives the parcel the chosen courier, or puts its code where the `@` stands. */
function choose(board: Board): void {
  const { change, courierList, matches, ui } = board;
  const { picker } = ui;
  const chosen = matches[picker?.index ?? 0];
  if (chosen === undefined) {
    if (courierList.status !== 'ready') close(board);
    else showMessage(board, `No courier matches "${picker?.query.text.trim() ?? ''}".`, { tone: 'attention' });
    return;
  }
  change({ picker: null });
  if (picker?.scanKey !== undefined) {
    takeCourier(board, picker.scanKey, chosen.code);
    return;
  }
  const parcelIds = picker?.parcelIds ?? null;
  if (parcelIds !== null) {
    moveToCourier(board, parcelIds, chosen.code);
    return;
  }
  const token = activeCourierQuery(ui.draft.text, ui.draft.cursor);
  if (token !== null) change({ draft: changedTo(ui.draft, replaceCourier(ui.draft.text, token, chosen.code)) });
}

function move({ change, matches }: Board, by: number): void {
  change(({ picker }) =>
    picker === null ? {} : { picker: { ...picker, index: movedWithin(picker.index, by, matches.length - 1) } },
  );
}

/** Keys of the courier picker. */
export const pickerKeys: KeyGroup = {
  context: 'picker',
  title: 'Courier picker',
  isClosed: true,
  text: {
    read: ({ picker }) => picker?.query ?? emptyEdit,
    write: ({ picker }, query) => {
      if (picker === null) return {};
      return { picker: { ...picker, query, index: query.text === picker.query.text ? picker.index : 0 } };
    },
  },
  bindings: [
    ...movementBelowField('courier', move),
    { keys: ['enter'], hint: 'choose', description: 'Choose this courier', alwaysShown: true, run: choose },
    { keys: ['escape'], hint: 'close', description: 'Close without choosing', alwaysShown: true, run: close },
  ],
};
