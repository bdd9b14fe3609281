import { describe, expect, it } from 'vitest';
import { ParcelPositions } from '../../../src/watchlist/model/parcel-positions.ts';
import { applyChanges, Revisions, writesBetween } from '../../../src/watchlist/store/revisions.ts';
import { parcelOf } from '../parcels.ts';

const [first, second] = [parcelOf('RB1CN'), parcelOf('RB2CN')];

describe('revisions', () => {
  it('stay while nothing changes, and give everything to whoever is too far behind', () => {
    const revisions = new Revisions();
    const begin = revisions.note({ parcels: [first] });
    expect(revisions.note({ parcels: [first] })).toBe(begin);
    for (let label = 0; label < 20; label += 1) revisions.note({ parcels: [{ ...first, label: `${label}` }, second] });
    const changes = revisions.since(begin.revision);
    expect(changes).toMatchObject({ isAll: true, changed: [{ label: '19' }, { trackNo: 'RB2CN' }] });
    expect(changes === null ? [] : applyChanges([parcelOf('RB9CN')], changes, new ParcelPositions())).toHaveLength(2);
    expect(revisions.areOvertaken([], begin.revision, [first])).toBe(true);
    expect(writesBetween([first], [second])).toEqual([
      { id: second.id, parcel: second },
      { id: first.id, parcel: null },
    ]);
  });
});
