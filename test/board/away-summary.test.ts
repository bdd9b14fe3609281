import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { awayCounts, awayText } from '../../src/board/away-summary.ts';
import { cellWidth } from '../../src/lib/cells.ts';
import { type Change, changeKinds } from '../../src/parcels/change.ts';
import { forAll } from '../support/for-all.ts';
import { aChange, inStage } from './changes.ts';
import { hour, minute } from './parcels.ts';

const delivered = inStage('delivered', 'DELIVERED');
const failed = inStage('attention', 'DELIVERY_FAILED');
const countsText = (changes: readonly Change[]): string =>
  awayCounts(changes)
    .map(({ words }) => words)
    .join(', ');

describe('awayCounts', () => {
  test('counts parcels by their new stage, most urgent first', () => {
    const changes = [
      aChange(1, hour),
      aChange(2, hour, delivered),
      aChange(3, hour, failed),
      aChange(4, hour, delivered),
      aChange(5, hour, { change: 'event', to: {} }),
      aChange(6, hour, inStage('attention', 'ABNORMAL')),
      aChange(7, hour, inStage('pickup', 'WAITING_DELIVERY')),
      aChange(8, hour, inStage('out-for-delivery', 'OUT_FOR_DELIVERY')),
      aChange(9, hour, { change: 'rejected' }),
      aChange(10, hour, inStage('announced', 'INFO_RECEIVED')),
      aChange(11, hour, inStage('expired', 'EXPIRED')),
      aChange(12, hour, inStage('unknown', 'TELEPORTED')),
    ];
    expect(countsText(changes)).toBe(
      '2 need attention, 1 out for delivery, 1 ready for pick-up, 1 in transit, 1 announced, 1 unknown, 2 delivered, ' +
        '1 expired, 1 rejected, 1 moved',
    );
  });

  test('counts a parcel once, by its latest stage, even if an event follows', () => {
    const parcelId = 'lamp';
    const changes = [
      aChange(1, 5 * hour, { parcelId }),
      aChange(2, 4 * hour, { parcelId, ...failed }),
      aChange(3, 3 * hour, { parcelId, ...delivered }),
      aChange(4, 2 * hour, { parcelId, change: 'event', to: {} }),
    ];
    expect(countsText(changes)).toBe('1 delivered');
    expect(countsText(changes.slice(0, 2))).toBe('1 needs attention');
  });

  test('counts a parcel that only has a new event as moved', () => {
    expect(countsText([aChange(1, hour, { change: 'event', to: {} })])).toBe('1 moved');
  });

  test.each([
    ["the user's own actions", [aChange(1, hour, { change: 'archived' }), aChange(2, hour, { change: 'registered' })]],
    ['the recovery of failed checks', [aChange(1, hour, { change: 'recovered' })]],
    [
      'parcels that are no longer on the list',
      [aChange(1, hour, { parcelId: 'a' }), aChange(2, 0, { parcelId: 'a', change: 'removed', to: null })],
    ],
    [
      'the first result of a number that was just added',
      [
        aChange(1, hour, { parcelId: 'a', change: 'added', from: null }),
        aChange(2, hour - 5 * minute, { parcelId: 'a', from: { status: null } }),
        aChange(3, hour - 5 * minute, { parcelId: 'a', change: 'rejected' }),
      ],
    ],
    ['a number without a record', [aChange(1, hour, { from: { status: null }, ...inStage('no-record', 'NO_RECORD') })]],
  ])('ignores %s', (_name, changes) => expect(awayCounts(changes)).toEqual([]));

  test('counts a first result that arrives late', () => {
    const late = [
      aChange(1, hour, { parcelId: 'a', change: 'added', from: null }),
      aChange(2, hour - 11 * minute, { parcelId: 'a', from: { status: null } }),
    ];
    expect(countsText(late)).toBe('1 in transit');
  });

  test('never counts a parcel twice', () => {
    const change = fc.record({ parcel: fc.nat(5), change: fc.constantFrom(...changeKinds) });
    forAll(fc.array(change), (generated) => {
      const changes = generated.map(({ change: kind, parcel }, index) =>
        aChange(index + 1, hour, { parcelId: `p${parcel}`, change: kind }),
      );
      const counted = awayCounts(changes).reduce((sum, { count }) => sum + count, 0);
      expect(counted).toBeLessThanOrEqual(new Set(generated.map(({ parcel }) => parcel)).size);
    });
  });
});

describe('awayText', () => {
  const counts = awayCounts([
    aChange(1, hour, delivered),
    aChange(2, hour, delivered),
    aChange(3, hour, failed),
    aChange(4, hour),
    aChange(5, hour),
    aChange(6, hour),
  ]);

  test.each([
    [200, 'While you were away (9 h): 1 needs attention, 3 in transit, 2 delivered.'],
    [57, 'Away 9 h: 1 needs attention, 3 in transit, 2 delivered.'],
    [54, 'Away 9 h: 1 needs attention, 3 in transit, 2 more.'],
    [41, 'Away 9 h: 1 needs attention, 5 more.'],
    [20, '6 changed.'],
  ])('is shortened to fit %d cells', (width, expected) => expect(awayText(counts, 9 * hour, width)).toBe(expected));

  test('omits the duration if it was short, or if the clock was set back', () => {
    expect(awayText(counts.slice(0, 1), 20_000, 200)).toBe('While you were away: 1 needs attention.');
    expect(awayText(counts.slice(0, 1), -hour, 30)).toBe('Away: 1 needs attention.');
  });

  test('returns null if nothing happened', () => expect(awayText([], 9 * hour, 200)).toBeNull());

  test('fits any width from 10 cells up', () =>
    forAll(fc.integer({ min: 10, max: 120 }), fc.integer({ min: 0, max: 1000 * hour }), (width, away) => {
      expect(cellWidth(awayText(counts, away, width) ?? '')).toBeLessThanOrEqual(width);
    }));
});
