import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../src/lib/date-time.ts';

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
