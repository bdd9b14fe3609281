import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/lib/clock.ts';
import { createForecaster, type Journey, minDelivered, scoreForecasts } from '../../src/parcels/usual-times.ts';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { forAll } from '../support/for-all.ts';

const dhl = { courier: 'dhl', countries: 'CN DE' };
const journeys = (days: readonly number[], route: Pick<Journey, 'courier' | 'countries'> = dhl): readonly Journey[] =>
  days.map((count, at) => ({ ...route, days: count, startedAt: (at - count) * dayMs, movedAt: at * dayMs }));
const later = 100 * dayMs;
const oneToTwenty = Array.from({ length: 20 }, (_, at) => at + 1);

describe('a forecast', () => {
  const maxDaysFor = (known: readonly Journey[], route = dhl, daysSoFar = 0): number | undefined =>
    createForecaster(known, later)(route, daysSoFar)?.maxDays;

  it('gives the days within which half of the parcels arrived, and nine in ten', () => {
    const forecast = createForecaster(journeys(oneToTwenty), later)(dhl, 0);
    expect(forecast?.halfDays).toBeCloseTo(11, 5);
    expect(forecast?.maxDays).toBeCloseTo(19.4, 5);
  });

  it('counts only parcels that took as long as this one has so far', () => {
    const forecast = createForecaster(journeys(oneToTwenty), later);
    expect(forecast(dhl, 8)).toEqual({ halfDays: 14.5, maxDays: expect.closeTo(20.1, 5) });
    // Fewer than ten took twelve days or more.
    expect(forecast(dhl, 12)).toBeNull();
  });

  it('falls back from courier and route to courier, route and all parcels if there are fewer than ten', () => {
    const ten = new Array<number>(minDelivered);
    const fast = { courier: 'dhl', countries: 'DE DE' };
    const known = [
      ...journeys(ten.fill(5)),
      ...journeys(new Array<number>(9).fill(1), fast),
      ...journeys(new Array<number>(30).fill(9), { courier: 'ups', countries: 'CN DE' }),
    ];
    const forecast = createForecaster(known, later);
    const maxDaysOn = (route: Pick<Journey, 'courier' | 'countries'>) => Math.floor(forecast(route, 0)?.maxDays ?? 0);
    expect(maxDaysOn(dhl)).toBe(5);
    // Nine parcels on the route are too few, so all of the courier's parcels count.
    expect(maxDaysOn(fast)).toBe(5);
    expect(maxDaysOn({ courier: 'fedex', countries: 'CN DE' })).toBe(9);
    expect(maxDaysOn({ courier: null, countries: null })).toBe(9);
  });

  it('counts parcels that are still under way as slower', () => {
    const slow = Array.from({ length: 10 }, () => ({
      ...dhl,
      days: null,
      startedAt: later - 30 * dayMs,
      movedAt: later,
    }));
    const delivered = journeys(oneToTwenty);
    expect(createForecaster([...delivered, ...slow.slice(0, 1)], later)(dhl, 0)).toEqual({
      halfDays: 11.5,
      maxDays: expect.closeTo(20.3, 5),
    });
    // Ten of thirty parcels have not arrived, so it is unknown when nine in ten arrive.
    expect(createForecaster([...delivered, ...slow], later)(dhl, 0)).toBeNull();
  });

  it("spreads a day's deliveries over the whole day, so that the limit is neither early nor late", () => {
    const days = (count: number, day: number): readonly number[] => new Array<number>(count).fill(day);
    // 85 of 100 arrived by the end of the third day, and 95 by the end of the fourth.
    expect(maxDaysFor(journeys([...days(85, 3), ...days(10, 4), ...days(5, 9)]))).toBeCloseTo(4.5, 1);
    expect(maxDaysFor(journeys([...days(99, 3)]))).toBeCloseTo(3.9, 5);
  });

  it.each([10, 14, 19, 30, 60])('is right for nine in ten parcels, even if based on only %i deliveries', (count) => {
    const random = seededRandom(7, `share ${count}`);
    const days = (): number => 2 + 6 * random() ** 2;
    const hits = Array.from({ length: 4000 }, () => {
      const bound = maxDaysFor(journeys(Array.from({ length: count }, () => Math.floor(days()))));
      return bound !== undefined && days() <= bound;
    });
    expect(hits.filter(Boolean).length / hits.length).toBeCloseTo(0.9, 1.5);
  });

  it('is not delayed by parcels that were never heard of again', () => {
    const delivered = journeys(oneToTwenty);
    const silent = Array.from({ length: 10 }, () => ({ ...dhl, days: null, startedAt: 0, movedAt: 2 * dayMs }));
    expect(createForecaster([...delivered, ...silent], later)(dhl, 3)).toEqual(
      createForecaster(delivered, later)(dhl, 3),
    );
  });

  it('needs at least ten parcels', () => {
    expect(createForecaster(journeys(new Array<number>(9).fill(2)), later)(dhl, 0)).toBeNull();
    expect(createForecaster([], later)(dhl, 0)).toBeNull();
  });

  it('never ends before it begins, or before today', () =>
    forAll(fc.array(fc.nat(60), { maxLength: 80 }), fc.nat(60), (days, soFar) => {
      const forecast = createForecaster(journeys(days), later)(dhl, soFar);
      if (forecast === null) return;
      expect(forecast.halfDays).toBeGreaterThanOrEqual(soFar);
      expect(forecast.maxDays).toBeGreaterThanOrEqual(forecast.halfDays);
    }));
});

describe('the forecast score', () => {
  it('uses only parcels that were delivered before the journey began', () => {
    // All start on the same day, so none can use another's data.
    const simultaneous = oneToTwenty.map((days) => ({ ...dhl, days, startedAt: 0, movedAt: days * dayMs }));
    expect(scoreForecasts(simultaneous)).toEqual({ made: 0, right: 0 });
  });

  it('counts parcels that arrived by the 90% day', () => {
    const steady = Array.from({ length: 40 }, (_, at) => ({
      ...dhl,
      days: 2,
      startedAt: (at - 2) * dayMs,
      movedAt: at * dayMs,
    }));
    const { made, right } = scoreForecasts(steady);
    expect(made).toBe(29);
    expect(right).toBe(29);
    const late = { ...dhl, days: 9, startedAt: 51 * dayMs, movedAt: 60 * dayMs };
    expect(scoreForecasts([...steady, late])).toEqual({ made: 30, right: 29 });
  });

  it.each([1, 2, 3, 4, 5])('is about nine in ten for a steady courier, with seed %i', (seed) => {
    const random = seededRandom(seed, 'days');
    const many = Array.from({ length: 900 }, (_, at): Journey => {
      const days = 1 + Math.floor(30 * random() ** 2);
      const startedAt = (at / 4 + random()) * dayMs;
      return { ...dhl, days, startedAt, movedAt: startedAt + days * dayMs };
    });
    const { made, right } = scoreForecasts(many);
    expect(made).toBeGreaterThan(750);
    expect(right / made).toBeGreaterThan(0.85);
    expect(right / made).toBeLessThan(0.95);
  });
});
