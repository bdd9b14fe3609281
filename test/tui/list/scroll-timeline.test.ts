import { expect, test } from 'vitest';
import { keyGroupFor } from '../../../src/tui/app/keymap.ts';
import type { Board } from '../../../src/tui/board.ts';

test('J and K scroll the timeline from the list, but not beyond its ends', () => {
  const { bindings } = keyGroupFor('list');
  const changeAfter = (key: string, offset: number, times = 1): unknown => {
    let change: unknown;
    const board = {
      timeline: { scroll: { offset, last: 5, rows: 4 } },
      change: (changes: unknown) => {
        change = changes;
      },
      scroll: { rows: 9 },
    };
    bindings.find(({ keys }) => keys.includes(key))?.run(board as unknown as Board, times);
    return change;
  };
  expect(changeAfter('J', 0)).toEqual({ timelineOffset: 1 });
  expect(changeAfter('J', 4, 3)).toEqual({ timelineOffset: 5 });
  expect(changeAfter('K', 0)).toEqual({ timelineOffset: 0 });
});
