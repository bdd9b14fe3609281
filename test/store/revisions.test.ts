import { describe, expect, it } from 'vitest';
import { applyChanges, Revisions, writesBetween } from '../../src/store/revisions.ts';
import { parcelOf } from '../parcels/parcels.ts';

const [first, second] = [parcelOf('RB1CN'), parcelOf('RB2CN')];

describe('revisions', () => {
  it('stay while nothing changes, and give everything to a reader that is too far behind', () => {
    const revisions = new Revisions();
    const begin = revisions.note([first], 0);
    expect(revisions.note([first], 0)).toBe(begin);
    for (let label = 0; label < 99; label += 1) revisions.note([{ ...first, label: `${label}` }, second], label);
    const changes = revisions.since(begin.revision);
    expect(changes).toMatchObject({ isAll: true, changed: [{ label: '98' }, { trackNo: 'RB2CN' }] });
    expect(changes === null ? [] : applyChanges([parcelOf('RB9CN')], changes)).toHaveLength(2);
    expect(revisions.areOvertaken([], begin.revision, [first])).toBe(true);
    expect(writesBetween([first], [second])).toEqual([
      { id: second.id, parcel: second },
      { id: first.id, parcel: null },
    ]);
  });

  it('know what has changed, by whichever steps, and which writes no longer hold for it', () => {
    const revisions = new Revisions();
    const { revision } = revisions.note([first, second], 1);
    const [newer, third] = [{ ...second, label: 'Lamp' }, parcelOf('RB3CN')];
    revisions.note([second, third], 2);
    const last = revisions.note([newer, third], 3).revision;
    expect(revisions.since(revision)).toEqual({
      revision: last,
      changeSeq: 3,
      changed: [newer, third],
      removed: [first.id],
      isAll: false,
    });
    expect(revisions.since(last)).toBeNull();
    const now = [newer, third];
    const another = { ...parcelOf('RB3CN', { courierCode: 'dhl' }), id: 'another' };
    for (const parcel of [second, third, another])
      expect(revisions.areOvertaken([{ id: parcel.id, parcel }], revision, now)).toBe(true);
    const fresh = parcelOf('RB4CN');
    expect(revisions.areOvertaken([{ id: fresh.id, parcel: fresh }], revision, now)).toBe(false);
    expect(revisions.areOvertaken([{ id: second.id, parcel: second }], last, now)).toBe(false);
    expect(revisions.areOvertaken([{ id: second.id, parcel: second }], last, [second, third])).toBe(true);
  });
});
