import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { heapOfYear } from '../simulate/year.ts';
import type { BenchOptions } from './bench-options.ts';
import { spreadOf } from './figures.ts';
import { type Finding, missingFinding, plainFinding } from './finding.ts';

const megabyte = 1024 * 1024;

/** How much the heap grows while the watchlist is refreshed very often, and while a board is open for a simulated year. */
export async function measureMemory(options: BenchOptions): Promise<readonly Finding[]> {
  const script = fileURLToPath(new URL('refresh-heap.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    script,
    String(options.firstRefreshes),
    String(options.refreshes),
  ]);
  const name = `heap grown in ${options.refreshes.toLocaleString('en')} refreshes`;
  return [
    grownFinding(name, JSON.parse(stdout) as HeapBytes),
    options.yearRefreshes === 0
      ? missingFinding({ group, name: yearName, aim, note: 'in a whole run, or node test/simulate/year.ts' }, 'MB')
      : grownFinding(
          `${yearName}, ${options.yearRefreshes.toLocaleString('en')} refreshes`,
          await heapOfYear(options.yearRefreshes),
        ),
  ];
}

const group = 'Memory';
const yearName = 'heap grown from hour to year on the board';
/** In megabytes: what a runtime holds differs by as much from one look to the next. */
const aim = 2;

/** A heap before and after. */
interface HeapBytes {
  readonly before: number;
  readonly after: number;
}

function grownFinding(name: string, { before, after }: HeapBytes): Finding {
  return plainFinding({ group, name, aim }, 'MB', spreadOf([(after - before) / megabyte]));
}
