/**
 * Runs boards, commands and writers on one store while killing them, cutting them off, stopping them and injecting
 * service errors: `npm run stress -- [--store file|postgres] [--minutes N] [--seed N] [--only NAME]`, where each
 * scenario takes this many minutes. Prints a line of JSON per scenario, and progress on standard error. Exits with 1 if
 * anything was lost.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { builtCli } from '../support/built-cli.ts';
import { loseTheLease } from './losing-the-lease.ts';
import type { ScenarioOptions, ScenarioResult, StoreName } from './measure.ts';
import { runRandomPrograms } from './random-life.ts';
import {
  addDuringEdits,
  addSimultaneously,
  cutStatements,
  fillDisk,
  killOneOfFourWriters,
  killOnlyWriter,
  killServer,
} from './write-measures.ts';

/** Resolves with null if the system does not support the scenario. */
type Scenario = (taking: ScenarioOptions) => Promise<ScenarioResult | null>;

const random: Scenario = (taking) => runRandomPrograms(taking, { cli: builtCli });
const scenariosForBoth: Readonly<Record<string, Scenario>> = {
  'kill-one': killOnlyWriter,
  'kill-four': killOneOfFourWriters,
  'add-at-once': (taking) => addSimultaneously(taking),
  'full-disk': fillDisk,
};
const scenarios: Readonly<Record<StoreName, Readonly<Record<string, Scenario>>>> = {
  file: { ...scenariosForBoth, editor: (taking) => addDuringEdits(taking), random },
  postgres: {
    ...scenariosForBoth,
    'cut-statements': (taking) => cutStatements(taking),
    'kill-server': killServer,
    lease: (taking) => loseTheLease(taking, { cli: builtCli }),
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
const names = Object.keys(scenarios[store]).filter((name) => only === undefined || name === only);
if (names.length === 0) throw new RangeError(`--only must be one of ${Object.keys(scenarios[store]).join(', ')}.`);
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0 && Number.isFinite(seed))) throw new RangeError('--minutes and --seed must be numbers.');

let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true));
const report = (line: string): void => void process.stderr.write(`${line}\n`);
report(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}; ${minutes} minutes per scenario, or a little more.`,
);
for (const name of names) {
  if (isInterrupted) break;
  const startedAt = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedAt) / 1000);
  report(`${name} …`);
  let rounds = 0;
  const progress = setInterval(() => report(`${name}, ${seconds()} s: round ${rounds}`), 60_000);
  const shouldContinue = (done: number): boolean => {
    rounds = done;
    return !isInterrupted && seconds() < minutes * 60;
  };
  const result = await scenarios[store][name]?.({ store, shouldContinue, random: seededRandom(seed, name), report });
  clearInterval(progress);
  if (result == null) {
    report('Skipped the full disk: mounting a small one requires root, on Linux.');
    continue;
  }
  process.stdout.write(`${JSON.stringify({ name, store, ...result, seconds: seconds() })}\n`);
  if (result.lost + result.doubled + result.damaged + result.broken > 0) process.exitCode = 1;
}
