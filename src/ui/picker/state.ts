import { emptyEdit, type TextEdit } from '../field/text-edit.ts';
import { movedWithin } from '../pane/scroll.ts';

/** The open courier picker. */
export interface Picker {
  /** Takes the code of the chosen courier. */
  readonly take: (courierCode: string) => void;
  /** Takes what was typed when it is closed without a choice; absent where that is not wanted. */
  readonly leave?: (typed: string) => void;
  /** Codes of couriers that are listed first. */
  readonly likely: readonly string[];
  readonly query: TextEdit;
  /** The chosen one of those that match. */
  readonly index: number;
}

/** The courier picker's part of the state. */
export interface PickerState {
  readonly picker: Picker | null;
}

/** No courier is asked for. */
export const noPicker: PickerState = { picker: null };

/** Opens the picker, with what was typed of the courier already. */
export const openPicker = (
  asked: Pick<Picker, 'leave' | 'take'> & Partial<Pick<Picker, 'likely'>>,
  query = emptyEdit,
): PickerState => ({ picker: { likely: [], ...asked, query, index: 0 } });

/** Another choice, so many couriers further down among those that match. */
export const withChoiceMoved =
  (by: number, matching: number) =>
  ({ picker }: PickerState): Partial<PickerState> =>
    picker === null ? {} : { picker: { ...picker, index: movedWithin(picker.index, by, matching - 1) } };

/** Another search; its first match is chosen when the text is another one. */
export const withQuery = ({ picker }: PickerState, query: TextEdit): Partial<PickerState> =>
  picker === null ? {} : { picker: { ...picker, query, index: query.text === picker.query.text ? picker.index : 0 } };
