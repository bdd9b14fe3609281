import { describe, expect, it } from 'vitest';
import { secondMs as second } from '../../../src/lib/clock.ts';
import { StoreError } from '../../../src/lib/store-errors.ts';
import { defaultPollingPolicy } from '../../../src/polling/schedule/timings.ts';
import type { PollLease } from '../../../src/store/shared-state.ts';
import { createMemoryStore, type WatchlistStore } from '../../../src/store/store.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { createHarness, type Harness } from '../harness.ts';

/** Creates a monitor on a store that another process also writes to. */
async function createShared(options: { readonly service?: null } = {}): Promise<
  Harness & {
    readonly reads: () => number;
    fail(error: Error | null): void;
    addElsewhere(trackNo: string): Promise<void>;
  }
> {
  const inner = createMemoryStore();
  let [reads, failure]: [number, Error | null] = [0, null];
  const store: WatchlistStore = {
    ...inner,
    async newer(revision) {
      reads += 1;
      if (failure !== null) throw failure;
      return await inner.newer(revision);
    },
  };
  const harness = await createHarness({ ...options, store, policy: { followMs: defaultPollingPolicy.followMs } });
  return {
    ...harness,
    reads: () => reads,
    fail: (error) => {
      failure = error;
    },
    async addElsewhere(trackNo) {
      const parcel = parcelOf(trackNo);
      await inner.write([{ id: parcel.id, parcel }], await inner.read(), harness.clock.now());
    },
  };
}

describe('following the watchlist', () => {
  it.each([[{}], [{ service: null }]] as const)(
    'shows changes by other processes within a second: %j',
    async (options) => {
      const { monitor, clock, addElsewhere } = await createShared(options);
      monitor.start();
      await clock.advance(10 * second);
      await addElsewhere('RB1CN');
      await clock.advance(second);
      expect(monitor.getState().parcels.map(({ trackNo }) => trackNo)).toEqual(['RB1CN']);
      await monitor.stop();
    },
  );

  it('shows a failure once, and withdraws it with the next success', async () => {
    const { monitor, clock, fail, add } = await createShared();
    const { id } = await add('RB1CN');
    monitor.start();
    await clock.advance(10 * second);
    fail(new StoreError('no-permission', 'The watchlist cannot be read.', 'watchlist.json'));
    await monitor.refresh([id]);
    expect(monitor.getState().notices).toEqual(['The watchlist cannot be read.']);
    monitor.dismissNotice();
    await clock.advance(second);
    expect(monitor.getState().notices).toEqual([]);
    fail(null);
    await clock.advance(second);
    fail(new StoreError('no-permission', 'The watchlist cannot be read.', 'watchlist.json'));
    await monitor.refresh([id]);
    expect(monitor.getState().notices).toHaveLength(1);
    fail(null);
    await clock.advance(second);
    expect(monitor.getState().notices).toEqual([]);
    await monitor.stop();
  });

  it('stops with the monitor, and can start again', async () => {
    const { monitor, clock, reads, addElsewhere } = await createShared();
    monitor.start();
    await clock.advance(5 * second);
    await monitor.stop();
    const before = reads();
    await clock.advance(60 * second);
    expect(reads()).toBe(before);
    expect(clock.timers()).toBe(0);
    monitor.start();
    await addElsewhere('RB1CN');
    await clock.advance(second);
    expect(monitor.getState().parcels).toHaveLength(1);
    await monitor.stop();
  });

  it('renews its lease now and then, and asks for it again immediately after losing it', async () => {
    let [requests, isTaken] = [0, false];
    const lease: PollLease = {
      hold: async () => {
        requests += 1;
        return !isTaken;
      },
      isHeld: () => !isTaken,
      fence: () => null,
      release: async () => {},
    };
    const { followMs, reloadMs } = defaultPollingPolicy;
    const { monitor, clock } = await createHarness({ lease, policy: { followMs } });
    monitor.start();
    await clock.advance(60 * second);
    expect(requests).toBeLessThanOrEqual(60_000 / reloadMs + 1);
    isTaken = true;
    await clock.advance(reloadMs + followMs);
    expect(monitor.getState().polling.isFollowing).toBe(true);
    isTaken = false;
    await clock.advance(second);
    expect(monitor.getState().polling.isFollowing).toBe(false);
    await monitor.stop();
  });
});
