import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatWallTime, parseWallTime } from '../../src/lib/date-time.ts';
import { rounds } from '../support/rounds.ts';

/** The instant of a time whose every part comes back as it was written; else null. */
function existingInstant(text: string): number | null {
  const iso = `${text.replace(' ', 'T')}.000Z`;
  const date = new Date(iso);
  return Number.isFinite(date.getTime()) && date.toISOString() === iso ? date.getTime() : null;
}

describe('wall time', () => {
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
});
