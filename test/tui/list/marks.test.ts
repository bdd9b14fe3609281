import { describe, expect, test } from 'vitest';
import { listRows } from '../../../src/board/list/list-rows.ts';
import { marksText, rangeIds, toggleMark } from '../../../src/tui/list/keys.ts';
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
  ])('a range %s extends to the selected parcel', (_title, rangeStartId, selectedRow, ids) => {
    expect(rangeIds(rows, rangeStartId, selectedRow)).toEqual(ids);
  });

  test('a range ends with its parcels marked', () => {
    const range = { ids: new Set(['e', 'a', 'b']), unlisted: 0, isRange: true };
    expect(marksText(range)).toBe('range: 3 marked');
    expect(toggleMark(range, 'b')).toEqual({ marked: new Set(['e', 'a', 'b']), rangeStartId: null });
  });
});
