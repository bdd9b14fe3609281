import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { quietSpell, usualStillness } from '../../src/parcels/usual-times.ts';
import { aCheckpoint, ago, aParcel, aRecord, day, hour, inStatus, minute, now } from '../board/parcels.ts';
import { forAll } from '../support/for-all.ts';

const delivered = (courierCode: string | null, longestStillDays: number): Parcel =>
  aParcel({ courierCode, record: aRecord({ transitStatus: 'DELIVERED', longestStillDays }) });
const deliveredIn = (...days: readonly number[]) => days.map((count) => delivered('yanwen', count));

const anyDays = fc.integer({ min: 0, max: 90 });

describe("a courier's usual stillness", () => {
  test('is known once ten parcels have been delivered, including archived ones', () => {
    const nine = deliveredIn(0, 1, 1, 1, 2, 2, 2, 2, 3);
    expect(usualStillness(nine)).toEqual(new Map());
    expect(usualStillness([...nine, delivered('dhl', 2)])).toEqual(new Map());
    const ten = [...nine, { ...delivered('Yanwen', 2), archivedAt: ago(day) }];
    expect(usualStillness(ten)).toEqual(new Map([['yanwen', 2]]));
  });

  test('ignores a single parcel that was lost for weeks', () => {
    expect(usualStillness(deliveredIn(1, 1, 1, 1, 1, 2, 2, 2, 2, 60)).get('yanwen')).toBe(2);
  });

  test('is at least a day', () => {
    expect(usualStillness(deliveredIn(...Array.from({ length: 10 }, () => 0))).get('yanwen')).toBe(1);
  });

  test('ignores parcels with no courier or no known stillness', () => {
    const parcels = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? delivered(null, 3) : aParcel()));
    expect(usualStillness(parcels)).toEqual(new Map());
  });

  test('covers at least nine in ten parcels', () =>
    forAll(fc.array(anyDays, { minLength: 10, maxLength: 60 }), (days) => {
      const usual = usualStillness(deliveredIn(...days)).get('yanwen') ?? 0;
      const covered = days.filter((count) => count <= usual).length;
      expect(covered / days.length).toBeGreaterThanOrEqual(0.9);
      expect(usual === 1 || days.includes(usual)).toBe(true);
      expect(usualStillness(deliveredIn(...days.toReversed())).get('yanwen')).toBe(usual);
    }));
});

describe('quietSpell', () => {
  const usual = new Map([['yanwen', 2]]);
  const stillParcel = (eventAgo: number, fields: Partial<Parcel> = {}) =>
    aParcel({ lastEvent: aCheckpoint({ at: ago(eventAgo) }), ...fields });

  test('is how long a parcel has stood still if that is longer than usual, in whole days', () => {
    expect(quietSpell(stillParcel(3 * day - minute), now, usual)).toBeNull();
    expect(quietSpell(stillParcel(3 * day), now, usual)).toEqual({ days: 3, usualDays: 2 });
    expect(quietSpell(stillParcel(5.9 * day), now, usual)).toEqual({ days: 5, usualDays: 2 });
    expect(quietSpell(stillParcel(5 * day, { courierCode: 'YANWEN' }), now, usual)?.days).toBe(5);
  });

  test('requires a courier whose usual stillness is known', () => {
    expect(quietSpell(stillParcel(50 * day), now, new Map())).toBeNull();
    expect(quietSpell(stillParcel(50 * day, { courierCode: 'dhl' }), now, usual)).toBeNull();
    expect(quietSpell(stillParcel(50 * day, { courierCode: null }), now, usual)).toBeNull();
  });

  test.each([
    ['is delivered', inStatus('a', 'DELIVERED', 'DELIVERED_01', 9 * day)],
    ['is waiting to be picked up', inStatus('a', 'WAITING_DELIVERY', 'WAITING_DELIVERY_02', 9 * day)],
    ['has expired', inStatus('a', 'EXPIRED', null, 9 * day)],
    ['needs attention', inStatus('a', 'ABNORMAL', 'ABNORMAL_02', 9 * day)],
    ['is archived', stillParcel(9 * day, { archivedAt: ago(hour) })],
    ['was rejected', stillParcel(9 * day, { registration: 'rejected' })],
    ['has no record', aParcel({ record: null, lastEvent: null })],
  ])('is null for a parcel that %s', (_why, parcel) => expect(quietSpell(parcel, now, usual)).toBeNull());

  test('lasts until the parcel moves', () =>
    forAll(fc.integer({ min: 0, max: 100 * day }), fc.integer({ min: 0, max: 100 * day }), (age, later) => {
      if (quietSpell(stillParcel(age), now, usual) !== null) {
        expect(quietSpell(stillParcel(age), now + later, usual)).not.toBeNull();
      }
    }));
});
