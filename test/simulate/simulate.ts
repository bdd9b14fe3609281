/**
 * Simulates a watchlist over days of virtual time and prints what the polling took:
 * `npm run simulate -- --parcels 10000 --days 30 [--seed 1] [--store postgres]`.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { simulateInDatabase } from './simulated-database.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '10000' },
    days: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    store: { type: 'string', default: 'memory' },
  },
});
const wholeNumber = (name: 'parcels' | 'days' | 'seed'): number => {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} must be a whole number above 0.`);
  return value;
};

const { store } = values;
if (store !== 'memory' && store !== 'postgres') throw new RangeError('--store must be memory or postgres.');
const [parcels, days, seed] = [wholeNumber('parcels'), wholeNumber('days'), wholeNumber('seed')];
const startedAt = performance.now();
const elapsed = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
const report = await simulate({
  parcels,
  days,
  seed,
  ...(store === 'postgres' ? { openStore: simulateInDatabase } : {}),
  onHours: (hours) => process.stderr.write(`hour ${hours} of ${24 * days} after ${elapsed()}\n`),
});

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const count = (value: number): string => value.toLocaleString('en');
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
  ['numbers checked', count(report.numbersAsked)],
  [
    'checked after nextUpdateTime',
    `median ${seconds(report.stalenessMedianMs)}, 99 % within ${seconds(report.stalenessP99Ms)}, all within ${seconds(report.stalenessLongestMs)}`,
  ],
  ['checked before their time', count(report.early)],
  ['calls failed', count(report.failed)],
  ['finished, without record', `${count(report.finished)}, ${count(report.withoutRecord)}`],
  [
    'every 15 minutes instead',
    `${count(report.every15Calls)} calls (${(report.every15Calls / report.callsSent).toFixed(1)} times), ${count(report.every15Numbers)} numbers (${(report.every15Numbers / report.numbersAsked).toFixed(1)} times)`,
  ],
  ['real time', elapsed()],
];
for (const [name, value] of rows) process.stdout.write(`${name.padEnd(28)}${value}\n`);
