import { expect, it } from 'vitest';
import { BusyCounter } from '../../src/lib/async.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import type { ListChange } from '../../src/parcels/parcel-list.ts';
import { defaultPollingPolicy } from '../../src/polling/schedule/timings.ts';
import { WatchlistLog } from '../../src/polling/watchlist-log.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { draftOf } from './harness.ts';

it('applies each of many simultaneous changes only twice: to show it and to write it', async () => {
  const clock = createFakeClock();
  const shown: number[] = [];
  const log = new WatchlistLog({
    store: createMemoryStore(),
    clock,
    policy: defaultPollingPolicy,
    busy: new BusyCounter(),
    onParcels: (parcels) => shown.push(parcels.length),
    onChangeSeq: () => undefined,
    onProblem: () => undefined,
  });
  await log.reload();
  const numbers = Array.from({ length: 200 }, (_, index) => `RB1000${index}CN`);
  let applied = 0;
  const add = (trackNo: string): ListChange => {
    const parcel = newParcel(draftOf(trackNo), clock.now(), Math.random);
    return (current) => {
      applied += 1;
      return [...current, parcel];
    };
  };
  await Promise.all(numbers.map((trackNo) => log.commit(add(trackNo))));
  expect(log.parcels().map(({ trackNo }) => trackNo)).toEqual(numbers);
  expect(shown.slice(0, 200)).toEqual(numbers.map((_, index) => index + 1));
  // The first change is written before the others are made.
  expect(applied).toBeLessThanOrEqual(3 * numbers.length);
});
