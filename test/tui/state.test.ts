import { describe, expect, test } from 'vitest';
import { neighbourPane } from '../../src/tui/layout.ts';
import { selectParcel } from '../../src/tui/list/state.ts';
import { initialUiState } from '../../src/tui/ui-state.ts';

describe('the state of the screen', () => {
  test('a new selection starts its timeline at the top, and an unchanged one keeps its position', () => {
    const state = { ...initialUiState, selectedId: 'a', timelineOffset: 7 };
    expect(selectParcel(state, 'b', 1)).toMatchObject({ selectedId: 'b', selectedIndex: 1, timelineOffset: 0 });
    expect(selectParcel(state, 'a', 2)).toMatchObject({ selectedId: 'a', selectedIndex: 2, timelineOffset: 7 });
  });

  test('Tab cycles through the panes, and works in the filter as it does in the list', () => {
    expect(neighbourPane('list', 1)).toBe('timeline');
    expect(neighbourPane('add', 1)).toBe('list');
    expect(neighbourPane('list', -1)).toBe('add');
    expect(neighbourPane('filter', 1)).toBe('timeline');
  });
});
