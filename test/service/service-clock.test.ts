import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Zone } from '../../src/lib/date-time.ts';
import {
  assumedServiceClock,
  formatServiceTime,
  measureServiceClock,
  parseServiceTime,
  serviceOffset,
} from '../../src/service/service-clock.ts';
import { forAll } from '../support/for-all.ts';

describe('a service clock in a zone', () => {
  const berlin = { zone: new Zone('Europe/Berlin'), source: 'configured' } as const;

  test.each([
    ['in winter', '2026-01-15 12:00:00', '2026-01-15T11:00:00Z'],
    ['in summer', '2026-07-15 12:00:00', '2026-07-15T10:00:00Z'],
    ['before the spring change', '2026-03-29 01:59:59', '2026-03-29T00:59:59Z'],
    ['after the spring change', '2026-03-29 03:00:00', '2026-03-29T01:00:00Z'],
    ['in the gap', '2026-03-29 02:30:00', '2026-03-29T01:30:00Z'],
    ['before the autumn change', '2026-10-25 01:59:59', '2026-10-24T23:59:59Z'],
    ['shown twice as the later one, so that no query is early', '2026-10-25 02:30:00', '2026-10-25T01:30:00Z'],
    ['after the autumn change', '2026-10-25 03:00:00', '2026-10-25T02:00:00Z'],
  ])('reads a time %s', (_name, text, instant) => expect(parseServiceTime(text, berlin)).toBe(Date.parse(instant)));

  test('reads its own output, except in the repeated hour', () => {
    const zones = ['Europe/Berlin', 'Asia/Shanghai', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia'];
    const clocks = zones.map((name) => ({ zone: new Zone(name), source: 'configured' }) as const);
    const seconds = fc.integer({ min: Date.UTC(2015, 0) / 1000, max: Date.UTC(2035, 0) / 1000 });
    forAll(seconds, fc.constantFrom(...clocks), (second, clock) => {
      const read = parseServiceTime(formatServiceTime(second * 1000, clock), clock) ?? Number.NaN;
      expect(read).toBeGreaterThanOrEqual(second * 1000);
      expect(formatServiceTime(read, clock)).toBe(formatServiceTime(second * 1000, clock));
      expect(read - second * 1000).toBeLessThanOrEqual(3_600_000);
    });
  });

  test('has the offset of the instant', () => {
    expect(serviceOffset(berlin, Date.parse('2026-01-15T11:00:00Z'))).toBe(60);
    expect(serviceOffset(berlin, Date.parse('2026-07-15T11:00:00Z'))).toBe(120);
  });
});

describe('the service clock', () => {
  test('is assumed to be eight hours ahead of UTC until it is measured', () => {
    expect(parseServiceTime('2025-12-24 03:36:14', assumedServiceClock)).toBe(Date.parse('2025-12-23T19:36:14Z'));
  });

  test('is read as it is formatted, with any offset', () =>
    forAll(fc.integer({ min: 0, max: 4e9 }), fc.integer({ min: -48, max: 56 }), (seconds, quarters) => {
      const clock = { offsetMinutes: quarters * 15, source: 'configured' } as const;
      expect(parseServiceTime(formatServiceTime(seconds * 1000, clock), clock)).toBe(seconds * 1000);
    }));

  test('is measured by a registration, to the quarter of an hour', () => {
    const registeredAt = Date.parse('2026-11-21T10:00:00Z');
    expect(measureServiceClock('2026-11-21 18:00:02', registeredAt)).toEqual({
      offsetMinutes: 480,
      source: 'measured',
    });
    expect(measureServiceClock('2026-11-21 15:31:00', registeredAt)?.offsetMinutes).toBe(330);
    expect(measureServiceClock('2026-11-21 09:59:30', registeredAt)?.offsetMinutes).toBe(0);
  });

  test('is not measured if the number was already registered or our clock is wrong', () => {
    const registeredAt = Date.parse('2026-11-21T10:00:00Z');
    expect(measureServiceClock('2026-11-21 18:07:00', registeredAt)).toBeNull();
    expect(measureServiceClock('2026-11-01 18:00:00', registeredAt)).toBeNull();
    expect(measureServiceClock(null, registeredAt)).toBeNull();
  });

  test('does not affect Unix times or times with a zone', () => {
    const at = Date.parse('2025-12-23T19:36:14Z');
    const times = [
      '2025-12-23T19:36:14Z',
      '2025-12-23 19:36:14Z',
      '2025-12-24T03:36:14+08:00',
      '2025-12-24T03:36:14.000+0800',
      String(at / 1000),
      String(at),
    ];
    for (const text of times) expect(parseServiceTime(text, assumedServiceClock), text).toBe(at);
    for (const text of ['2025-13-23T19:36:14Z', '2025-12-24T03:36:14+99:99', '17665', '1e12', 'soon', ''])
      expect(parseServiceTime(text, assumedServiceClock), text).toBeNull();
  });
});
