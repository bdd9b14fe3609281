import { describe, expect, it } from 'vitest';
import { hourMs as hour, minuteMs as minute, secondMs as second } from '../../src/lib/clock.ts';
import { StoreError } from '../../src/lib/store-errors.ts';
import { KeyRefusedError } from '../../src/service/port.ts';
import { createMemoryStore, type WatchlistStore } from '../../src/store/store.ts';
import { checkpointOf } from '../support/records.ts';
import { onServiceClock } from './fake-service.ts';
import { createHarness, createPseudoRandom, draftOf, startHarness } from './harness.ts';

/** Creates a store on a disk that can fill up. */
function createFillingStore(): WatchlistStore & { full: boolean; writes: number } {
  const inner = createMemoryStore();
  const store = {
    ...inner,
    full: false,
    writes: 0,
    write: async (...args: Parameters<WatchlistStore['write']>) => {
      if (store.full)
        throw new StoreError('disk-full', 'No space left to write watchlist.json. Free some space.', 'watchlist.json');
      store.writes += 1;
      return await inner.write(...args);
    },
  };
  return store;
}

it('archives, restores and edits several parcels in one write and one undo step, skipping missing ones', async () => {
  const inner = createMemoryStore();
  let writes = 0;
  const store: WatchlistStore = {
    ...inner,
    write: (...args) => {
      writes += 1;
      return inner.write(...args);
    },
  };
  const { add, monitor } = await startHarness({ store });
  const ids = [(await add('RB1CN')).id, (await add('RB2CN')).id, (await add('RB3CN')).id];
  const archived = (): number => monitor.getState().parcels.filter(({ archivedAt }) => archivedAt !== null).length;
  writes = 0;
  await monitor.archiveAll([...ids.slice(0, 2), 'gone']);
  expect(archived()).toBe(2);
  await monitor.restoreAll(ids);
  expect(archived()).toBe(0);
  await monitor.editAll(ids, { addTags: ['gift'] });
  expect(monitor.getState().parcels.map(({ tags }) => tags)).toEqual([['gift'], ['gift'], ['gift']]);
  expect(writes).toBe(3);
  expect((await monitor.undo())?.parcelIds).toHaveLength(3);
  expect((await monitor.undo())?.message).toBe('2 parcels are archived again.');
  expect(archived()).toBe(2);
});

describe('the state', () => {
  it('is the same object until something changes, and notifies its listeners', async () => {
    const { monitor, clock, add } = await createHarness();
    const before = monitor.getState();
    expect(monitor.getState()).toBe(before);
    let notifications = 0;
    const unsubscribe = monitor.subscribe(() => {
      notifications += 1;
    });
    await add('RB1CN');
    expect(notifications).toBeGreaterThan(0);
    const after = monitor.getState();
    expect(after).not.toBe(before);
    expect(before.parcels).toHaveLength(0);
    unsubscribe();
    const notificationsSoFar = notifications;
    await add('RB2CN');
    expect(notifications).toBe(notificationsSoFar);
    await clock.advance(hour);
    expect(monitor.getState()).toBe(monitor.getState());
  });

  it('does not change while nothing happens', async () => {
    const { monitor, clock, add } = await createHarness({ policy: { followMs: 5 * second } });
    monitor.start();
    await add('RB1CN');
    await clock.advance(5 * minute);
    const state = monitor.getState();
    await clock.advance(50 * minute);
    expect(monitor.getState()).toBe(state);
    await monitor.stop();
  });

  it('shows the time of the next call', async () => {
    const { monitor, clock, add } = await createHarness();
    expect(monitor.getState().polling).toMatchObject({ phase: 'off', nextPollAt: null, callsSent: 0 });
    monitor.start();
    expect(monitor.getState().polling).toMatchObject({ phase: 'waiting', nextPollAt: null });
    await add('RB1CN');
    await clock.advance(2 * second);
    expect(monitor.getState().polling).toMatchObject({
      phase: 'waiting',
      nextPollAt: clock.now() + hour,
      lastResponseAt: clock.now(),
      callsSent: 2,
    });
    await monitor.stop();
    expect(monitor.getState().polling.phase).toBe('off');
  });
});

describe('add', () => {
  it('shows the parcel immediately, and resolves once it is written', async () => {
    const store = createFillingStore();
    const { monitor } = await createHarness({ store });
    const added = monitor.add(draftOf('RB1CN', { label: 'Lamp' }));
    expect(monitor.getState().parcels).toMatchObject([{ trackNo: 'RB1CN', registration: 'pending' }]);
    expect(await added).toMatchObject({ kind: 'added', parcel: { label: 'Lamp' } });
    expect((await store.read()).parcels).toHaveLength(1);
  });

  it('recognises a number that another process has added', async () => {
    const store = createMemoryStore();
    const [mine, other] = [
      await createHarness({ store }),
      await createHarness({ store, random: createPseudoRandom(2) }),
    ];
    await other.monitor.add(draftOf('RB1CN'));
    expect((await mine.monitor.add(draftOf('RB1CN'))).kind).toBe('duplicate');
    expect(mine.monitor.getState().parcels).toHaveLength(1);
  });

  it('combines many simultaneous additions into a few writes', async () => {
    const store = createFillingStore();
    const { monitor } = await createHarness({ store });
    await Promise.all(Array.from({ length: 200 }, (_, index) => monitor.add(draftOf(`RB${index}`))));
    expect(monitor.getState().parcels).toHaveLength(200);
    expect(store.writes).toBeLessThan(5);
  });
});

describe('a store that cannot be written', () => {
  it('loses no changes: they are shown now and written later', async () => {
    const store = createFillingStore();
    const { monitor, clock } = await createHarness({ store });
    monitor.start();
    store.full = true;
    await expect(monitor.add(draftOf('RB1CN'))).rejects.toMatchObject({ kind: 'disk-full' });
    await expect(monitor.add(draftOf('RB2CN'))).rejects.toThrow(/Free some space/);
    await clock.advance(minute);
    const { parcels, polling, notices } = monitor.getState();
    expect(parcels.map(({ trackNo, registration }) => [trackNo, registration])).toEqual([
      ['RB1CN', 'registered'],
      ['RB2CN', 'registered'],
    ]);
    expect(polling.problem).toMatchObject({ kind: 'store', message: expect.stringContaining('Unsaved changes') });
    expect(notices).toEqual([polling.problem?.message]);
    expect((await store.read()).parcels).toHaveLength(0);

    store.full = false;
    await clock.advance(minute);
    expect((await store.read()).parcels.map(({ trackNo }) => trackNo)).toEqual(['RB1CN', 'RB2CN']);
    expect(monitor.getState().polling.problem).toBeNull();
    await monitor.stop();
  });

  it('is tried once more when the monitor stops, which fails if the write does', async () => {
    const store = createFillingStore();
    const { monitor, clock } = await createHarness({ store });
    store.full = true;
    await expect(monitor.add(draftOf('RB1CN'))).rejects.toMatchObject({ kind: 'disk-full' });
    await expect(monitor.stop()).rejects.toThrow(/No space left.*Not saved: added RB1CN\.$/);
    store.full = false;
    await monitor.stop();
    expect((await store.read()).parcels).toHaveLength(1);
    expect(clock.timers()).toBe(0);
  });

  it('does not make stopping fail if everything is written by then', async () => {
    const { add, clock, monitor, service } = await createHarness();
    await add('RB1CN');
    service.query = () => new Promise(() => {});
    monitor.start();
    await clock.advance(24 * 60 * minute);
    expect(monitor.getState().polling.phase).toBe('checking');
    await monitor.stop(AbortSignal.abort());
    expect(monitor.unwritten()).toBeNull();
  });

  it('causes one notice for many histories, which is withdrawn when they can be written', async () => {
    const inner = createMemoryStore();
    let isFull = true;
    const store: WatchlistStore = {
      ...inner,
      updateHistory: async (id, change) => {
        if (isFull)
          throw new StoreError('disk-full', `No space left to write history/${id}.json. Free some space.`, id);
        return await inner.updateHistory(id, change);
      },
    };
    const { clock, monitor } = await createHarness({ store });
    await Promise.all(Array.from({ length: 30 }, (_, index) => monitor.add(draftOf(`RB${index}CN`))));
    monitor.start();
    await clock.advance(minute);
    expect(monitor.getState().notices).toHaveLength(1);
    expect(monitor.getState().parcels.every(({ record }) => record !== null)).toBe(true);
    monitor.dismissNotice();
    await clock.advance(3 * hour);
    expect(monitor.getState().notices).toEqual([]);
    isFull = false;
    await clock.advance(2 * hour);
    isFull = true;
    await clock.advance(2 * hour);
    expect(monitor.getState().notices).toHaveLength(1);
    isFull = false;
    await clock.advance(2 * hour);
    expect(monitor.getState().notices).toEqual([]);
    await monitor.stop();
  });
});

describe('notices', () => {
  it('stay until they are dismissed', async () => {
    const store: WatchlistStore = {
      ...createMemoryStore(),
      takeNotices: () => ['watchlist.json was moved to aside.json.'],
    };
    const { monitor } = await createHarness({ store });
    expect(monitor.getState().notices).toEqual(['watchlist.json was moved to aside.json.']);
    monitor.dismissNotice();
    expect(monitor.getState().notices).toEqual([]);
    monitor.notify('One was refused.');
    monitor.notify('Two were refused.', 'One was refused.');
    monitor.notify('Something else.', 'Nothing like that.');
    expect(monitor.getState().notices).toEqual(['Two were refused.', 'Something else.']);
  });

  it('stay for only a few seconds if they are brief', async () => {
    const { clock, monitor } = await createHarness();
    const timers = clock.timers();
    monitor.notifyBriefly('The page is https://c.example.');
    await clock.advance(15 * second);
    monitor.notifyBriefly('The page is https://c.example.');
    monitor.notify('A file is damaged.');
    await clock.advance(15 * second);
    expect(monitor.getState().notices).toEqual(['The page is https://c.example.', 'A file is damaged.']);
    await clock.advance(5 * second);
    expect(monitor.getState().notices).toEqual(['A file is damaged.']);
    expect(clock.timers()).toBe(timers);
  });
});

describe('edit, archive, restore, remove', () => {
  const news = { checkpoints: [checkpointOf('Arrived', '2026-11-19T08:00:00Z')] };

  it('register again when the courier changes, with a new history', async () => {
    const { monitor, clock, service, add, parcel } = await createHarness();
    service.reply = () => ({ ...news, nextUpdateTime: onServiceClock(clock.now() + hour) });
    monitor.start();
    const { id } = await add('RB1CN', { courierCode: 'dhl' });
    await clock.advance(minute);
    expect((await monitor.history(id)).checkpoints).toHaveLength(1);
    await monitor.edit(id, { courierCode: 'ups', label: 'Lamp' });
    expect(parcel('RB1CN')).toMatchObject({ courierCode: 'ups', label: 'Lamp', record: null });
    expect((await monitor.history(id)).checkpoints).toHaveLength(0);
    await clock.advance(second);
    expect(service.calls.findLast(({ operation }) => operation === 'register')?.keys).toMatchObject([
      { trackNo: 'RB1CN', courierCode: 'ups' },
    ]);
    await monitor.stop();
  });

  it('ignore a response about the old courier', async () => {
    const { monitor, clock, service, add, parcel } = await createHarness();
    monitor.start();
    const { id } = await add('RB1CN', { courierCode: 'dhl' });
    await clock.advance(second);
    let edited: Promise<unknown> = Promise.resolve();
    service.reply = () => {
      edited = monitor.edit(id, { courierCode: 'ups' });
      return { transitStatus: 'DELIVERED' };
    };
    await clock.advance(second);
    await edited;
    expect(parcel('RB1CN')).toMatchObject({ courierCode: 'ups', record: null });
    await monitor.stop();
  });

  it('remove a parcel and its history, even during a check', async () => {
    const { monitor, clock, service, add } = await createHarness();
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(second);
    let removed: Promise<unknown> = Promise.resolve();
    service.reply = () => {
      removed = monitor.remove(id);
      return news;
    };
    await clock.advance(minute);
    await removed;
    expect(monitor.getState().parcels).toHaveLength(0);
    expect((await monitor.history(id)).checkpoints).toHaveLength(0);
    await monitor.stop();
  });

  it('fail for a parcel that is gone', async () => {
    const { monitor } = await createHarness();
    await expect(monitor.edit('nobody', { label: 'x' })).rejects.toThrow(/no longer on the list/);
  });
});

describe('refresh', () => {
  it('works before the monitor starts: registers, queries after the first wait, and returns the outcome', async () => {
    const { monitor, clock, service, add } = await createHarness();
    const good = await add('RB1CN');
    const bad = await add('RB2CN');
    service.refuse = ({ trackNo }) => (trackNo === 'RB2CN' ? 'unknown number' : null);
    const refreshed = monitor.refresh([good.id, bad.id]);
    await clock.advance(2 * second);
    expect(await refreshed).toEqual({ answered: [good.id], changed: [good.id], rejected: [bad.id], failure: null });
    expect(service.timesOf('query')).toEqual([2 * second]);
    expect(monitor.getState().polling.phase).toBe('off');

    expect(await monitor.refresh([good.id])).toEqual({ answered: [good.id], changed: [], rejected: [], failure: null });
    await clock.advance(24 * hour);
    expect(service.timesOf('query')).toHaveLength(2);
  });

  it('checks parcels that are not due, whereas refreshDue does not', async () => {
    const { monitor, clock, service, add } = await createHarness();
    const { id } = await add('RB1CN');
    const first = monitor.refreshDue();
    await clock.advance(2 * second);
    expect((await first).answered).toEqual([id]);
    expect(await monitor.refreshDue()).toEqual({ answered: [], changed: [], rejected: [], failure: null });
    const calls = service.calls.length;
    await monitor.refresh([id]);
    expect(service.calls).toHaveLength(calls + 1);
    clock.jumpTo(clock.now() + 2 * hour);
    expect((await monitor.refreshDue()).answered).toEqual([id]);
  });

  it('polls each parcel only once while the monitor runs', async () => {
    const { monitor, clock, service, add } = await createHarness();
    monitor.start();
    const { id } = await add('RB1CN');
    const refreshed = monitor.refresh([id]);
    await clock.advance(10 * second);
    expect((await refreshed).answered).toEqual([id]);
    expect(service.timesOf('query')).toHaveLength(1);
    await monitor.stop();
  });

  it('fails with advice if there is no API key', async () => {
    const { monitor, clock, add } = await createHarness({ service: null });
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(hour);
    expect(monitor.getState().polling.phase).toBe('off');
    expect((await monitor.refresh([id])).failure).toBeInstanceOf(KeyRefusedError);
  });
});
