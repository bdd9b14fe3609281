/**
 * Measures the built program and prints a table of figures with their targets and spread. The README in this folder
 * describes the options and the table. Requires `dist/`, which `npm run bench` builds first.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { measureBytes } from './byte-group.ts';
import { measureCommands } from './command-group.ts';
import { measureDatabase } from './database-group.ts';
import type { Rounds } from './figures.ts';
import { type Finding, findingJson, findingsTable, missingFinding } from './findings.ts';
import { measureIdle } from './idle-group.ts';
import { measureKeys } from './key-group.ts';
import { size } from './programs.ts';
import { measureStarts } from './start-group.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/** The parts of the table, in order, each with its number of rounds and of warm-up rounds. */
const groups: Readonly<
  Record<string, readonly [number, number, (workshop: Workshop, rounds: Rounds) => Promise<readonly Finding[]>]>
> = {
  start: [12, 1, measureStarts],
  commands: [20, 1, measureCommands],
  keys: [100, 10, measureKeys],
  bytes: [20, 2, measureBytes],
  idle: [1, 0, measureIdle],
  database: [12, 1, measureDatabase],
};

// The sandbox runs in this process, which must set its zone as the launcher does.
process.env['TZ'] = 'UTC';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(groups).join() },
  },
});
const names = values.only.split(',');
for (const name of names) {
  if (groups[name] === undefined)
    throw new RangeError(`Unknown part "${name}". The parts are ${Object.keys(groups).join(', ')}.`);
}

const startedAt = performance.now();
const elapsed = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`;
const load = loadavg()[0] ?? 0;
const workshop = await openWorkshop();
const findings: Finding[] = [];
try {
  for (const [name, [rounds, warmUps, measure]] of Object.entries(groups)) {
    if (!names.includes(name)) continue;
    process.stderr.write(`${name} … (${elapsed()})\n`);
    try {
      const quick = { rounds: Math.ceil(rounds / 10), warmUps: Math.min(1, warmUps), isQuick: true };
      findings.push(...(await measure(workshop, values.quick ? quick : { rounds, warmUps, isQuick: false })));
    } catch (error) {
      // The other measurements take minutes, so a failure here must not discard them.
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`${text}\n`);
      findings.push(
        missingFinding({ group: name, name, note: text.split(/[\n;]/, 1)[0]?.slice(0, 80) ?? '' }, 'times'),
      );
      process.exitCode = 1;
    }
  }
} finally {
  await workshop.close();
}

if (values.json) for (const finding of findings) process.stdout.write(findingJson(finding));
else process.stdout.write(`\n${findingsTable(findings)}`);
const machine = `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}`;
const report = [
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${machine}; ${size.columns} x ${size.rows}; finished after ${elapsed()}.`,
  ...(values.quick ? ['This was a quick run: few rounds, rough figures. Quote only figures from a full run.'] : []),
  ...(load > 1 ? [`The machine was busy (load ${load.toFixed(1)} at the start). Measure again when it is idle.`] : []),
];
(values.json ? process.stderr : process.stdout).write(`${report.join('\n')}\n`);
