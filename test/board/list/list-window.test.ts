import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ListRow,
  type ListWindow,
  listRows,
  listWindow,
  scrollToSelection,
} from '../../../src/board/list/list-rows.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { forAll } from '../../support/for-all.ts';
import { aBoard, berlin, day, inStatus, minute, now } from '../parcels.ts';
import { arrange } from './arranged.ts';
import { rowKey } from './row-key.ts';

interface Input {
  readonly selectedId?: string | null;
  readonly offset?: number;
  readonly height?: number;
}

const rowsOf = (parcels: readonly Parcel[]): readonly ListRow[] =>
  listRows(arrange({ parcels, filter: '', now, zone: berlin })).rows;

function view(parcels: readonly Parcel[], { height = 10, offset = 0, selectedId = null }: Input = {}): ListWindow {
  return viewOf(rowsOf(parcels), { height, offset, selectedId });
}

function viewOf(list: readonly ListRow[], { height = 10, offset = 0, selectedId = null }: Input): ListWindow {
  const row = list.findIndex((candidate) => rowKey(candidate) === selectedId);
  return listWindow(list, scrollToSelection(list, row, offset, height), height);
}

const many = Array.from({ length: 30 }, (_, index) => inStatus(String(index), 'IN_TRANSIT', null, index * minute));
const idsOf = ({ rows }: ListWindow): (string | null)[] =>
  rows.map((row) => (row.kind === 'parcel' ? row.parcel.id : null));

describe('listWindow', () => {
  it('shows headings and parcels', () => {
    const shown = view(aBoard(), { height: 100 });
    expect(shown.offset).toBe(0);
    expect(shown.rows).toHaveLength(22);
    expect(idsOf(shown).slice(0, 4)).toEqual([null, 'address', 'headphones', 'rejected']);
    expect(shown.rows[0]).toMatchObject({ kind: 'heading', title: 'Needs attention', count: 3 });
  });

  it('scrolls only as far as the margin requires', () => {
    expect(idsOf(view(many, { selectedId: '9' })).slice(-3)).toEqual(['9', '10', '11']);
    expect(idsOf(view(many, { selectedId: '9', offset: 20 })).slice(0, 4)).toEqual([null, '7', '8', '9']);
  });

  it('shows the heading above the first parcel', () => {
    expect(view(many, { selectedId: '0', offset: 9 }).offset).toBe(0);
  });

  it('keeps the heading of its first group visible', () => {
    const delivered = Array.from({ length: 30 }, (_, index) =>
      inStatus(`d${index}`, 'DELIVERED', null, (2 + index) * day),
    );
    const shown = view([...many, ...delivered], { offset: 45 });
    expect(shown.rows[0]).toMatchObject({ kind: 'heading', title: 'Delivered' });
    expect(idsOf(shown)).toEqual([null, 'd14', 'd15', 'd16', 'd17', 'd18', 'd19', 'd20', 'd21', 'd22']);
    expect(idsOf(view(many, { offset: 5, height: 3 }))).toEqual(['4', '5', '6']);
  });

  it('always shows the selection, fills the window, and never exceeds it', () =>
    forAll(
      fc.array(fc.constantFrom('IN_TRANSIT', 'DELIVERED', 'ABNORMAL', 'INIT'), { minLength: 1, maxLength: 40 }),
      fc.nat(39),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: -5, max: 60 }),
      (statuses, pick, height, offset) => {
        const parcels = statuses.map((status, index) => inStatus(String(index), status, null, index * minute));
        const selectedId = String(pick % parcels.length);
        const result = view(parcels, { selectedId, height, offset });
        expect(result.rows).toHaveLength(Math.min(height, rowsOf(parcels).length));
        expect(idsOf(result)).toContain(selectedId);
        expect(view(parcels, { selectedId, height, offset: result.offset }).offset).toBe(result.offset);
      },
    ));
});
