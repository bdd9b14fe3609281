import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import { expectedDelivery } from '../../src/service/record.ts';

describe('the expected delivery of a record', () => {
  it('is a window on UTC where the service gives an offset', () => {
    const reported = { start: '2026-11-23 09:00:00', end: '2026-11-23 12:00:00', timezone: '-05:00' };
    expect(expectedDelivery({ expectedDelivery: '2026-11-23', expectedDeliveryTime: reported })).toEqual({
      kind: 'window',
      from: '2026-11-23T14:00:00Z',
      to: '2026-11-23T17:00:00Z',
      offset: '-05:00',
    });
  });

  it.each<[string, JsonObject]>([
    ['no end', { start: '2026-11-23 09:00:00', timezone: '+00:00' }],
    ['an end before its start', { start: '2026-11-23 09:00:00', end: '2026-11-22 09:00:00', timezone: '+00:00' }],
  ])('is an instant for a window with %s', (_name, expectedDeliveryTime) => {
    expect(expectedDelivery({ expectedDeliveryTime })).toMatchObject({ kind: 'window', to: null });
  });

  it.each<[string, JsonObject]>([
    ['a date alone', { expectedDelivery: '2026-11-23' }],
    ['a time without an offset', { expectedDeliveryTime: { start: '2026-11-23 09:00:00' } }],
    ['a date with a time', { expectedDelivery: '2026-11-23 00:00:00', expectedDeliveryTime: null }],
  ])('is a day for %s', (_name, received) => {
    expect(expectedDelivery(received)).toEqual({ kind: 'day', date: '2026-11-23' });
  });

  it.each<JsonObject>([
    {},
    { expectedDelivery: '' },
    { expectedDelivery: null, expectedDeliveryTime: [] },
    { expectedDelivery: 'soon' },
    { expectedDelivery: '2026-02-31' },
    { expectedDelivery: '2026-11-231' },
    { expectedDeliveryTime: { start: 5, timezone: '+01:00' } },
  ])('is not known for %j', (received) => {
    expect(expectedDelivery(received)).toBeNull();
  });

  it('never fails, whatever was received', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (date, time) => {
        const answer = expectedDelivery({ expectedDelivery: date, expectedDeliveryTime: time } as JsonObject);
        expect(answer === null || ['day', 'window'].includes(answer.kind)).toBe(true);
      }),
    );
  });
});
