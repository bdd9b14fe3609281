import { emptyEdit, type TextEdit } from '../field/text-edit.ts';

/** The open courier picker. */
export interface Picker {
  /** Takes the code of the chosen courier. */
  readonly take: (courierCode: string) => void;
  /** Takes what was typed when it is closed without a choice; absent where nobody wants it. */
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

/** Opens the picker for whoever takes the choice, with what was typed of it already. */
export const openPicker = (
  asked: Pick<Picker, 'leave' | 'take'> & Partial<Pick<Picker, 'likely'>>,
  query = emptyEdit,
): PickerState => ({ picker: { likely: [], ...asked, query, index: 0 } });
