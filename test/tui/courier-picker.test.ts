import { expect, test } from 'vitest';
import { movePickerSelection, openPicker, setPickerQuery } from '../../src/tui/courier-picker.ts';
import { createEdit } from '../../src/tui/text-edit.ts';
import type { UiState } from '../../src/tui/ui-state.ts';

type PickerState = Pick<UiState, 'picker'>;

const request = { onChoose: () => undefined };
const apply = (state: PickerState, change: Partial<PickerState>): PickerState => ({ ...state, ...change });

test('the selection stops at the ends of the matches', () => {
  const open = openPicker(request);
  const last = apply(open, movePickerSelection(9, 3)(open));
  expect(last.picker?.index).toBe(2);
  expect(apply(last, movePickerSelection(-9, 3)(last)).picker?.index).toBe(0);
  expect(apply(open, movePickerSelection(1, 0)(open)).picker?.index).toBe(0);
});

test('a new search selects its first match, and moving the cursor keeps the selection', () => {
  const open = openPicker(request, createEdit('ya'));
  const chosen = apply(open, movePickerSelection(2, 5)(open));
  expect(setPickerQuery(chosen, { text: 'ya', cursor: 0 }).picker?.index).toBe(2);
  expect(setPickerQuery(chosen, createEdit('yan')).picker?.index).toBe(0);
});

test('a closed picker stays closed', () => {
  expect(movePickerSelection(1, 5)({ picker: null })).toEqual({});
  expect(setPickerQuery({ picker: null }, createEdit('a'))).toEqual({});
});
