import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageText, agoText, spanText, untilText } from '../../../src/board/time.ts';
import { forAll } from '../../support/for-all.ts';
import { day, hour, minute, now } from '../parcels.ts';

/** Durations around the boundaries of every unit. */
const distance = fc.oneof(
  fc.integer({ min: -5 * minute, max: 2 * hour }),
  fc.integer({ min: -day, max: 5 * day }),
  fc.integer({ min: 0, max: 1200 * day }),
  fc
    .tuple(
      fc.constantFrom(minute, hour, day, 365 * day),
      fc.integer({ min: 0, max: 70 }),
      fc.integer({ min: -2, max: 2 }),
    )
    .map(([unit, count, off]) => unit * count + off),
);

describe('ageText', () => {
  it.each([
    [-hour, '<1m'],
    [0, '<1m'],
    [minute - 1, '<1m'],
    [minute, '1m'],
    [38 * minute, '38m'],
    [hour, '1h'],
    [day - 1, '23h'],
    [2 * day, '2d'],
    [999 * day, '999d'],
    [1100 * day, '3y'],
  ])('shows %i ms as %s', (elapsed, text) => expect(ageText(now - elapsed, now)).toBe(text));

  it('takes at most four cells', () => forAll(distance, (elapsed) => ageText(now - elapsed, now).length <= 4));
});

it('agoText shows the age in words', () => {
  expect(agoText(now - 1_000, now)).toBe('just now');
  expect(agoText(now - 12 * minute, now)).toBe('12 m ago');
});

it.each([
  [0, 'now'],
  [1, '10 s'],
  [10_000, '10 s'],
  [10_001, '20 s'],
  [50_000, '50 s'],
  [50_001, '1 m'],
  [minute, '1 m'],
  [38 * minute, '38 m'],
  [59 * minute + 1, '1 h'],
  [5 * hour + 10 * minute, '5 h'],
  [50 * hour, '2 d'],
])('untilText shows %i ms as %s', (left, text) => expect(untilText(now + left, now)).toBe(text));

it.each([
  [52 * hour + 21 * minute, '2 d 4 h'],
  [3 * day, '3 d'],
  [5 * hour, '5 h'],
  [90_000, '1 m'],
])('spanText shows %i ms as %s', (span, text) => expect(spanText(span)).toBe(text));
