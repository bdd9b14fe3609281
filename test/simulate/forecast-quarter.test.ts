import { expect, it } from 'vitest';
import type { ForecastScore } from '../../src/parcels/days-in-transit.ts';
import { forecastQuarter } from './forecast-quarter.ts';

const shareOf = ({ made, right }: ForecastScore): number => right / made;

// A late parcel counts on each morning, so the share of a single quarter is off by 3 of 100.
it('forecasts over a simulated quarter are right for 88 to 92 of 100, as scored and as shown, over four quarters', () => {
  const quarters = [1, 2, 3, 4].map((seed) => forecastQuarter({ seed, parcelsADay: 8 }));
  for (const name of ['byStats', 'shown'] as const) {
    const scores = quarters.map((quarter) => quarter[name]);
    const sum = (of: keyof ForecastScore): number => scores.reduce((total, score) => total + score[of], 0);
    expect(sum('made')).toBeGreaterThan(1500);
    expect(shareOf({ made: sum('made'), right: sum('right') })).toBeGreaterThan(0.88);
    expect(shareOf({ made: sum('made'), right: sum('right') })).toBeLessThan(0.92);
  }
});
