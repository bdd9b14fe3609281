import { heapOfYear } from '../simulate/year.ts';
import type { BenchOptions } from './bench-options.ts';
import { spreadOf } from './figures.ts';
import { type Finding, missingFinding, plainFinding } from './finding.ts';

const megabyte = 1024 * 1024;
/** In megabytes: what a runtime holds differs by as much from one look to the next. */
const aim = 2;

/** How much the heap grows while a board is open for a simulated year. */
export async function measureMemory({ yearRefreshes }: BenchOptions): Promise<readonly Finding[]> {
  const about = { group: 'Memory', name: 'heap grown from hour to year on the board', aim };
  if (yearRefreshes === 0)
    return [missingFinding({ ...about, note: 'in a whole run, or node test/simulate/year.ts' }, 'MB')];
  const { after, before } = await heapOfYear(yearRefreshes);
  const name = `${about.name}, ${yearRefreshes.toLocaleString('en')} refreshes`;
  return [plainFinding({ ...about, name }, 'MB', spreadOf([(after - before) / megabyte]))];
}
