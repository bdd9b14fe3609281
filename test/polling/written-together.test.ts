import { describe, expect, it } from 'vitest';
import { createMemoryStore, type WatchlistStore } from '../../src/store/store.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { checkpointOf } from '../support/records.ts';
import { createFakeService } from './fake-service.ts';
import { createHarness, draftOf, type Harness, startHarness } from './harness.ts';

const minuteMs = 60_000;
const batchLimit = 40;

/** Creates a store that counts the writes of the index. */
function createCountingStore(writesAtOnce = false): { readonly store: WatchlistStore; readonly writes: number[] } {
  const store = createMemoryStore();
  const writes: number[] = [];
  return {
    writes,
    store: {
      ...store,
      writesAtOnce,
      async write(parcels, basedOn, now) {
        if (parcels.length > 0) writes.push(parcels.length);
        return await store.write(parcels, basedOn, now);
      },
    },
  };
}

/** Creates a monitor with this many parcels, all due in an hour. Each call takes `callMs`. */
async function createMonitor(
  count: number,
  callMs: number,
  writesAtOnce = false,
): Promise<Harness & { readonly writes: number[]; readonly store: WatchlistStore }> {
  const { store, writes } = createCountingStore(writesAtOnce);
  const clock = createFakeClock();
  const service = createFakeService(clock, batchLimit);
  const harness = await startHarness({ store }, { clock, service });
  const { monitor } = harness;
  const drafts = Array.from({ length: count }, (_, index) => draftOf(`RB${1_000 + index}CN`, { courierCode: 'dhl' }));
  await monitor.addAll(drafts);
  const registered = monitor.refresh(monitor.getState().parcels.map(({ id }) => id));
  await clock.advance(5_000);
  await registered;
  const query = service.query.bind(service);
  service.query = async (...args) => {
    await new Promise<void>((resolve) => void clock.setTimer(callMs, resolve));
    return await query(...args);
  };
  writes.length = 0;
  return { ...harness, store, writes };
}

const replyWithUpdate = (harness: Harness, at: number): void => {
  harness.service.reply = () => ({
    transitStatus: 'IN_TRANSIT',
    lastTrackingTime: new Date(at).toISOString(),
    nextUpdateTime: null,
  });
};
const checkedSince = ({ monitor }: Harness, at: number): number =>
  monitor.getState().parcels.filter(({ checkedAt }) => Date.parse(checkedAt ?? '') >= at).length;

describe('the records from a check', () => {
  it('are written once for many calls', async () => {
    const harness = await createMonitor(400, 0);
    const { clock, monitor, writes } = harness;
    const at = clock.now();
    replyWithUpdate(harness, at);
    const checked = monitor.refresh(monitor.getState().parcels.map(({ id }) => id));
    await clock.advance(1);
    await checked;
    expect(harness.service.calls.slice(-10).map(({ trackNos }) => trackNos.length)).toEqual(Array(10).fill(batchLimit));
    expect(writes).toEqual([400]);
    expect(checkedSince(harness, at)).toBe(400);
  });

  it('are shown immediately and written at most two seconds after the first', async () => {
    const harness = await createMonitor(400, 500);
    const { clock, monitor, store, writes } = harness;
    const at = clock.now();
    replyWithUpdate(harness, at);
    const checked = monitor.refresh(monitor.getState().parcels.map(({ id }) => id));
    await clock.advance(600);
    expect(checkedSince(harness, at)).toBe(batchLimit);
    expect(writes).toEqual([]);
    await clock.advance(2_000);
    expect(writes.length).toBe(1);
    const stored = (await store.read()).parcels.filter(({ checkedAt }) => Date.parse(checkedAt ?? '') >= at);
    expect(stored.length).toBeGreaterThanOrEqual(4 * batchLimit);
    await clock.advance(10_000);
    await checked;
    expect(writes.length).toBeLessThanOrEqual(3);
    expect((await store.read()).parcels).toEqual(monitor.getState().parcels);
  });

  it('are written immediately by a store that writes only changes', async () => {
    const harness = await createMonitor(400, 500, true);
    const { clock, monitor, store, writes } = harness;
    const at = clock.now();
    replyWithUpdate(harness, at);
    const checked = monitor.refresh(monitor.getState().parcels.map(({ id }) => id));
    await clock.advance(600);
    expect(writes).toEqual([batchLimit]);
    const stored = (await store.read()).parcels.filter(({ checkedAt }) => Date.parse(checkedAt ?? '') >= at);
    expect(stored.length).toBe(batchLimit);
    await clock.advance(10_000);
    await checked;
    expect(writes).toEqual(Array(10).fill(batchLimit));
  });

  it("are written along with the user's changes", async () => {
    const harness = await createMonitor(80, 500);
    const { clock, monitor, store } = harness;
    const at = clock.now();
    replyWithUpdate(harness, at);
    const [first] = monitor.getState().parcels;
    const checked = monitor.refresh(monitor.getState().parcels.map(({ id }) => id));
    await clock.advance(600);
    await monitor.edit(first?.id ?? '', { label: 'Lamp' });
    const stored = (await store.read()).parcels;
    expect(stored[0]).toMatchObject({ label: 'Lamp', checkedAt: new Date(at + 500).toISOString() });
    expect(stored.filter(({ checkedAt }) => Date.parse(checkedAt ?? '') >= at).length).toBe(batchLimit);
    await clock.advance(minuteMs);
    await checked;
  });

  it('are written when the program ends', async () => {
    const harness = await createMonitor(80, 500);
    const { clock, monitor, store } = harness;
    const at = clock.now();
    replyWithUpdate(harness, at);
    const checked = monitor.refresh(monitor.getState().parcels.map(({ id }) => id)).catch((error: unknown) => error);
    await clock.advance(600);
    const stopped = monitor.stop();
    await clock.advance(1_000);
    await stopped;
    await checked;
    const stored = (await store.read()).parcels.filter(({ checkedAt }) => Date.parse(checkedAt ?? '') >= at);
    expect(stored.length).toBeGreaterThanOrEqual(batchLimit);
    expect(stored.length).toBe(checkedSince(harness, at));
  });

  it('leave no history for a parcel that another process has removed', async () => {
    const { clock, monitor, service, store } = await createMonitor(80, 500);
    const at = new Date(clock.now()).toISOString();
    service.reply = () => ({ checkpoints: [checkpointOf('Left the country', at)] });
    const watched = monitor.getState().parcels;
    const [kept, removed] = [watched.at(0), watched.at(-1)].map((parcel) => parcel?.id ?? '');
    const checked = monitor.refresh(watched.map(({ id }) => id));
    await clock.advance(100);
    const { monitor: other } = await createHarness({ store });
    await other.remove(removed ?? '');
    await clock.advance(minuteMs);
    await checked;
    expect((await store.readHistory(kept ?? '')).checkpoints).toHaveLength(1);
    expect((await store.readHistory(removed ?? '')).checkpoints).toEqual([]);
    expect(monitor.getState().parcels).toHaveLength(79);
  });

  it('are kept until there is space on the disk', async () => {
    const { store, writes } = createCountingStore();
    let isFull = false;
    const full: WatchlistStore = {
      ...store,
      async write(...write) {
        if (isFull && write[0].length > 0) throw new Error('ENOSPC: no space left on device');
        return await store.write(...write);
      },
    };
    const clock = createFakeClock();
    const harness = await startHarness({ store: full }, { clock, service: createFakeService(clock, batchLimit) });
    const { monitor } = harness;
    await monitor.addAll(Array.from({ length: 80 }, (_, index) => draftOf(`RB${1_000 + index}CN`)));
    const ids = monitor.getState().parcels.map(({ id }) => id);
    const first = monitor.refresh(ids);
    await clock.advance(5_000);
    await first;
    isFull = true;
    writes.length = 0;
    const at = clock.now();
    await monitor.refresh(ids);
    expect(checkedSince(harness, at)).toBe(80);
    expect(monitor.getState().polling.problem?.kind).toBe('store');
    isFull = false;
    await clock.advance(10_000);
    expect(writes).toEqual([80]);
    expect((await store.read()).parcels).toEqual(monitor.getState().parcels);
  });
});
