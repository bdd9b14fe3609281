import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSearchText } from '../../src/board/filter.ts';
import { tabRow, type ViewTab, viewCounts } from '../../src/board/view-tabs.ts';
import { builtInViews } from '../../src/board/views.ts';
import { lineText, lineWidth } from '../../src/lib/cells.ts';
import { inGlyphs } from '../../src/lib/paint.ts';
import { forAll } from '../support/for-all.ts';
import { aBoard, aParcel, berlin, now } from './parcels.ts';

const viewing = { now, zone: berlin };
const tab = (name: string, count: number, more: Partial<ViewTab> = {}): ViewTab => ({
  name,
  count,
  isCurrent: false,
  isChanged: false,
  ...more,
});
const all = tab('All', 286);
const tabs = [all, tab('Act now', 19, { isCurrent: true }), tab('Today', 46), tab('Late', 3)];
const plain = { matchesView: true, marked: '', filter: '“is:late”', order: 'by expected ↑' };
const changed = { ...plain, matchesView: false, filter: '“dhl”' };
const row = (width: number, shownTabs = tabs, state = plain): string => {
  const { left, right } = tabRow(shownTabs, state, width);
  return right === '' ? lineText(left) : `${lineText(left)}… ${right}`;
};

describe('view tabs', () => {
  it('have a number, a name and a count, and a symbol marks the current one even without colour', () => {
    expect(row(80)).toBe(' 1 All 286 │[2 Act now 19]│ 3 Today 46 │ 4 Late 3 … by expected ↑');
    expect(inGlyphs(row(80), 'ascii')).toContain(' 1 All 286 |[2 Act now 19]| 3 Today 46 |');
    const changedTabs = [all, tab('Act now', 19, { isCurrent: true, isChanged: true })];
    expect(row(80, changedTabs, changed)).toBe(' 1 All 286 │[2 Act now* 19]… “dhl” · by expected ↑');
  });

  it('omit the order, then shrink to numbers, then disappear, starting with the farthest from the current one', () => {
    expect(row(60)).toBe(' 1 All 286 │[2 Act now 19]│ 3 Today 46 │ 4 Late 3 ');
    expect(row(46)).toBe(' 1 All 286 │[2 Act now 19]│ 3 Today 46 │ 4… ');
    expect(row(38)).toBe(' 1 All 286 │[2 Act now 19]│ 3… │ 4… ');
    expect(row(30)).toBe(' 1… │[2 Act now 19]│ 3… │ 4… ');
    expect(row(16)).toBe('[2 Act now 19]');
    expect(row(10)).toBe('[2 Act n…]');
    expect(row(50, tabs, changed)).toBe(' 1 All 286 │[2 Act now 19]│ 3… │ 4… … “dhl”');
    expect(row(70, tabs, { ...plain, marked: '2 marked' })).toMatch(/ 4 Late 3 … 2 marked$/);
  });

  it('fit any width, and report the places where they are drawn', () => {
    const anyTabs = fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 12 }), fc.nat(999)), { maxLength: 14 });
    forAll(anyTabs, fc.nat(14), fc.integer({ min: 8, max: 200 }), fc.boolean(), (names, at, width, matchesView) => {
      const shownTabs = names.map(([name, count], index) => tab(name, count, { isCurrent: index === at }));
      const { left, places, right } = tabRow(shownTabs, { ...plain, matchesView }, width);
      expect(lineWidth(left) + (right === '' ? 0 : right.length + 3)).toBeLessThanOrEqual(width);
      const starts = places.map(({ from }) => from);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      expect(places.at(-1)?.to ?? 0).toBe(lineWidth(left));
    });
  });

  it('count the watched parcels that the view lists', () => {
    const parcels = [...aBoard(), aParcel({ id: 'old', archivedAt: '2026-01-01T00:00:00Z' })];
    const counts = viewCounts(builtInViews, parcels, viewing, createSearchText(viewing));
    expect(counts).toEqual([13, 4, 1, 0]);
  });
});
