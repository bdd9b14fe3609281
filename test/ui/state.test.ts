import { describe, expect, test } from 'vitest';
import { withEntriesBefore } from '../../src/ui/add/state.ts';
import { initialUiState, keyContextOf } from '../../src/ui/app/state.ts';
import { applyChange } from '../../src/ui/change.ts';
import { neighbourPane } from '../../src/ui/focus/state.ts';
import { withSelected } from '../../src/ui/list/state.ts';

describe('the state of the screen', () => {
  test('stays the same object when a change changes nothing', () => {
    expect(applyChange(initialUiState, { message: null, focus: 'list' })).toBe(initialUiState);
    expect(applyChange(initialUiState, () => ({}))).toBe(initialUiState);
    expect(applyChange(initialUiState, { focus: 'add' })).toEqual({ ...initialUiState, focus: 'add' });
  });

  test('another selection begins its timeline at the top, the same one stays where it is', () => {
    const state = { ...initialUiState, selectedId: 'a', timelineOffset: 7 };
    expect(withSelected(state, 'b', 1)).toMatchObject({ selectedId: 'b', selectedIndex: 1, timelineOffset: 0 });
    expect(withSelected(state, 'a', 2)).toMatchObject({ selectedId: 'a', selectedIndex: 2, timelineOffset: 7 });
  });

  test('keys are looked up in what lies on top', () => {
    const prompt = { name: 'label', placeholder: '', edit: { text: '', cursor: 0 }, accept: () => undefined };
    const picker = { take: () => undefined, likely: [], query: { text: '', cursor: 0 }, index: 0 };
    const asked = { ...initialUiState, focus: 'timeline', prompt } as const;
    expect(keyContextOf(initialUiState)).toBe('list');
    expect(keyContextOf(asked)).toBe('prompt');
    expect(keyContextOf({ ...asked, prompt: { ...prompt, edit: null } })).toBe('confirm');
    expect(keyContextOf({ ...asked, picker })).toBe('picker');
    expect(keyContextOf({ ...asked, picker, overlay: 'help' })).toBe('help');
  });

  test('Tab goes round the panes, from a filter on as from the list', () => {
    expect(neighbourPane('list', 1)).toBe('timeline');
    expect(neighbourPane('add', 1)).toBe('list');
    expect(neighbourPane('list', -1)).toBe('add');
    expect(neighbourPane('filter', 1)).toBe('timeline');
  });

  test('entries that come back stand before what is being typed', () => {
    const draft = { text: 'LX1 "La', cursor: 7 };
    const back = withEntriesBefore({ ...initialUiState, draft }, [{ text: 'RB1' }, { text: 'RB2' }]);
    expect(back.draft).toEqual({ text: 'RB1\nRB2\nLX1 "La', cursor: 15 });
  });
});
