import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { ForecastScore } from '../../src/parcels/usual-times.ts';
import { parseFault } from '../../src/sandbox/faults/fault-rule.ts';
import { quantile } from './figures.ts';
import { forecastQuarter } from './forecast-quarter.ts';
import { simulateInDatabase } from './simulated-database.ts';
import { simulate } from './simulation.ts';

/**
 * Simulates a watchlist over days of virtual time and prints the cost of polling: `npm run simulate -- --parcels 10000
 * --days 30 [--seed 1] [--store postgres]`. To add service problems: `[--lag 30s] [--ahead 90s] [--poison 1]
 * [--failing-registration 1] [--silent 1] [--hasty 1]`. To measure how often forecasts are right over a quarter: `npm
 * run simulate -- --forecasts [--seed 1]`.
 */

// As the program's launcher does.
process.env['TZ'] = 'UTC';

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '10000' },
    days: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'memory' },
    lag: { type: 'string' },
    ahead: { type: 'string', default: '0s' },
    poison: { type: 'string', default: '0' },
    'failing-registration': { type: 'string', default: '0' },
    silent: { type: 'string', default: '0' },
    hasty: { type: 'string', default: '0' },
    forecasts: { type: 'boolean', default: false },
  },
});
const wholeNumber = (name: 'parcels' | 'days' | 'seed'): number => {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} must be a whole number above 0.`);
  return value;
};

const { store, lag } = values;
const hasProblems = ['lag', 'ahead', 'poison', 'failing-registration', 'silent', 'hasty'].some(
  (name) => !['0', '0s', undefined].includes(Reflect.get(values, name) as string | undefined),
);
const problems = {
  ...(lag === undefined ? {} : { lag }),
  // Parsed like the fault `skew`.
  aheadMs: parseFault(`skew:${values.ahead}`).delayMs ?? 0,
  poison: Number(values.poison),
  failingRegistrations: Number(values['failing-registration']),
  silent: Number(values.silent),
  hasty: Number(values.hasty),
};
if (store !== 'memory' && store !== 'postgres') throw new RangeError('--store must be memory or postgres.');
const [parcels, days, seed] = [wholeNumber('parcels'), wholeNumber('days'), wholeNumber('seed')];
if (values.forecasts) {
  for (const parcelsADay of [3, 8, 20]) {
    const { byStats, shown } = forecastQuarter({ parcelsADay, seed });
    const rate = ({ made, right }: ForecastScore): string =>
      `${right} of ${made} (${((100 * right) / made).toFixed(1)} %)`;
    process.stdout.write(`${parcelsADay} parcels a day: right ${rate(byStats)} as scored, ${rate(shown)} as shown\n`);
  }
  process.exit();
}
const startedAt = performance.now();
const elapsed = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
const report = await simulate({
  parcels,
  days,
  seed,
  ...(hasProblems ? { problems: problems } : {}),
  ...(store === 'postgres' ? { openStore: simulateInDatabase } : {}),
  onHours: (hours) => process.stderr.write(`hour ${hours} of ${24 * days} after ${elapsed()}\n`),
});

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const count = (value: number): string => value.toLocaleString('en');
const { fewestPossible, newsDelays, reasons } = report;
const delayText = (delays: readonly number[]): string =>
  `${count(delays.length)}: median ${seconds(quantile(delays, 0.5))}, 99 % ${seconds(quantile(delays, 0.99))}, longest ${seconds(quantile(delays, 1))}`;
/**
 * Replace the usual rows, which compare calls with due times that the program set itself, and so do not show a late
 * service.
 */
const problemRows: readonly (readonly [string, string])[] = [
  [
    'fewest possible',
    `${count(fewestPossible)} (sent: ${(report.callsSent / fewestPossible).toFixed(3)} times that; aim 1.05)`,
  ],
  ['shown after it was available', `${delayText([...newsDelays.values()].flat())}; aim: median 90 s`],
  ...[...newsDelays].map(([kind, delays]): readonly [string, string] => [`  ${kind}`, delayText(delays)]),
  ...[...reasons].map(([reason, calls]): readonly [string, string] => [`calls: ${reason}`, count(calls)]),
];
const rows: readonly (readonly [string, string])[] = [
  ['parcels, days, seed', `${count(parcels)}, ${days}, ${seed}`],
  [
    'calls sent',
    `${count(report.callsSent)} (${count(report.registerCalls)} to register, ${count(report.queryCalls)} queries)`,
  ],
  [
    'fewest possible',
    `${count(report.fewestCalls)} (sent: ${(report.callsSent / report.fewestCalls).toFixed(3)} times that; aim 1.05)`,
  ],
  ['numbers checked', count(report.numbersQueried)],
  [
    'checked after nextUpdateTime',
    `median ${seconds(report.stalenessMedianMs)}, 99 % within ${seconds(report.stalenessP99Ms)}, all within ${seconds(report.stalenessLongestMs)}`,
  ],
  ['checked before their time', count(report.early)],
  ['calls failed', count(report.failed)],
  ['finished, without record', `${count(report.finished)}, ${count(report.withoutRecord)}`],
  [
    'every 15 minutes instead',
    `${count(report.every15Calls)} calls (${(report.every15Calls / report.callsSent).toFixed(1)} times), ${count(report.every15Numbers)} numbers (${(report.every15Numbers / report.numbersQueried).toFixed(1)} times)`,
  ],
  ['real time', elapsed()],
];
const usualRowsOnly = ['fewest possible', 'checked after nextUpdateTime', 'checked before their time', 'calls failed'];
const shown = hasProblems
  ? rows.flatMap((row) => (row[0] === usualRowsOnly[0] ? problemRows : usualRowsOnly.includes(row[0]) ? [] : [row]))
  : rows;
for (const [name, value] of shown) process.stdout.write(`${name.padEnd(28)}${value}\n`);
