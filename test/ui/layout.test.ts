import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../src/ui/layout.ts';

const sizes = fc.tuple(
  fc.integer({ min: 1, max: 400 }),
  fc.integer({ min: 1, max: 120 }),
  fc.integer({ min: 0, max: 1 }),
);

describe('layout', () => {
  test('from 84 columns side by side, below that stacked, below 40x10 neither', () => {
    expect(layoutOf(84, 24, 'list', 0).kind).toBe('side-by-side');
    expect(layoutOf(83, 24, 'list', 0).kind).toBe('stacked');
    expect(layoutOf(40, 10, 'list', 1).kind).toBe('stacked');
    expect(layoutOf(39, 10, 'list', 0).kind).toBe('too-small');
    expect(layoutOf(40, 9, 'list', 0).kind).toBe('too-small');
  });

  test('a terminal that tells no size counts as 80 by 24', () => {
    expect(layoutOf(0, 0, 'list', 0)).toMatchObject({ kind: 'stacked', columns: 80, rows: 24 });
  });

  test('panes fill the body exactly, whatever the size', () => {
    fc.assert(
      fc.property(sizes, ([columns, rows, banner]) => {
        const layout = layoutOf(columns, rows, banner === 0 ? 'list' : 'timeline', banner);
        if (layout.kind === 'too-small') return;
        const { body, list, timeline } = layout;
        expect(body.height).toBe(rows - 3 - banner);
        if (layout.kind === 'side-by-side') {
          expect(list.width + timeline.width).toBe(columns);
          expect([list.height, timeline.height]).toEqual([body.height, body.height]);
        } else {
          expect(list.height + timeline.height).toBe(body.height);
          expect(Math.min(list.height, timeline.height)).toBeGreaterThanOrEqual(3);
        }
      }),
    );
  });
});
