import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assumedServiceClock,
  formatOffset,
  formatServiceTime,
  formatWallTime,
  measureServiceClock,
  parseOffset,
  parseServiceTime,
  parseWallTime,
} from '../../../src/service/clock/service-clock.ts';
import { rounds } from '../../support/rounds.ts';

/** The instant of a time whose every part comes back as it was written; else null. */
function existingInstant(text: string): number | null {
  const iso = `${text.replace(' ', 'T')}.000Z`;
  const date = new Date(iso);
  return Number.isFinite(date.getTime()) && date.toISOString() === iso ? date.getTime() : null;
}

describe('service clock', () => {
  test('until it is measured, the service clock is eight hours ahead of UTC', () => {
    expect(parseServiceTime('2025-12-24 03:36:14', assumedServiceClock)).toBe(Date.parse('2025-12-23T19:36:14Z'));
  });

  test.each(['', '2025-12-24', '2025-02-31 00:00:00', '2025-12-24 25:00:00', 'soon', '2025-12-24T03:36:14+01:00'])(
    '"%s" is no time',
    (text) => {
      expect(parseWallTime(text)).toBeNull();
    },
  );

  test('a time is read when its day and its minute exist, and only then', () => {
    const two = (value: number): string => String(value).padStart(2, '0');
    const part = fc.oneof(fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 62 }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.tuple(part, part, part, part, part), (year, parts) => {
        const [month, day, hour, minute, second] = parts.map(two);
        const text = `${String(year).padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`;
        const instant = existingInstant(text);
        expect(parseWallTime(text)).toBe(year < 100 ? null : instant);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('an instant is written as dates write it, in every year and on every day', () => {
    const asDatesWrite = (at: number): string => new Date(at).toISOString().slice(0, -5).replace('T', ' ');
    for (let at = Date.UTC(1968, 11, 20, 12, 34, 56); at < Date.UTC(2101, 0, 9); at += 24 * 60 * 60_000) {
      if (formatWallTime(at) !== asDatesWrite(at)) expect(formatWallTime(at)).toBe(asDatesWrite(at));
    }
    fc.assert(
      fc.property(fc.integer({ min: -1e11, max: 5e12 }), (at) => {
        expect(formatWallTime(at)).toBe(asDatesWrite(at));
      }),
      { numRuns: 1000 },
    );
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

  test.each([
    ['+08:00', 480],
    ['+0800', 480],
    ['+8', 480],
    ['-05:30', -330],
    ['UTC+2', 120],
    ['Z', 0],
    ['-00:00', 0],
  ])('offset %s is %i minutes', (text, minutes) => {
    expect(parseOffset(text)).toBe(minutes);
  });

  test.each(['CET', '+25:00', '', '+05:99', 'Europe/Berlin'])('offset "%s" is not known', (text) => {
    expect(parseOffset(text)).toBeNull();
  });

  test('offsets are written with their sign', () => {
    expect([0, 330, -570].map(formatOffset)).toEqual(['+00:00', '+05:30', '-09:30']);
  });
});
