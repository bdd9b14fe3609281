import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BenchOptions } from './bench-options.ts';
import { spreadOf } from './figures.ts';
import { type Finding, plainFinding } from './finding.ts';

const megabyte = 1024 * 1024;

/** How much the heap grows while the watchlist is refreshed very often. */
export async function measureMemory({ refreshes, firstRefreshes }: BenchOptions): Promise<readonly Finding[]> {
  const script = fileURLToPath(new URL('refresh-heap.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    script,
    String(firstRefreshes),
    String(refreshes),
  ]);
  const { before, after } = JSON.parse(stdout) as { readonly before: number; readonly after: number };
  const name = `heap grown in ${refreshes.toLocaleString('en')} refreshes`;
  return [plainFinding({ group: 'Memory', name, aim: 2 }, 'MB', spreadOf([(after - before) / megabyte]))];
}
