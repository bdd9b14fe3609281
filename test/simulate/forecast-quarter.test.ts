import { describe, expect, it } from 'vitest';
import type { ForecastScore } from '../../src/parcels/forecast.ts';
import { forecastQuarter } from './forecast-quarter.ts';

const shareOf = ({ made, right }: ForecastScore): number => right / made;

describe('forecasts over a simulated quarter', () => {
  it.each([1, 2])('are right for 85 to 95 of 100, as scored and as shown, seed %i', (seed) => {
    const { byStats, shown } = forecastQuarter({ seed, parcelsADay: 8 });
    expect(byStats.made).toBeGreaterThan(350);
    expect(shown.made).toBeGreaterThan(350);
    for (const score of [byStats, shown]) {
      expect(shareOf(score)).toBeGreaterThan(0.85);
      expect(shareOf(score)).toBeLessThan(0.95);
    }
  });
});
