import { describe, expect, test } from 'vitest';
import type { CustomActions, CustomKeys } from '../../../src/settings/board-settings.ts';
import { findBinding, keymap } from '../../../src/tui/app/keymap.ts';
import { actionNames, applyUserKeys } from '../../../src/tui/app/own-actions.ts';
import { aParcel } from '../../board/parcels.ts';
import { startBoard } from '../board-harness.ts';

const ownActions = (keys: CustomKeys): CustomActions => ({ keys, commands: [], refused: null });
const problemsOf = (keys: CustomKeys): readonly string[] =>
  applyUserKeys(ownActions(keys)).problems.map(({ found, advice }) => `${found} ${advice}`);
const actionAt = (keys: CustomKeys, key: string) =>
  findBinding('list', key, applyUserKeys(ownActions(keys)).keymap)?.id ?? null;

describe("the user's keys", () => {
  test('replace the default keys in every pane that has the action', () => {
    const { keymap: changed, problems } = applyUserKeys(ownActions({ archive: ['F5', 'Ctrl+x'], down: ['B'] }));
    expect(problems).toEqual([]);
    for (const key of ['F5', 'ctrl+x']) expect(findBinding('list', key, changed)?.id).toBe('archive');
    expect(findBinding('list', 'x', changed)).toBeNull();
    for (const pane of ['list', 'timeline', 'statistics'] as const)
      expect(findBinding(pane, 'B', changed)?.id).toBe('down');
    const [, list] = changed;
    expect(list?.bindings.find(({ id }) => id === 'down')?.keys[0]).toBe('B');
  });

  test('can be swapped between two actions', () => {
    const swapped = { archive: ['r'], refresh: ['x'] };
    expect(problemsOf(swapped)).toEqual([]);
    expect(actionAt(swapped, 'r')).toBe('archive');
    expect(actionAt(swapped, 'x')).toBe('refresh');
  });

  test('are removed by an empty list', () => {
    expect(actionAt({ delete: [] }, 'd')).toBeNull();
    expect(problemsOf({ delete: [] })).toEqual([]);
  });

  test('report an invalid action or key with the nearest valid one, and the rest still applies', () => {
    const misspelled = { archve: ['F5'], filter: ['F55', 'F6'] };
    expect(problemsOf(misspelled)).toEqual([
      'config.json: "keys.archve" is not an action and is ignored. Did you mean "archive"?',
      'config.json: "keys.filter" has the unknown key "F55", which is ignored. Did you mean F5?',
    ]);
    expect(actionAt(misspelled, 'F6')).toBe('filter');
    expect(actionAt(misspelled, 'x')).toBe('archive');
  });

  test('report a key that another action in the same pane already uses, and keep the default', () => {
    expect(problemsOf({ archive: ['r'] })).toEqual([
      'config.json: "keys.archive" cannot use r, which is the key of "refresh" in "Everywhere". Choose a free key, or give the other action a different one.',
    ]);
    expect(actionAt({ archive: ['r'] }, 'x')).toBe('archive');
    // If two actions want the same key, the later one loses.
    expect(problemsOf({ archive: ['F5'], refresh: ['F5'] })).toEqual([
      expect.stringContaining('"keys.refresh" cannot use F5'),
    ]);
    expect(problemsOf({ sleep: ['}'] })).toEqual([expect.stringContaining('"next-group" in "Parcel list"')]);
  });

  test('cannot use Esc, Ctrl+C or the keys of fields', () => {
    expect(problemsOf({ quit: ['Esc'], undo: ['Ctrl+c'] })).toEqual([
      expect.stringContaining('"keys.quit" cannot use Esc, which is reserved.'),
      expect.stringContaining('"keys.undo" cannot use Ctrl+c'),
    ]);
    const { keymap: changed } = applyUserKeys(ownActions({ close: ['Q'], 'previous-pane': ['['], down: ['B'] }));
    expect(findBinding('news', 'escape', changed)?.id).toBe('close');
    for (const pane of ['add', 'filter', 'help', 'picker'] as const)
      for (const key of ['[', 'B']) expect(findBinding(pane, key, changed)).toBeNull();
  });

  test('every action has a name, and names are unique', () => {
    const contextsWithoutNames = new Set(['setup', 'confirm', 'field']);
    const unnamed = keymap
      .filter(({ context, text }) => text === undefined && !contextsWithoutNames.has(context))
      .flatMap(({ bindings }) => bindings)
      .filter(({ always, id, keys }) => id === undefined && always !== true && !keys.includes('escape'))
      .filter(({ keys }) => !keys.includes('ctrl+c'));
    expect(unnamed.map(({ description }) => description)).toEqual([]);
    for (const name of actionNames) expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    for (const { bindings } of keymap) {
      const ids = bindings.flatMap(({ id }) => id ?? []);
      expect(ids).toEqual([...new Set(ids)]);
    }
  });
});

test("the board uses the user's keys, and the footer, help and messages show them", async () => {
  const { screen } = await startBoard([aParcel({ label: 'Lamp' })], {
    board: { customActions: ownActions({ filter: ['F5'], archive: ['r'] }) },
  });
  await screen.waitFor((text) => text.includes('"keys.archive" cannot use r'), 'the problem');
  await screen.waitFor((text) => text.includes('F5 filter'), 'the key in the footer');
  await screen.type('\u001b[15~').waitFor((text) => text.includes('Esc clear'), 'the filter');
  screen.type('\u001b');
  await screen.type('?').waitFor((text) => /F5 +Filter by text/.test(text), 'the help');
});
