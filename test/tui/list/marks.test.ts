import { describe, expect, test } from 'vitest';
import { listRows } from '../../../src/board/list/list-rows.ts';
import { effectiveMarks, type MarksState, marksText, rangeOf, toggled } from '../../../src/tui/list/marks.ts';
import { hour, inStatus } from '../../board/parcels.ts';

const order = ['a', 'b', 'c', 'd', 'e'];
const parcels = order.map((id) => inStatus(id, 'IN_TRANSIT', null, hour));
const { rows } = listRows({
  grouping: 'stage',
  groups: [
    { key: 'one', title: 'One', stages: [], parcels },
    { key: 'other', title: 'Other', stages: [], parcels: [inStatus('f', 'DELIVERED', null, hour)] },
  ],
  order: [],
});

/** The marked parcels in a list of these, or of some of them. */
const marksOf = (state: Partial<MarksState>, listed: readonly string[] = order, range: readonly string[] = []) => {
  const all = { marked: new Set<string>(), rangeFrom: null, ...state };
  const known = order.filter((id) => all.marked.has(id));
  return effectiveMarks(all, { known, listed: known.filter((id) => listed.includes(id)).length, range });
};
const marked = (...ids: readonly string[]): Partial<MarksState> => ({ marked: new Set(ids) });

describe('marks', () => {
  test.each([
    ['downwards', 'b', 4, ['b', 'c', 'd']],
    ['upwards', 'd', 2, ['b', 'c', 'd']],
    ['of one row', 'c', 3, ['c']],
    ['whose start is no longer on the list', 'gone', 3, ['c']],
    ['down to the heading below', 'd', 6, ['d', 'e']],
    ['past the heading below', 'e', 7, ['e', 'f']],
    ['up to the heading above', 'f', 6, ['f']],
    ['up to the first heading', 'b', 0, ['a', 'b']],
    ['in a list without a selection', 'b', -1, []],
  ])('a range %s reaches to the selected parcel', (_title, rangeFrom, selectedRow, ids) => {
    expect(rangeOf(rows, rangeFrom, selectedRow)).toEqual(ids);
  });

  test('a range adds to earlier marks, and ends with its parcels', () => {
    const range = marksOf({ ...marked('e'), rangeFrom: 'a' }, order, ['a', 'b']);
    expect(marksText(range)).toBe('range: 3 marked');
    expect(toggled(range, 'b')).toEqual({ marked: new Set(['e', 'a', 'b']), rangeFrom: null });
  });
});
