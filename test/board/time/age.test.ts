import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ageText,
  agoText,
  nextAgeChange,
  nextUntilChange,
  nextVisibleChange,
  spanText,
  untilText,
} from '../../../src/board/time/age.ts';
import { forAll, forAllIn } from '../../support/for-all.ts';
import { rounds } from '../../support/rounds.ts';
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

it('nextAgeChange is the exact instant at which the text changes, and no text changes earlier', () =>
  forAllIn(rounds(2000), distance, fc.double({ min: 0, max: 1, noNaN: true }), (elapsed, part) => {
    const from = now - elapsed;
    const next = nextAgeChange(from, now);
    const between = now + Math.floor((next - 1 - now) * part);
    expect(next).toBeGreaterThan(now);
    expect(ageText(from, between)).toBe(ageText(from, now));
    expect(ageText(from, next)).not.toBe(ageText(from, now));
  }));

describe('nextUntilChange', () => {
  it('is the exact instant at which the text changes, and no text changes earlier', () =>
    forAllIn(
      rounds(2000),
      distance.filter((left) => left > 0),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (left, part) => {
        const at = now + left;
        const next = nextUntilChange(at, now) ?? Number.NaN;
        const between = now + Math.floor((next - 1 - now) * part);
        expect(next).toBeGreaterThan(now);
        expect(untilText(at, between)).toBe(untilText(at, now));
        expect(untilText(at, next)).not.toBe(untilText(at, now));
      },
    ));

  it('changes at most every ten seconds in the last minute', () => {
    const at = now + minute;
    const changes: number[] = [];
    for (let next = nextUntilChange(at, now); next !== null; next = nextUntilChange(at, next)) changes.push(at - next);
    expect(changes).toEqual([50_000, 40_000, 30_000, 20_000, 10_000, 0]);
  });

  it('ends when the time has come', () => expect(nextUntilChange(now, now)).toBeNull());
});

describe('nextVisibleChange', () => {
  it('is the first change among all texts and turns', () => {
    const past = [now - 30_000, now - 3 * hour];
    const future = [now + 38 * minute + 1_000];
    expect(nextVisibleChange({ past, future }, now)).toBe(now + 1_000);
    expect(nextVisibleChange({ past, future: [] }, now)).toBe(now + 30_000);
    expect(nextVisibleChange({ past, future: [], turns: [now + 5, now - 5] }, now)).toBe(now + 5);
  });

  it('is never when nothing is shown', () => {
    expect(nextVisibleChange({ past: [], future: [now - 1] }, now)).toBeNull();
  });
});
