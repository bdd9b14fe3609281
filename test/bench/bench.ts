/**
 * Measures the built program and prints one table: every figure with its spread and, where there is one, its aim. What
 * can be asked for and how the table is read stands in the README beside this file. Needs `dist/`; `npm run bench` builds
 * it first.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { type GroupName, groupNames, readBenchOptions } from './bench-options.ts';
import { measureBytes } from './byte-group.ts';
import { measureCommands } from './command-group.ts';
import { measureDatabases } from './database-group.ts';
import { type Spread, wasBusy } from './figures.ts';
import { type Finding, missingFinding } from './finding.ts';
import { findingJson, findingsTable } from './findings-table.ts';
import { measureIdle } from './idle-group.ts';
import { measureKeys } from './key-group.ts';
import { measureMemory } from './memory-group.ts';
import { size } from './programs.ts';
import { measureStarts } from './start-group.ts';
import { measureStore } from './store-group.ts';
import { openWorkshop } from './workshop.ts';

// The sandbox of the bench runs in this process. As the program's launcher does.
process.env['TZ'] = 'UTC';

const options = readBenchOptions(process.argv.slice(2));
const startedAt = performance.now();
const elapsed = (): string => `${Math.round((performance.now() - startedAt) / 1000)} s`;
const note = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const load = loadavg()[0] ?? 0;
const workshop = await openWorkshop();
const bareNodes: Spread[] = [];
const withBareNode = ({ bareNode, findings }: { readonly bareNode: Spread; readonly findings: readonly Finding[] }) => {
  bareNodes.push(bareNode);
  return findings;
};
const groups: Readonly<Record<GroupName, () => Promise<readonly Finding[]>>> = {
  start: async () => withBareNode(await measureStarts(workshop, options)),
  commands: async () => withBareNode(await measureCommands(workshop, options)),
  keys: async () => await measureKeys(workshop, options),
  bytes: async () => await measureBytes(workshop, options),
  idle: async () => await measureIdle(workshop, options),
  store: async () => await measureStore(options),
  memory: async () => await measureMemory(options),
  database: async () => await measureDatabases(workshop, options, note),
};

const findings: Finding[] = [];
try {
  for (const name of [...groupNames, 'database' as const].filter((known) => options.groups.has(known))) {
    note(`${name} … (${elapsed()})`);
    try {
      findings.push(...(await groups[name]()));
    } catch (error) {
      // What else is measured takes minutes, and is not thrown away for this.
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      note(text);
      findings.push(
        missingFinding({ group: name, name, note: text.split(/[\n;]/, 1)[0]?.slice(0, 80) ?? '' }, 'times'),
      );
      process.exitCode = 1;
    }
  }
} finally {
  await workshop.close();
}

if (options.isJson) for (const finding of findings) process.stdout.write(findingJson(finding));
else process.stdout.write(`\n${findingsTable(findings)}`);
const machine = `${availableParallelism()} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}`;
const report = [
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${machine}; ${size.columns} x ${size.rows}; it took ${elapsed()}.`,
  ...(options.isQuick ? ['A quick run: few rounds, rough figures. Quote those of a whole run.'] : []),
  ...(bareNodes.some(wasBusy) || load > 1
    ? [`The machine was busy with something else (load ${load.toFixed(1)} at the start): measure again when it is not.`]
    : []),
];
(options.isJson ? process.stderr : process.stdout).write(`${report.join('\n')}\n`);
