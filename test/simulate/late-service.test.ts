import { expect, it } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { quantile } from './figures.ts';
import { simulate } from './simulation.ts';

it('follows a late service with a wrong clock and failing numbers with hardly more calls than necessary', async () => {
  const problems = { lag: '30s', aheadMs: 90_000, poison: 1, failingRegistrations: 1, silent: 1 };
  const report = await simulate({ parcels: rounds(100, 60), days: rounds(5, 3), seed: 1, problems });
  const delays = [...report.newsDelays.values()].flat();
  expect(delays.length).toBeGreaterThan(500);
  expect(quantile(delays, 0.5)).toBeLessThanOrEqual(90_000);
  expect(report.callsSent / report.fewestPossible).toBeLessThanOrEqual(1.05);
});
