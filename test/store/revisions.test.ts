import { describe, expect, it } from 'vitest';
import { areOutdated, createRevisions, writesBetween } from '../../src/store/store.ts';
import { parcelOf } from '../parcels/parcels.ts';

const [first, second, third] = [parcelOf('RB1CN'), parcelOf('RB2CN'), parcelOf('RB3CN')];

describe('revisions', () => {
  it('stay the same while nothing changes', () => {
    const revise = createRevisions();
    const initial = revise([first], 0);
    expect(revise([first], 0)).toBe(initial);
    expect(revise([first], 1).revision).toBeGreaterThan(initial.revision);
    expect(revise([first, second], 1).revision).toBeGreaterThan(initial.revision + 1);
  });

  it('show which writes no longer apply to a list', () => {
    const newer = { ...second, label: 'Lamp' };
    const [before, now] = [
      [first, second, third],
      [newer, { ...third }, parcelOf('RB4CN')],
    ];
    const sameNumber = { ...parcelOf('RB4CN', { courierCode: 'dhl' }), id: 'another' };
    for (const parcel of [first, second, sameNumber])
      expect(areOutdated([{ id: parcel.id, parcel }], before, now)).toBe(true);
    for (const parcel of [third, parcelOf('RB5CN')])
      expect(areOutdated([{ id: parcel.id, parcel }], before, now)).toBe(false);
    expect(areOutdated([{ id: second.id, parcel: second }], now, now)).toBe(false);
    expect(writesBetween([first], [second])).toEqual([
      { id: second.id, parcel: second },
      { id: first.id, parcel: null },
    ]);
  });
});
