import type { Clock } from '../../src/lib/clock.ts';
import { systemClock } from '../../src/system/clock.ts';
import { openStore, startCounting } from './counting.ts';

/**
 * A process that writes a watchlist in a database until it has done its part or is killed. Prints how far the counting is
 * when it is ready, and after each change that is written. Arguments: what to do, address, name, and by how many
 * milliseconds its clock is wrong.
 */

const [address = '', name = '', wrongBy = '0'] = process.argv.slice(2);
const clock: Clock = { ...systemClock, now: () => systemClock.now() + Number(wrongBy) };
const counting = await startCounting(await openStore({ address, clock }), name, clock);
for (;;) {
  process.stdout.write(`${counting.count}\n`);
  await counting.next();
}
