import { emptyEdit, type TextEdit } from '../field/text-edit.ts';

/** The open courier picker. */
export interface Picker {
  /** The parcel that gets another courier; null when a courier is chosen for the number in the input bar. */
  readonly parcelId: string | null;
  readonly query: TextEdit;
  /** The chosen one of those that match. */
  readonly index: number;
}

/** The courier picker's part of the state. */
export interface PickerState {
  readonly picker: Picker | null;
}

/** Opens the picker for a parcel, or with null for the number in the input bar. */
export const openPicker = (parcelId: string | null): PickerState => ({
  picker: { parcelId, query: emptyEdit, index: 0 },
});
