import { describe, expect, test } from 'vitest';
import { isLate } from '../../src/parcels/delivery.ts';
import type { ExpectedDelivery } from '../../src/service/record.ts';
import { aCheckpoint, ago, aParcel, aRecord, berlin, hour, inStatus, now } from '../board/parcels.ts';

const expectedOn = (expectedDelivery: ExpectedDelivery) => aParcel({ record: aRecord({ expectedDelivery }) });
const viewer = { now, zone: berlin };

describe('isLate', () => {
  test.each<[string, ExpectedDelivery, boolean]>([
    ['yesterday', { kind: 'day', date: '2026-11-20' }, true],
    ['today', { kind: 'day', date: '2026-11-21' }, false],
    ['a window that has ended', { kind: 'window', from: ago(5 * hour), to: ago(hour), offset: '+01:00' }, true],
    ['a window that has begun', { kind: 'window', from: ago(hour), to: ago(-hour), offset: '+01:00' }, false],
    ['a window of whole days', { kind: 'window', from: '2026-11-20T23:00:00Z', to: null, offset: '+01:00' }, false],
  ])('compares the expected delivery with the current time: %s', (_when, expected, late) =>
    expect(isLate(expectedOn(expected), viewer)).toBe(late),
  );

  test('excludes parcels that are delivered, ready for pick-up or on their way back', () => {
    const expectedDelivery = { kind: 'day', date: '2026-11-01' } as const;
    const inStage = (status: string, subStatus: string | null) => {
      const parcel = inStatus('a', status, subStatus, hour);
      return { ...parcel, record: { ...aRecord(), ...parcel.record, expectedDelivery } };
    };
    expect(isLate(inStage('OUT_FOR_DELIVERY', 'WAITING_DELIVERY_01'), viewer)).toBe(true);
    expect(isLate(inStage('DELIVERED', 'DELIVERED_01'), viewer)).toBe(false);
    expect(isLate(inStage('WAITING_DELIVERY', 'WAITING_DELIVERY_02'), viewer)).toBe(false);
    expect(isLate(inStage('ABNORMAL', 'ABNORMAL_07'), viewer)).toBe(false);
    const failed = inStage('DELIVERY_FAILED', 'DELIVERY_FAILED_02');
    expect(isLate(failed, viewer)).toBe(true);
    expect(isLate({ ...failed, lastEvent: aCheckpoint({ subStatus: 'DELIVERED_01' }) }, viewer)).toBe(false);
    expect(isLate(aParcel(), viewer)).toBe(false);
  });
});
