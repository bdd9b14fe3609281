import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange } from '../../../src/board/list/arrange.ts';
import { type ListInput, type ListView, listLines } from '../../../src/board/list/list-scroll.ts';
import { lineText, lineWidth } from '../../../src/board/text/cells.ts';
import type { Parcel } from '../../../src/watchlist/model/parcel.ts';
import { aBoard, berlin, inStatus, minute, now } from '../parcels.ts';

function view(parcels: readonly Parcel[], input: Partial<ListInput> = {}): ListView {
  const { groups } = arrange({ parcels, filter: '', now, zone: berlin });
  return listLines({
    groups,
    selectedId: null,
    height: 10,
    width: 60,
    offset: 0,
    now,
    zone: berlin,
    glyphs: 'symbols',
    asking: new Set(),
    ...input,
  });
}

const many = Array.from({ length: 30 }, (_, index) => inStatus(String(index), 'IN_TRANSIT', null, index * minute));
const idsOf = ({ lines }: ListView): (string | null)[] => lines.map((line) => line.parcelId);

describe('listLines', () => {
  it('shows headings and rows, each tagged with its parcel', () => {
    const { lines, total, offset } = view(aBoard(), { height: 100 });
    expect(total).toBe(22);
    expect(offset).toBe(0);
    expect(lines.slice(0, 4).map((line) => line.parcelId)).toEqual([null, 'address', 'headphones', 'rejected']);
    expect(lineText(lines[0]?.line ?? [])).toMatch(/^ Needs attention +3 $/);
  });

  it('stays where it is while the selection is in sight', () => {
    expect(view(many, { selectedId: '8', offset: 5 }).offset).toBe(5);
    expect(view(many, { selectedId: null, offset: 7 }).offset).toBe(7);
    expect(view(many, { selectedId: 'gone', offset: 7 }).offset).toBe(7);
  });

  it('scrolls no further than the margin asks for', () => {
    expect(idsOf(view(many, { selectedId: '9' })).slice(-3)).toEqual(['9', '10', '11']);
    expect(idsOf(view(many, { selectedId: '9', offset: 20 })).slice(0, 3)).toEqual(['7', '8', '9']);
  });

  it('shows the heading above the first parcel', () => {
    expect(view(many, { selectedId: '0', offset: 9 }).offset).toBe(0);
  });

  it('comes back from an offset beyond a list that has become short', () => {
    expect(view(many.slice(0, 3), { offset: 50 }).offset).toBe(0);
    expect(view(many, { offset: 500 }).offset).toBe(21);
  });

  it('is empty without parcels or without height', () => {
    expect(view([])).toEqual({ lines: [], offset: 0, total: 0 });
    expect(view(many, { height: 0, selectedId: '4' }).lines).toEqual([]);
  });

  it('marks rows that are being asked', () => {
    const { lines } = view(many, { asking: new Set(['0']) });
    expect(lineText(lines[1]?.line ?? [])).toContain('↻');
    expect(lineText(lines[2]?.line ?? [])).not.toContain('↻');
  });

  it('always shows the selection, fills the window, and never exceeds it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('IN_TRANSIT', 'DELIVERED', 'ABNORMAL', 'INIT'), { minLength: 1, maxLength: 40 }),
        fc.nat(39),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: -5, max: 60 }),
        (statuses, pick, height, offset) => {
          const parcels = statuses.map((status, index) => inStatus(String(index), status, null, index * minute));
          const selectedId = String(pick % parcels.length);
          const result = view(parcels, { selectedId, height, offset, width: 30 });
          expect(result.lines).toHaveLength(Math.min(height, result.total));
          expect(result.lines.filter((line) => line.selected).map((line) => line.parcelId)).toEqual([selectedId]);
          for (const { line } of result.lines) expect(lineWidth(line)).toBe(30);
          expect(view(parcels, { selectedId, height, offset: result.offset, width: 30 }).offset).toBe(result.offset);
        },
      ),
    );
  });
});
