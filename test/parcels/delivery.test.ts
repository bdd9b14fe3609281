import { describe, expect, it } from 'vitest';
import { daysSinceEnd, isDueForArchiving } from '../../src/parcels/delivery.ts';
import { archiveParcel } from '../../src/parcels/parcel-factory.ts';
import { aCheckpoint, ago, aParcel, aRecord, archiveDays, day, hour, inStatus, now } from '../board/parcels.ts';

const delivered = (age: number) => ({
  ...inStatus('lamp', 'DELIVERED', 'DELIVERED_01', age),
  addedAt: ago(100 * day),
});

describe('the time since a delivery', () => {
  it('does not count for parcels that are under way or archived', () => {
    expect(isDueForArchiving({ ...inStatus('lamp', 'IN_TRANSIT', null, 90 * day) }, archiveDays(30), now)).toBe(false);
    expect(isDueForArchiving(archiveParcel(delivered(90 * day), now), archiveDays(30), now)).toBe(false);
  });

  it('starts when the parcel was added, if that was later', () => {
    expect(isDueForArchiving({ ...delivered(90 * day), addedAt: ago(hour) }, archiveDays(30), now)).toBe(false);
    expect(isDueForArchiving({ ...delivered(90 * day), addedAt: ago(30 * day) }, archiveDays(30), now)).toBe(true);
  });

  it.each([
    ['a local time without a zone', aCheckpoint({ at: null, local: '2026-10-10 09:00:00', offset: null }), 41],
    ['the last good response if there is no event', null, 3],
  ])('starts at %s', (_title, lastEvent, days) => {
    const record = aRecord({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' });
    expect(daysSinceEnd(aParcel({ record, lastEvent, checkedAt: ago(3 * day) }), now)).toBe(days);
  });
});
