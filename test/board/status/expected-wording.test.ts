import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedWording } from '../../../src/board/status/expected-delivery.ts';
import { cellWidth } from '../../../src/lib/cells.ts';
import { Zone } from '../../../src/lib/date-time.ts';
import type { ExpectedDelivery } from '../../../src/service/record.ts';
import { forAll } from '../../support/for-all.ts';
import { berlin, day, hour, now } from '../parcels.ts';

const dayOf = (date: string): ExpectedDelivery => ({ kind: 'day', date });
const window = (from: string, to: string | null, offset = '+01:00'): ExpectedDelivery => ({
  kind: 'window',
  from: new Date(`${from}${offset}`).toISOString(),
  to: to === null ? null : new Date(`${to}${offset}`).toISOString(),
  offset,
});
const wording = (expected: ExpectedDelivery, at = now, zone = berlin) => {
  const { full, short } = expectedWording(expected, { now: at, zone });
  return [full, short];
};

// It is Saturday 21 November 2026, 13:42 in Berlin.
describe('an expected delivery in words', () => {
  it.each([
    ['2026-11-21', 'expected today', 'today'],
    ['2026-11-22', 'expected tomorrow', 'tomorrow'],
    ['2026-11-23', 'expected Mon 23 Nov', 'Mon 23 Nov'],
    ['2027-01-04', 'expected Mon 4 Jan', 'Mon 4 Jan'],
    ['2027-11-20', 'expected 20 Nov 2027', 'Nov 2027'],
    ['2026-11-20', 'expected yesterday', '1 d late'],
    ['2026-11-16', 'was expected Mon 16 Nov', '5 d late'],
    ['2025-11-16', 'was expected 16 Nov 2025', '1 y late'],
  ])('names a day: %s', (date, full, short) => expect(wording(dayOf(date))).toEqual([full, short]));

  it.each([
    ['2026-11-21T14:00', '2026-11-21T18:00', 'expected today 14:00–18:00', 'by 18:00'],
    ['2026-11-21T00:00', '2026-11-21T18:00', 'expected today by 18:00', 'by 18:00'],
    ['2026-11-21T15:00', '2026-11-21T15:00:40', 'expected today 15:00', 'by 15:00'],
    ['2026-11-21T00:00', '2026-11-21T23:59', 'expected today', 'today'],
    ['2026-11-21T00:00', '2026-11-22T00:00', 'expected today', 'today'],
    ['2026-11-21T15:00', null, 'expected today from 15:00', 'from 15:00'],
    ['2026-11-21T00:00', null, 'expected today', 'today'],
    ['2026-11-22T09:00', '2026-11-22T12:00', 'expected tomorrow 09:00–12:00', 'tomorrow'],
    ['2026-11-23T09:00', '2026-11-23T12:00', 'expected Mon 23 Nov 09:00–12:00', 'Mon 23 Nov'],
    ['2026-11-23T09:00', '2026-11-25T18:00', 'expected Mon 23 Nov – Wed 25 Nov', 'by 25 Nov'],
    ['2026-11-20T09:00', '2026-11-25T18:00', 'expected by Wed 25 Nov', 'by 25 Nov'],
    ['2026-11-20T09:00', '2026-11-22T18:00', 'expected by tomorrow', 'tomorrow'],
    ['2026-11-20T09:00', '2026-11-21T18:00', 'expected today', 'today'],
    ['2026-11-21T09:00', '2026-11-21T12:00', 'was expected today by 12:00', 'late today'],
    ['2026-11-20T09:00', '2026-11-20T12:00', 'expected yesterday', '1 d late'],
    ['2026-11-20T00:00', '2026-11-21T00:00', 'expected yesterday', '1 d late'],
    ['2026-11-14T09:00', '2026-11-16T12:00', 'was expected Mon 16 Nov', '5 d late'],
  ])('names a window: %s to %s', (from, to, full, short) => expect(wording(window(from, to))).toEqual([full, short]));

  it('uses its own zone, with the offset if the viewer has a different one', () => {
    // 21:42 in Tokyo.
    expect(wording(window('2026-11-21T20:00', '2026-11-21T22:00', '+09:00'))).toEqual([
      'expected today 20:00–22:00 +09:00',
      'today',
    ]);
    expect(wording(window('2026-11-21T18:00', '2026-11-21T20:00', '+09:00'))).toEqual([
      'was expected today by 20:00 +09:00',
      'late today',
    ]);
    // It is already tomorrow in Auckland.
    expect(wording(window('2026-11-22T09:00', '2026-11-22T12:00', '+13:00'))[0]).toBe(
      'expected today 09:00–12:00 +13:00',
    );
    expect(wording(window('2026-11-21T09:00', '2026-11-21T12:00', '+13:00'))[0]).toBe('expected yesterday');
  });

  it("uses the viewer's day if no zone is given", () => {
    const date = dayOf('2026-11-22');
    expect(wording(date, now, new Zone('Pacific/Auckland'))[0]).toBe('expected today');
    expect(wording(date, now, new Zone('Pacific/Pago_Pago'))[0]).toBe('expected tomorrow');
  });

  it('fits its column, and is late only after its end', () => {
    const offsets = ['-11:00', '-03:30', '+00:00', '+05:45', '+14:00'];
    forAll(
      fc.integer({ min: -900 * 24, max: 900 * 24 }),
      fc.option(fc.integer({ min: 1, max: 400 })),
      fc.constantFrom(...offsets),
      fc.constantFrom(berlin, new Zone('Asia/Kathmandu'), new Zone('America/St_Johns')),
      (fromHours, length, offset, zone) => {
        const from = now + fromHours * hour;
        const to = length === null ? null : from + length * hour;
        const iso = (at: number): string => new Date(at).toISOString();
        const expected: ExpectedDelivery = {
          kind: 'window',
          from: iso(from),
          to: to === null ? null : iso(to),
          offset,
        };
        const { full, short, tone } = expectedWording(expected, { now, zone });
        expect(cellWidth(short)).toBeLessThanOrEqual(10);
        expect(full).toMatch(/^(?:was )?expected /);
        if (tone === 'attention') expect(to ?? from).toBeLessThanOrEqual(now);
        if ((to ?? from) < now - day) expect(tone).toBe('attention');
      },
    );
  });
});
