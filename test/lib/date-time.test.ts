import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatOffset,
  formatWallTime,
  parseInstant,
  parseOffset,
  parseWallTime,
  parseZonedTime,
} from '../../src/lib/date-time.ts';
import { forAll, forAllIn } from '../support/for-all.ts';
import { rounds } from '../support/rounds.ts';

test.each(['', 'soon', null, undefined])('parseInstant returns null for %j', (text) => {
  expect(parseInstant(text)).toBeNull();
});

test('parseInstant reads ISO 8601', () => {
  expect(parseInstant('2026-11-22T15:00:00.250Z')).toBe(Date.UTC(2026, 10, 22, 15, 0, 0, 250));
});

test.each([
  ['2026-11-22T15:00:00Z', '2026-11-22T15:00:00Z'],
  ['2026-11-22 15:00:00.5 +0100', '2026-11-22T14:00:00.500Z'],
  ['2026-11-22T15:00-05:30', '2026-11-22T20:30:00Z'],
  ['2026-11-22 15:00:00', null],
  ['2026-11-22', null],
])('parseZonedTime reads %s as %s', (text, instant) => {
  expect(parseZonedTime(text)).toBe(instant === null ? null : Date.parse(instant));
});

describe('an offset', () => {
  test.each([
    ['+08:00', 480],
    ['+0800', 480],
    ['+8', 480],
    ['-05:30', -330],
    ['UTC+2', 120],
    ['Z', 0],
    ['-00:00', 0],
  ])('can be written as %s for %i minutes', (text, minutes) => expect(parseOffset(text)).toBe(minutes));

  test.each(['CET', '+25:00', '', '+05:99', 'Europe/Berlin'])('cannot be written as "%s"', (text) => {
    expect(parseOffset(text)).toBeNull();
  });

  test('is formatted with its sign', () => {
    expect([0, 330, -570].map(formatOffset)).toEqual(['+00:00', '+05:30', '-09:30']);
  });
});

/** Returns the instant of a time, or null if formatting that does not return the same text. */
function existingInstant(text: string): number | null {
  const iso = `${text.replace(' ', 'T')}.000Z`;
  const date = new Date(iso);
  return Number.isFinite(date.getTime()) && date.toISOString() === iso ? date.getTime() : null;
}

describe('a wall time', () => {
  test.each(['', '2025-12-24', '2025-02-31 00:00:00', '2025-12-24 25:00:00', 'soon', '2025-12-24T03:36:14+01:00'])(
    'cannot be "%s"',
    (text) => {
      expect(parseWallTime(text)).toBeNull();
    },
  );

  test('is parsed only if its day and its minute exist', () => {
    const two = (value: number): string => String(value).padStart(2, '0');
    const part = fc.oneof(fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 62 }));
    forAllIn(rounds(2000), fc.integer({ min: 1, max: 9999 }), fc.tuple(part, part, part, part, part), (year, parts) => {
      const [month, day, hour, minute, second] = parts.map(two);
      const text = `${String(year).padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`;
      const instant = existingInstant(text);
      expect(parseWallTime(text)).toBe(year < 100 ? null : instant);
    });
  });

  test('can be formatted for any year in UTC', () => {
    forAll(fc.integer({ min: -1e11, max: 5e12 }), (at) => {
      expect(formatWallTime(at)).toBe(new Date(at).toISOString().slice(0, -5).replace('T', ' '));
    });
    expect([formatWallTime(Number.NaN), formatWallTime(9e15)]).toEqual(['', '']);
  });
});
