import { describe, expect, test } from 'vitest';
import {
  effectiveMarks,
  type MarkedList,
  type MarksState,
  marksText,
  noMarks,
  toggled,
  toggledAll,
  withoutMarks,
} from '../../../src/ui/marks/state.ts';

const order = ['a', 'b', 'c', 'd', 'e'];
const marksOf = (state: Partial<MarksState>, list: Partial<MarkedList> = {}) =>
  effectiveMarks({ ...noMarks, ...state }, { known: new Set(order), order, selectedIndex: 0, ...list });
const marked = (...ids: readonly string[]): Partial<MarksState> => ({ marked: new Set(ids) });

describe('marks', () => {
  test('stay with their parcels in another order and behind a filter, which is said', () => {
    const marks = marksOf(marked('b', 'd'), { order: ['e', 'd'] });
    expect([...marks.ids]).toEqual(['b', 'd']);
    expect(marksText(marks)).toBe('2 marked, 1 not listed');
    expect(marksText(marksOf(marked('b', 'd'), { order: order.toReversed() }))).toBe('2 marked');
  });

  test('go when their parcel goes', () => {
    const marks = marksOf(marked('b', 'gone'));
    expect([...marks.ids]).toEqual(['b']);
    expect(marksText(marksOf(marked('gone')))).toBeNull();
  });

  test('are set and taken off one by one', () => {
    const one = marksOf(toggled(marksOf({}), 'c'));
    expect([...one.ids]).toEqual(['c']);
    expect(toggled(one, 'c').marked.size).toBe(0);
  });

  test.each([
    ['downwards', 'b', 3, ['b', 'c', 'd']],
    ['upwards', 'd', 1, ['b', 'c', 'd']],
    ['of one', 'c', 2, ['c']],
    ['whose beginning has left the list', 'gone', 2, ['c']],
    ['down to the heading below', 'b', 2.5, ['b', 'c']],
    ['up to the heading above', 'd', 1.5, ['c', 'd']],
    ['up to the first heading', 'b', -0.5, ['a', 'b']],
    ['in a list without a selection', 'b', -1, []],
  ])('a range %s reaches to the selected parcel', (_title, rangeFrom, selectedIndex, ids) => {
    expect([...marksOf({ rangeFrom }, { selectedIndex }).ids].toSorted()).toEqual(ids);
  });

  test('a range adds to what was marked before, and ends with what it holds', () => {
    const range = marksOf({ ...marked('e'), rangeFrom: 'a' }, { selectedIndex: 1 });
    expect(marksText(range)).toBe('range: 3 marked');
    expect(toggled(range, 'b')).toEqual({ marked: new Set(['e', 'a', 'b']), rangeFrom: null });
  });

  test('all that match are marked, and not any more when all of them are', () => {
    const all = marksOf(toggledAll(marksOf(marked('a', 'e')), ['a', 'b']));
    expect([...all.ids].toSorted()).toEqual(['a', 'b', 'e']);
    expect([...toggledAll(all, ['a', 'b']).marked]).toEqual(['e']);
  });

  test('what was done is marked no more', () => {
    expect([...withoutMarks({ marked: new Set(['a', 'b']), rangeFrom: null }, ['a']).marked]).toEqual(['b']);
  });
});
