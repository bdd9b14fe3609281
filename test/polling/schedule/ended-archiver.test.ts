import { describe, expect, it } from 'vitest';
import { arrangeAll } from '../../../src/board/list/arrange.ts';
import { stageCounts } from '../../../src/board/status/status-now.ts';
import { terminalTitle } from '../../../src/notify/channels.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import type { PollLease } from '../../../src/store/shared-state.ts';
import { createMemoryStore, type WatchlistStore } from '../../../src/store/store.ts';
import { aCheckpoint, ago, berlin, day, hour, inStatus, minute, now } from '../../board/parcels.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { checkpointOf } from '../../support/records.ts';
import { onServiceClock } from '../fake-service.ts';
import { type Harness, type HarnessOptions, startHarness } from '../harness.ts';

const deliveredParcel = (id: string, age: number): Parcel => ({
  ...inStatus(id, 'DELIVERED', 'DELIVERED_01', age),
  addedAt: ago(100 * day),
  deliveryConfirmed: true,
  nextPollAt: null,
});

const cancelledParcel = (id: string, age: number, fields: Partial<Parcel> = {}): Parcel => ({
  ...inStatus(id, 'ABNORMAL', 'ABNORMAL_04', age),
  addedAt: ago(100 * day),
  nextPollAt: null,
  ...fields,
});

async function storeWith(...parcels: readonly Parcel[]): Promise<WatchlistStore> {
  const store = createMemoryStore();
  const known = await store.read();
  await store.write(
    parcels.map((parcel) => ({ id: parcel.id, parcel })),
    known,
    now,
  );
  return store;
}

/** Creates a lease that several monitors share. */
function createSharedLease(): () => PollLease {
  let holder: object | null = null;
  return () => {
    const self = {};
    return {
      hold: async () => {
        holder ??= self;
        return holder === self;
      },
      isHeld: () => holder === self,
      fence: () => null,
      release: async () => {
        if (holder === self) holder = null;
      },
    };
  };
}

/** Starts a monitor that archives after 30 days by default. */
async function open(store: WatchlistStore, clock: FakeClock, options: Partial<HarnessOptions> = {}): Promise<Harness> {
  const harness = await startHarness(
    { store, archiveAfterDays: { delivered: 30, closed: 30 }, policy: { followMs: 60_000 }, ...options },
    { clock },
  );
  harness.monitor.start();
  return harness;
}

const archivedIn = ({ monitor }: Harness): readonly string[] =>
  monitor.getState().parcels.flatMap(({ archivedAt, id }) => (archivedAt === null ? [] : [id]));

const logOf = async (store: WatchlistStore): Promise<readonly string[]> =>
  (await store.changeLogAfter(0)).flatMap(({ change, message, parcelId }) =>
    change === 'archived' || change === 'restored' ? [`${parcelId}: ${message}`] : [],
  );

describe('a parcel delivered long ago', () => {
  it.each([
    ['if there is no service', { service: null }],
    ['by the process that polls', {}],
  ] as const)('is archived %s, and the change log says why', async (_title, options) => {
    const clock = createFakeClock(now);
    const store = await storeWith(deliveredParcel('old', 30 * day + hour), deliveredParcel('new', 30 * day - hour));
    const harness = await open(store, clock, options);
    await clock.advance(2 * minute);
    expect(archivedIn(harness)).toEqual(['old']);
    expect(await logOf(store)).toEqual(['old: archived, delivered 30 days ago']);
    // A later check archives those that have become old.
    await clock.advance(2 * hour);
    expect(archivedIn(harness)).toEqual(['old', 'new']);
    expect(harness.monitor.getState().undoable).toBeNull();
  });

  it('is not archived after a push until a query confirms it', async () => {
    const clock = createFakeClock(now);
    const pushed = { ...deliveredParcel('pushed', 40 * day), registration: 'registered' as const };
    const store = await storeWith({ ...pushed, unconfirmedSince: ago(hour), nextPollAt: ago(-23 * hour) });
    const harness = await open(store, clock);
    harness.service.registered.add(pushed.trackNo.toUpperCase());
    harness.service.reply = () => null;
    await clock.advance(25 * hour);
    expect(archivedIn(harness)).toEqual([]);
    harness.service.reply = () => ({ transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' });
    await clock.advance(day + hour);
    expect(archivedIn(harness)).toEqual(['pushed']);
  });

  it('is archived only once by two boards on one watchlist', async () => {
    const clock = createFakeClock(now);
    const store = await storeWith(deliveredParcel('old', 40 * day));
    const [first, second] = [await open(store, clock, { service: null }), await open(store, clock, { service: null })];
    await clock.advance(30 * minute);
    expect(archivedIn(first)).toEqual(['old']);
    expect(archivedIn(second)).toEqual(['old']);
    expect(await logOf(store)).toEqual(['old: archived, delivered 40 days ago']);
  });

  it('is archived only by the process that polls', async () => {
    const clock = createFakeClock(now);
    const store = await storeWith();
    const lease = createSharedLease();
    const first = await open(store, clock, { lease: lease(), archiveAfterDays: { delivered: 0, closed: 0 } });
    await clock.advance(2 * minute);
    const second = await open(store, clock, { lease: lease() });
    await store.write([{ id: 'old', parcel: deliveredParcel('old', 40 * day) }], await store.read(), now);
    await clock.advance(30 * minute);
    expect(second.monitor.getState().polling.isFollowing).toBe(true);
    expect(archivedIn(second)).toEqual([]);
    await first.monitor.stop();
    await clock.advance(30 * minute);
    expect(archivedIn(second)).toEqual(['old']);
  });

  it('stays restored, even across restarts', async () => {
    const clock = createFakeClock(now);
    const store = await storeWith(deliveredParcel('old', 40 * day));
    const first = await open(store, clock, { service: null });
    await clock.advance(2 * minute);
    expect(archivedIn(first)).toEqual(['old']);
    await first.monitor.restoreAll(['old']);
    await clock.advance(hour);
    expect(archivedIn(first)).toEqual([]);
    const second = await open(store, clock, { service: null });
    await clock.advance(day);
    expect(archivedIn(second)).toEqual([]);
    expect(await logOf(store)).toEqual(['old: archived, delivered 40 days ago', 'old: restored']);
    // Undo removes the restore.
    await first.monitor.undo();
    expect(first.parcel('NOold')).toMatchObject({ autoArchived: true });
    expect(first.parcel('NOold')).not.toHaveProperty('restoredAt');
  });

  it('is looked for regularly without writing anything', async () => {
    const clock = createFakeClock(now);
    const inner = await storeWith(deliveredParcel('new', day));
    let writes = 0;
    const store: WatchlistStore = {
      ...inner,
      write: (...args) => {
        writes += 1;
        return inner.write(...args);
      },
    };
    await open(store, clock, { service: null });
    await clock.advance(6 * hour);
    expect(writes).toBe(0);
  });

  it.each([[0], [undefined]])('is not archived if the setting is %s', async (days) => {
    const clock = createFakeClock(now);
    const options = days === undefined ? {} : { archiveAfterDays: { delivered: days, closed: days } };
    const store = await storeWith(deliveredParcel('old', 400 * day));
    const harness = await startHarness({ store, service: null, policy: { followMs: 60_000 }, ...options }, { clock });
    harness.monitor.start();
    await clock.advance(hour);
    expect(archivedIn(harness)).toEqual([]);
  });

  it('is not archived by a command', async () => {
    const clock = createFakeClock(now);
    const store = await storeWith(deliveredParcel('old', 40 * day));
    const harness = await startHarness({ store, archiveAfterDays: { delivered: 30, closed: 30 } }, { clock });
    await harness.monitor.refreshDue();
    await clock.advance(hour);
    expect(archivedIn(harness)).toEqual([]);
  });
});

describe('a parcel closed long ago', () => {
  it('is archived once the user has seen it', async () => {
    const clock = createFakeClock(now);
    const unread = { since: ago(40 * day), lastRead: null };
    const store = await storeWith(
      cancelledParcel('old', 30 * day + hour),
      cancelledParcel('new', 29 * day),
      cancelledParcel('unseen', 40 * day, { unread }),
      { ...inStatus('held', 'ABNORMAL', 'ABNORMAL_02', 90 * day), addedAt: ago(100 * day) },
      // Found again by the courier, and restored later by the user.
      {
        ...cancelledParcel('found', 40 * day),
        lastEvent: aCheckpoint({ at: ago(40 * day), subStatus: 'IN_TRANSIT_02' }),
      },
      cancelledParcel('restored', 40 * day, { restoredAt: ago(day) }),
    );
    const harness = await open(store, clock, { service: null });
    await clock.advance(2 * minute);
    expect(archivedIn(harness)).toEqual(['old']);
    expect(await logOf(store)).toEqual(['old: archived, closed 30 days ago']);
    await harness.monitor.markRead(['unseen']);
    await clock.advance(2 * hour);
    expect(archivedIn(harness)).toEqual(['old', 'unseen']);
  });

  it('has its own number of days, counted from the response if no event has a time', async () => {
    const clock = createFakeClock(now);
    const store = await storeWith(
      cancelledParcel('old', 8 * day),
      cancelledParcel('silent', 0, { lastEvent: null, endedAt: ago(8 * day) }),
      deliveredParcel('lamp', 8 * day),
    );
    const harness = await open(store, clock, { service: null, archiveAfterDays: { delivered: 0, closed: 7 } });
    await clock.advance(2 * minute);
    expect(archivedIn(harness)).toEqual(['old', 'silent']);
    const never = await open(await storeWith(cancelledParcel('old', 400 * day)), clock, {
      service: null,
      archiveAfterDays: { delivered: 30, closed: 0 },
    });
    await clock.advance(2 * hour);
    expect(archivedIn(never)).toEqual([]);
  });

  it('is news only once, and returns when it moves again', async () => {
    const harness = await startHarness({
      archiveAfterDays: { delivered: 30, closed: 30 },
      policy: { followMs: hour },
    });
    const { add, clock, monitor, parcel, service } = harness;
    const newsLines = () => {
      const { parcels } = monitor.getState();
      const view = { parcels, now: clock.now(), zone: berlin };
      const title = terminalTitle(stageCounts(view), 'symbols');
      return [title, ...arrangeAll(view).groups.map((group) => group.title)];
    };
    const respond = (transitSubStatus: string, detail: string): void => {
      const at = clock.now() - hour;
      const checkpoint = checkpointOf(detail, new Date(at).toISOString(), { subStatus: transitSubStatus });
      const transitStatus = transitSubStatus.slice(0, -3);
      service.reply = () => ({
        transitStatus,
        transitSubStatus,
        checkpoints: [checkpoint],
        nextUpdateTime: onServiceClock(clock.now() + 12 * hour),
      });
    };
    respond('IN_TRANSIT_02', 'Arrived');
    monitor.start();
    const { id } = await add('RB1CN');
    await clock.advance(day);
    respond('ABNORMAL_03', 'Lost');
    await clock.advance(3 * day);
    expect(newsLines()).toEqual(['! 1 · 1 new · parcel-monitor', 'Needs attention']);
    await monitor.markRead([id]);
    expect(newsLines()).toEqual(['parcel-monitor', 'Closed']);
    respond('IN_TRANSIT_02', 'Found');
    await clock.advance(3 * day);
    expect(newsLines()).toEqual(['1 new · parcel-monitor', 'In transit']);
    respond('ABNORMAL_06', 'Back with the sender');
    await clock.advance(day);
    expect(newsLines()).toEqual(['! 1 · 1 new · parcel-monitor', 'Needs attention']);
    // It is not archived before the user has seen it.
    await clock.advance(40 * day);
    expect(newsLines()).toEqual(['! 1 · 1 new · parcel-monitor', 'Needs attention']);
    await monitor.markRead([id]);
    await clock.advance(47 * day);
    expect(newsLines()).toEqual(['parcel-monitor']);
    expect(parcel('RB1CN')).toMatchObject({ autoArchived: true });
  });
});
