import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeRecord } from '../../src/parcels/merge-record.ts';
import { longestStillDays } from '../../src/parcels/usual-times.ts';
import { historyFormat } from '../../src/store/file/formats.ts';
import { forAll } from '../support/for-all.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

const record = { transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' };
const eventOn = (date: string, subStatus: string | null = 'IN_TRANSIT_01') =>
  checkpointOf('x', `2026-11-${date}:00:00Z`, { subStatus });

describe("a delivered parcel's longest stillness", () => {
  test('is the longest time between two events, in whole days', () => {
    const events = [
      eventOn('19T10', 'DELIVERED_01'),
      eventOn('18T09'),
      eventOn('14T10'),
      eventOn('13T10', 'INFO_RECEIVED_01'),
    ];
    expect(longestStillDays(record, events)).toBe(3);
    expect(longestStillDays(record, events.slice(0, 2))).toBe(1);
  });

  test('excludes events after the delivery, and a wait at the collection point', () => {
    const events = [
      eventOn('29T10', 'DELIVERED_02'),
      eventOn('20T10', 'WAITING_DELIVERY_02'),
      eventOn('12T10', 'WAITING_DELIVERY_02'),
      eventOn('11T10'),
      eventOn('09T09'),
    ];
    expect(longestStillDays(record, [eventOn('30T10'), ...events])).toBe(2);
  });

  test('is unknown for a parcel that is under way or has fewer than two timed events', () => {
    expect(
      longestStillDays({ ...record, transitStatus: 'IN_TRANSIT' }, [eventOn('19T10'), eventOn('10T10')]),
    ).toBeNull();
    expect(longestStillDays(record, [eventOn('19T10', 'DELIVERED_01')])).toBeNull();
    expect(longestStillDays(record, [])).toBeNull();
    expect(longestStillDays(record, [checkpointOf('x', null), checkpointOf('y', null)])).toBeNull();
  });

  test('never exceeds the time from the first event to the last', () => {
    const anyEvent = fc.record({
      hour: fc.nat(2_000),
      subStatus: fc.constantFrom(null, 'IN_TRANSIT_01', 'WAITING_DELIVERY_02', 'DELIVERED_01'),
      timed: fc.boolean(),
    });
    forAll(fc.array(anyEvent, { maxLength: 12 }), (drafts) => {
      const events = drafts
        .toSorted((left, right) => right.hour - left.hour)
        .map(({ hour, subStatus, timed }) =>
          checkpointOf('x', timed ? new Date(hour * 3_600_000).toISOString() : null, { subStatus }),
        );
      const days = longestStillDays(record, events) ?? 0;
      const hours = drafts.map(({ hour }) => hour);
      expect(days).toBeGreaterThanOrEqual(0);
      expect(days * 24).toBeLessThanOrEqual(
        Math.max(0, ...hours) - Math.min(2_000, ...hours, 2_000) + (hours.length === 0 ? 2_000 : 0),
      );
    });
  });

  test('is saved with a delivered record', () => {
    const checkpoints = [eventOn('19T10', 'DELIVERED_01'), eventOn('10T10')];
    const merged = mergeRecord(parcelOf('RB1CN'), historyFormat.empty, recordOf({ ...record, checkpoints }), 0);
    expect(merged.parcel.record?.longestStillDays).toBe(9);
    const returned = recordOf({
      transitStatus: 'ABNORMAL',
      transitSubStatus: 'ABNORMAL_07',
      checkpoints: [eventOn('20T10'), ...checkpoints],
    });
    expect(mergeRecord(merged.parcel, merged.history, returned, 0).parcel.record).not.toHaveProperty(
      'longestStillDays',
    );
  });
});
