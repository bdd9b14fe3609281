import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatOffset, formatWallTime, parseInstant, parseOffset, parseWallTime } from '../../src/lib/date-time.ts';
import { rounds } from '../support/rounds.ts';

const parsed = (text: string): number | null => (Number.isNaN(Date.parse(text)) ? null : Date.parse(text));

describe('an instant', () => {
  it('is the one that the runtime reads', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1600-01-01'), max: new Date('2500-01-01'), noInvalidDate: true }),
        (date) => {
          expect(parseInstant(date.toISOString())).toBe(date.getTime());
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is none where the runtime reads none, and whatever else it reads', () => {
    const pattern = '2026-11-22T15:00:00.000Z';
    fc.assert(
      fc.property(fc.nat({ max: 23 }), fc.constantFrom(...'0123456789:-.TZ+ a,'), (place, sign) => {
        const text = `${pattern.slice(0, place)}${sign}${pattern.slice(place + 1)}`;
        expect(parseInstant(text)).toBe(parsed(text));
      }),
      { numRuns: 2000 },
    );
    for (const text of [
      '',
      '2026-11-22',
      '2026-11-22T15:00:00Z',
      '2026-02-29T00:00:00.000Z',
      '2024-02-29T00:00:00.000Z',
    ])
      expect(parseInstant(text)).toBe(parsed(text));
    expect([parseInstant(null), parseInstant(undefined)]).toEqual([null, null]);
  });
});

describe('offset', () => {
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
