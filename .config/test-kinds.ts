/** Finds the tests that need processes or terminals by their imports, so that there is no list to maintain. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root } from './bundle.ts';

/** Makes the program start processes: Node itself, or a script with a shebang. */
const programs = /\bprocess\.execPath\b|#!\/(?:bin|usr)\//;

/** Starts processes, opens terminals, or needs the database server of the run. */
const starters = /^(?:node:(?:child_process|worker_threads)|@lydell\/node-pty|pg)$/;

/** All test files, as patterns for Vitest: those that need only the test process, and the others. */
export interface TestKinds {
  readonly inProcess: readonly string[];
  readonly withProcesses: readonly string[];
}

/** Sorts the test files by whether they, or what they import from `test`, start processes. */
export function testKinds(): TestKinds {
  const folder = join(root, 'test');
  const known = new Map<string, boolean>();
  const startsProcesses = (file: string): boolean => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    // Files that import one another are visited once.
    known.set(file, false);
    const text = readFileSync(file, 'utf8');
    const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier = '']) => specifier);
    const starts =
      programs.test(text) ||
      specifiers.some((specifier) => {
        if (!specifier.startsWith('.')) return starters.test(specifier);
        const path = resolve(dirname(file), specifier);
        return path.startsWith(folder) && /\.tsx?$/.test(path) && startsProcesses(path);
      });
    known.set(file, starts);
    return starts;
  };
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name));
  const patterns = (starting: boolean): readonly string[] =>
    files
      .filter((file) => startsProcesses(file) === starting)
      .map((file) => relative(root, file).replaceAll('\\', '/'));
  return { inProcess: patterns(false), withProcesses: patterns(true) };
}
