import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeLayout } from '../../src/tui/layout.ts';
import { forAll } from '../support/for-all.ts';

const sizes = fc.tuple(
  fc.integer({ min: 1, max: 400 }),
  fc.integer({ min: 1, max: 120 }),
  fc.integer({ min: 0, max: 1 }),
  fc.constantFrom(true, false, null),
);

describe('layout', () => {
  test('puts panes side by side from 148 columns, stacks them below that, and shows one in few rows and none below 40x10', () => {
    expect(computeLayout(148, 24, 'list', 0).kind).toBe('side-by-side');
    expect(computeLayout(147, 24, 'list', 0).kind).toBe('stacked');
    expect(computeLayout(83, 24, 'list', 0).kind).toBe('stacked');
    expect(computeLayout(83, 23, 'list', 0).kind).toBe('single');
    expect(computeLayout(84, 23, 'list', 0).kind).toBe('side-by-side');
    expect(computeLayout(200, 16, 'list', 0).kind).toBe('side-by-side');
    expect(computeLayout(200, 15, 'list', 0).kind).toBe('single');
    expect(computeLayout(40, 10, 'list', 1).kind).toBe('single');
    expect(computeLayout(39, 10, 'list', 0).kind).toBe('too-small');
    expect(computeLayout(40, 9, 'list', 0).kind).toBe('too-small');
  });

  test('shows one pane or both in a window of any size, as the user chooses', () => {
    expect(computeLayout(160, 50, 'timeline', 0, true)).toMatchObject({
      kind: 'single',
      pane: 'timeline',
      isZoomed: true,
    });
    expect(computeLayout(60, 20, 'list', 0, true)).toMatchObject({ kind: 'single', pane: 'list', isZoomed: false });
    expect(computeLayout(60, 20, 'list', 0, false).kind).toBe('stacked');
  });

  test('fills a body of any size exactly', () =>
    forAll(sizes, ([columns, rows, banner, zoom]) => {
      const layout = computeLayout(columns, rows, banner === 0 ? 'list' : 'timeline', banner, zoom);
      if (layout.kind === 'too-small') return;
      const { body, list, timeline } = layout;
      expect(body.height).toBe(rows - 3 - banner);
      if (layout.kind === 'single') {
        expect([list, timeline]).toEqual([body, body]);
      } else if (layout.kind === 'side-by-side') {
        expect(list.width + timeline.width).toBe(columns);
        expect([list.height, timeline.height]).toEqual([body.height, body.height]);
      } else {
        expect(list.height + timeline.height).toBe(body.height);
        expect(Math.min(list.height, timeline.height)).toBeGreaterThanOrEqual(3);
      }
    }));
});
