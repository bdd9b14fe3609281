import type { Courier } from '../../service/record/record.ts';
import type { Change } from '../change.ts';
import { emptyEdit } from '../field/text-edit.ts';
import { showMessage } from '../footer/messages.ts';
import type { FooterState } from '../footer/state.ts';
import type { KeyGroup } from '../keys/binding.ts';
import { movementBelowField, type Scrolled } from '../keys/movement.ts';
import type { LoadedCouriers } from './couriers.ts';
import { noPicker, type PickerState, withChoiceMoved, withQuery } from './state.ts';

/** The board, as far as the keys of the picker need it. */
interface PickerBoard extends Scrolled {
  readonly ui: PickerState;
  readonly change: Change<PickerState & FooterState>;
  readonly courierList: Pick<LoadedCouriers, 'status'>;
  readonly matches: readonly Courier[];
}

/** Closes the picker without a choice. */
function close({ change, ui: { picker } }: PickerBoard): void {
  change(noPicker);
  picker?.leave?.(picker.query.text);
}

function choose(board: PickerBoard): void {
  const { change, courierList, matches, ui } = board;
  const { picker } = ui;
  const chosen = matches[picker?.index ?? 0];
  if (chosen !== undefined) {
    change(noPicker);
    picker?.take(chosen.code);
  } else if (courierList.status !== 'ready') close(board);
  else showMessage(board, `No courier matches "${picker?.query.text.trim() ?? ''}".`, { tone: 'attention' });
}

/** Keys of the courier picker. */
export const pickerKeys: KeyGroup<PickerState, PickerBoard> = {
  context: 'picker',
  title: 'Courier picker',
  isClosed: true,
  text: { read: ({ picker }) => picker?.query ?? emptyEdit, write: withQuery },
  bindings: [
    ...movementBelowField<PickerBoard>('courier', ({ change, matches }, by) =>
      change(withChoiceMoved(by, matches.length)),
    ),
    { keys: ['enter'], hint: 'choose', description: 'Choose this courier', alwaysShown: true, run: choose },
    { keys: ['escape'], hint: 'close', description: 'Close without choosing', alwaysShown: true, run: close },
  ],
};
