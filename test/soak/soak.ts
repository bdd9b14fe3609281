/**
 * Boards, commands, kills and bad weather on one store for a while:
 * `npm run soak -- --minutes 60 [--seed 1] [--speed 120] [--store postgres]`, the
 * last of which lets four hosts share a database. Ends with 1 when anything was lost or broke.
 */
import { parseArgs } from 'node:util';
import { builtCli } from '../support/built-cli.ts';
import type { CallLog } from './call-log.ts';
import { soak } from './soak-run.ts';
import { summaryRows } from './summary.ts';
import type { Tally } from './tally.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '120' },
    pace: { type: 'string', default: '1500' },
    store: { type: 'string', default: 'file' },
  },
});
const { store } = values;
if (store !== 'file' && store !== 'postgres') throw new RangeError('--store must be file or postgres.');
const positive = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (!(value > 0)) throw new RangeError(`--${name} must be a number above 0.`);
  return value;
};

const [minutes, seed] = [positive('minutes'), positive('seed')];
const tell = (line: string): void => void process.stderr.write(`${line}\n`);
const startedAt = Date.now();
const minutesSince = (): number => (Date.now() - startedAt) / 60_000;
let isInterrupted = false;
process.once('SIGINT', () => {
  isInterrupted = true;
});
process.once('SIGTERM', () => {
  isInterrupted = true;
});

const report = (tally: Tally, log: CallLog): void => {
  const { calls, mostInASecond } = log.figures();
  const counts = (['boards started', 'commands run', 'keys sent', 'adds acknowledged', 'faults switched'] as const)
    .map((name) => `${name} ${tally.of(name)}`)
    .join(', ');
  tell(
    `minute ${Math.round(minutesSince())} of ${minutes}: ${counts}, calls ${calls}, most in a second ${mostInASecond}, failures ${tally.failures()}`,
  );
};
let progress: NodeJS.Timeout | undefined;
const outcome = await soak({
  cli: builtCli,
  seed,
  store,
  speed: positive('speed'),
  paceMs: positive('pace'),
  isOver: () => isInterrupted || minutesSince() >= minutes,
  tell,
  onStart: (tally, log) => {
    progress = setInterval(() => report(tally, log), 60_000);
  },
});
clearInterval(progress);

const rows = summaryRows(outcome, minutesSince());
for (const [name, value] of rows) process.stdout.write(`${name.padEnd(30)}${value}\n`);
process.exit(outcome.tally.failures() === 0 ? 0 : 1);
