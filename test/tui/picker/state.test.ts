import { expect, test } from 'vitest';
import { editOf } from '../../../src/tui/field/text-edit.ts';
import { openPicker, withChoiceMoved, withQuery } from '../../../src/tui/picker/couriers.ts';
import type { UiState } from '../../../src/tui/ui-state.ts';

type PickerState = Pick<UiState, 'picker'>;

const asked = { take: () => undefined };
const afterwards = (state: PickerState, change: Partial<PickerState>): PickerState => ({ ...state, ...change });

test('the choice stops at the ends of the matches', () => {
  const open = openPicker(asked);
  const last = afterwards(open, withChoiceMoved(9, 3)(open));
  expect(last.picker?.index).toBe(2);
  expect(afterwards(last, withChoiceMoved(-9, 3)(last)).picker?.index).toBe(0);
  expect(afterwards(open, withChoiceMoved(1, 0)(open)).picker?.index).toBe(0);
});

test('a new search starts at its first match; moving the cursor keeps the choice', () => {
  const open = openPicker(asked, editOf('ya'));
  const chosen = afterwards(open, withChoiceMoved(2, 5)(open));
  expect(withQuery(chosen, { text: 'ya', cursor: 0 }).picker?.index).toBe(2);
  expect(withQuery(chosen, editOf('yan')).picker?.index).toBe(0);
});

test('a closed picker stays closed', () => {
  expect(withChoiceMoved(1, 5)({ picker: null })).toEqual({});
  expect(withQuery({ picker: null }, editOf('a'))).toEqual({});
});
