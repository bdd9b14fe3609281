import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assumedServiceClock,
  formatServiceTime,
  measureServiceClock,
  parseServiceTime,
} from '../../../src/service/clock/service-clock.ts';

describe('service clock', () => {
  test('until it is measured, the service clock is eight hours ahead of UTC', () => {
    expect(parseServiceTime('2025-12-24 03:36:14', assumedServiceClock)).toBe(Date.parse('2025-12-23T19:36:14Z'));
  });

  test('what is written can be read, on any clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), fc.integer({ min: -48, max: 56 }), (seconds, quarters) => {
        const clock = { offsetMinutes: quarters * 15, source: 'configured' } as const;
        expect(parseServiceTime(formatServiceTime(seconds * 1000, clock), clock)).toBe(seconds * 1000);
      }),
    );
  });

  test('registering measures the clock, to the quarter of an hour', () => {
    const registeredAt = Date.parse('2026-11-21T10:00:00Z');
    expect(measureServiceClock('2026-11-21 18:00:02', registeredAt)).toEqual({
      offsetMinutes: 480,
      source: 'measured',
    });
    expect(measureServiceClock('2026-11-21 15:31:00', registeredAt)?.offsetMinutes).toBe(330);
    expect(measureServiceClock('2026-11-21 09:59:30', registeredAt)?.offsetMinutes).toBe(0);
  });

  test('a number that was not new, or a clock that is wrong, reports nothing', () => {
    const registeredAt = Date.parse('2026-11-21T10:00:00Z');
    expect(measureServiceClock('2026-11-21 18:07:00', registeredAt)).toBeNull();
    expect(measureServiceClock('2026-11-01 18:00:00', registeredAt)).toBeNull();
    expect(measureServiceClock(null, registeredAt)).toBeNull();
  });

  test('a time that names its zone, or Unix time, is an instant whatever the service clock is', () => {
    const at = Date.parse('2025-12-23T19:36:14Z');
    const texts = [
      '2025-12-23T19:36:14Z',
      '2025-12-23 19:36:14Z',
      '2025-12-24T03:36:14+08:00',
      '2025-12-24T03:36:14.000+0800',
      String(at / 1000),
      String(at),
    ];
    for (const text of texts) expect(parseServiceTime(text, assumedServiceClock), text).toBe(at);
    for (const text of ['2025-13-23T19:36:14Z', '2025-12-24T03:36:14+99:99', '17665', '1e12', 'soon', ''])
      expect(parseServiceTime(text, assumedServiceClock), text).toBeNull();
  });
});
