import { emptyEdit, type TextEdit } from '../field/text-edit.ts';

/** The open courier picker. */
export interface Picker {
  /** The parcels that get another courier; null when a courier is chosen for the number in the input bar. */
  readonly parcelIds: readonly string[] | null;
  /** The key of the found number that gets a courier; absent when one is chosen for something else. */
  readonly scanKey?: number;
  readonly query: TextEdit;
  /** The chosen one of those that match. */
  readonly index: number;
}

/** The courier picker's part of the state. */
export interface PickerState {
  readonly picker: Picker | null;
}

/** Opens the picker for parcels, or with null for the number in the input bar. */
export const openPicker = (parcelIds: Picker['parcelIds']): PickerState => ({
  picker: { parcelIds, query: emptyEdit, index: 0 },
});

/** Opens the picker for a found number. */
export const openScanPicker = (scanKey: number): PickerState => ({
  picker: { parcelIds: null, scanKey, query: emptyEdit, index: 0 },
});
