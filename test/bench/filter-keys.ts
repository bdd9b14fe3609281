import { performance } from 'node:perf_hooks';
import type { BenchOptions } from './bench-options.ts';
import { spreadOf } from './figures.ts';
import { type Finding, plainFinding } from './finding.ts';
import { frameMs } from './held-key.ts';
import { listPane, quietMs } from './programs.ts';
import type { TerminalProgram } from './terminal-program.ts';

/** Typed letter by letter, and taken back the same way. */
const filters = ['order 12', 'leipzig', 'customs'];

/** Types filters: how long a letter takes until the list stands that it leaves. */
export async function measureFilterKeys(
  run: TerminalProgram,
  parcels: number,
  { filters: count }: BenchOptions,
): Promise<Finding> {
  run.press('/');
  await run.waitUntilQuiet(500);
  await run.draw();
  const times: number[] = [];
  for (const filter of filters.slice(0, count)) {
    for (const key of [...filter, ...Array.from(filter, () => '\u007f')]) {
      const pressedAt = performance.now();
      run.press(key);
      await run.waitForMore();
      await run.waitUntilQuiet(quietMs);
      const changedAt = await run.lastChangeOf(listPane);
      if (changedAt !== null) times.push(changedAt - pressedAt);
    }
  }
  run.press('\u001b');
  return plainFinding(
    {
      group: 'Keys',
      name: `filter letter to list, ${parcels.toLocaleString('en')}`,
      aim: frameMs,
    },
    'ms',
    spreadOf(times),
  );
}
