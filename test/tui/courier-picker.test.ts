import { expect, test } from 'vitest';
import { openPicker, withChoiceMoved, withQuery } from '../../src/tui/courier-picker.ts';
import { editOf } from '../../src/tui/text-edit.ts';
import type { UiState } from '../../src/tui/ui-state.ts';

type PickerState = Pick<UiState, 'picker'>;

const request = { take: () => undefined };
const apply = (state: PickerState, change: Partial<PickerState>): PickerState => ({ ...state, ...change });

test('the selection stops at the ends of the matches', () => {
  const open = openPicker(request);
  const last = apply(open, withChoiceMoved(9, 3)(open));
  expect(last.picker?.index).toBe(2);
  expect(apply(last, withChoiceMoved(-9, 3)(last)).picker?.index).toBe(0);
  expect(apply(open, withChoiceMoved(1, 0)(open)).picker?.index).toBe(0);
});

test('a new search selects its first match, and moving the cursor keeps the selection', () => {
  const open = openPicker(request, editOf('ya'));
  const chosen = apply(open, withChoiceMoved(2, 5)(open));
  expect(withQuery(chosen, { text: 'ya', cursor: 0 }).picker?.index).toBe(2);
  expect(withQuery(chosen, editOf('yan')).picker?.index).toBe(0);
});

test('a closed picker stays closed', () => {
  expect(withChoiceMoved(1, 5)({ picker: null })).toEqual({});
  expect(withQuery({ picker: null }, editOf('a'))).toEqual({});
});
