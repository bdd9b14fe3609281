import type { Board } from '../app/board.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import type { KeyGroup } from '../keys/binding.ts';
import { movementBelowField } from '../keys/movement.ts';
import { movedWithin } from '../pane/scroll.ts';

/** Closes the picker without a choice. */
function close({ change, ui: { picker } }: Board): void {
  change({ picker: null });
  picker?.leave?.(picker.query.text);
}

function choose(board: Board): void {
  const { change, courierList, matches, ui } = board;
  const { picker } = ui;
  const chosen = matches[picker?.index ?? 0];
  if (chosen !== undefined) {
    change({ picker: null });
    picker?.take(chosen.code);
  } else if (courierList.status !== 'ready') close(board);
  else showMessage(board, `No courier matches "${picker?.query.text.trim() ?? ''}".`, { tone: 'attention' });
}

function move({ change, matches }: Board, by: number): void {
  change(({ picker }) =>
    picker === null ? {} : { picker: { ...picker, index: movedWithin(picker.index, by, matches.length - 1) } },
  );
}

/** Keys of the courier picker. */
export const pickerKeys: KeyGroup<Board['ui'], Board> = {
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
