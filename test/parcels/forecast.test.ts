import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/lib/clock.ts';
import { createForecaster, type Journey, minDelivered, scoreForecasts } from '../../src/parcels/forecast.ts';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';

const dhl = { courier: 'dhl', countries: 'CN DE' };
const journeys = (days: readonly number[], route: Pick<Journey, 'courier' | 'countries'> = dhl): readonly Journey[] =>
  days.map((one, at) => ({ ...route, days: one, startedAt: (at - one) * dayMs, movedAt: at * dayMs }));
const later = 100 * dayMs;
const oneToTwenty = Array.from({ length: 20 }, (_, at) => at + 1);

describe('a forecast', () => {
  it('is the days in which half and nine in ten parcels came', () => {
    expect(createForecaster(journeys(oneToTwenty), later)(dhl, 0)).toEqual({ halfDays: 11, mostDays: 19 });
  });

  it('counts only parcels that took as long as this one has so far', () => {
    const forecast = createForecaster(journeys(oneToTwenty), later);
    expect(forecast(dhl, 8)).toEqual({ halfDays: 14, mostDays: 20 });
    // Fewer than ten took twelve days or more.
    expect(forecast(dhl, 12)).toBeNull();
  });

  it('goes by courier and route, then courier, then route, then all, from ten parcels on', () => {
    const ten = new Array<number>(minDelivered);
    const fast = { courier: 'dhl', countries: 'DE DE' };
    const known = [
      ...journeys(ten.fill(5)),
      ...journeys(new Array<number>(9).fill(1), fast),
      ...journeys(new Array<number>(30).fill(9), { courier: 'ups', countries: 'CN DE' }),
    ];
    const most = (route: Pick<Journey, 'courier' | 'countries'>) => createForecaster(known, later)(route, 0)?.maxDays;
    expect(most(dhl)).toBe(5);
    // Nine of its own are too few, so all of the courier count.
    expect(most(fast)).toBe(5);
    expect(most({ courier: 'fedex', countries: 'CN DE' })).toBe(9);
    expect(most({ courier: null, countries: null })).toBe(9);
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
      halfDays: 11,
      mostDays: 20,
    });
    // Ten of thirty parcels have not arrived, so it is unknown when nine in ten arrive.
    expect(createForecaster([...delivered, ...slow], later)(dhl, 0)).toBeNull();
  });

  it('takes the days whose share is nearest, so that half and nine in ten are neither early nor late', () => {
    const many = [...new Array<number>(85).fill(3), ...new Array<number>(10).fill(4), ...new Array<number>(5).fill(9)];
    expect(createForecaster(journeys(many), later)(dhl, 0)?.maxDays).toBe(4);
    expect(createForecaster(journeys([...many, ...new Array<number>(10).fill(3)]), later)(dhl, 0)?.maxDays).toBe(3);
  });

  it('does not wait for a parcel that is never heard of again', () => {
    const delivered = journeys(oneToTwenty);
    const silent = Array.from({ length: 10 }, () => ({ ...dhl, days: null, startedAt: 0, movedAt: 2 * dayMs }));
    expect(createForecaster([...delivered, ...silent], later)(dhl, 3)).toEqual(
      createForecaster(delivered, later)(dhl, 3),
    );
  });

  it('is not made from fewer than ten parcels', () => {
    expect(createForecaster(journeys(new Array<number>(9).fill(2)), later)(dhl, 0)).toBeNull();
    expect(createForecaster([], later)(dhl, 0)).toBeNull();
  });

  it('never ends before it begins, nor before today', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60), { maxLength: 80 }), fc.nat(60), (days, soFar) => {
        const forecast = createForecaster(journeys(days), later)(dhl, soFar);
        if (forecast === null) return;
        expect(forecast.halfDays).toBeGreaterThanOrEqual(soFar);
        expect(forecast.maxDays).toBeGreaterThanOrEqual(forecast.halfDays);
      }),
    );
  });
});

describe('the score of forecasts', () => {
  it('uses only what was delivered before a parcel began its way', () => {
    // All begin on the same day, so none is known to another.
    const atOnce = oneToTwenty.map((days) => ({ ...dhl, days, startedAt: 0, movedAt: days * dayMs }));
    expect(scoreForecasts(atOnce)).toEqual({ made: 0, right: 0 });
  });

  it('counts parcels that came by the day for nine in ten', () => {
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

  it.each([1, 2, 3, 4, 5])('is right for about nine in ten parcels of a steady courier, seed %i', (seed) => {
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
