/**
 * Runs boards, commands and writers on one store, which are killed, cut off and stopped, with service errors: `npm run
 * stress -- [--store file|postgres] [--minutes N] [--seed N] [--only NAME]`, where each measure takes this many
 * minutes. Prints a line of JSON for each measure, and progress on standard error. Exits with 1 if anything was lost.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { builtCli } from '../support/built-cli.ts';
import { losingTheLease } from './losing-the-lease.ts';
import type { Measure, StoreName, Taking } from './measure.ts';
import { livingAtRandom } from './random-life.ts';
import {
  addingAtOnce,
  addingBesideAnEditor,
  cuttingStatements,
  fillingDisk,
  killingServer,
  killingTheOnlyWriter,
  killingWriters,
} from './write-measures.ts';

/** Null if the system does not support it. */
type Take = (taking: Taking) => Promise<Measure | null>;

const random: Take = (taking) => livingAtRandom(taking, { cli: builtCli });
const both: Readonly<Record<string, Take>> = {
  'kill-one': killingTheOnlyWriter,
  'kill-four': killingWriters,
  'add-at-once': (taking) => addingAtOnce(taking),
  'full-disk': fillingDisk,
};
const measures: Readonly<Record<StoreName, Readonly<Record<string, Take>>>> = {
  file: { ...both, editor: (taking) => addingBesideAnEditor(taking), random },
  postgres: {
    ...both,
    'cut-statements': (taking) => cuttingStatements(taking),
    'kill-server': killingServer,
    lease: (taking) => losingTheLease(taking, { cli: builtCli }),
    random,
  },
};

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'file' },
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const { only, store } = values;
if (store !== 'file' && store !== 'postgres') throw new RangeError('--store must be file or postgres.');
const names = Object.keys(measures[store]).filter((name) => only === undefined || name === only);
if (names.length === 0) throw new RangeError(`--only must be one of ${Object.keys(measures[store]).join(', ')}.`);
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0 && Number.isFinite(seed))) throw new RangeError('--minutes and --seed must be numbers.');

let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true));
const tell = (line: string): void => void process.stderr.write(`${line}\n`);
tell(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}; ${minutes} minutes a measure, or a little more.`,
);
for (const name of names) {
  if (isInterrupted) break;
  const startedAt = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedAt) / 1000);
  tell(`${name} …`);
  let rounds = 0;
  const progress = setInterval(() => tell(`${name}, ${seconds()} s: round ${rounds}`), 60_000);
  const goesOn = (done: number): boolean => {
    rounds = done;
    return !isInterrupted && seconds() < minutes * 60;
  };
  const measure = await measures[store][name]?.({ store, goesOn, random: seededRandom(seed, name), tell });
  clearInterval(progress);
  if (measure == null) {
    tell('No small disk can be mounted here (it takes root, on Linux): a full disk is left out.');
    continue;
  }
  process.stdout.write(`${JSON.stringify({ name, store, ...measure, seconds: seconds() })}\n`);
  if (measure.lost + measure.doubled + measure.damaged + measure.broken > 0) process.exitCode = 1;
}
