import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute, secondMs as second } from '../../../src/lib/clock.ts';
import { StoreError } from '../../../src/lib/store-errors.ts';
import { RequestRefusedError } from '../../../src/service/port.ts';
import type { TrackingRecord } from '../../../src/service/record.ts';
import { createMemoryStore, type WatchlistStore } from '../../../src/store/store.ts';
import { settle, someThursday } from '../../support/fake-clock.ts';
import { forAllAsync } from '../../support/for-all.ts';
import { checkpointOf, recordOf } from '../../support/records.ts';
import { rounds } from '../../support/rounds.ts';
import { onServiceClock } from '../fake-service.ts';
import { createHarness, draftOf, type Harness } from '../harness.ts';

const inTransit = { transitStatus: 'IN_TRANSIT', transitSubStatus: 'IN_TRANSIT_02' };
const delivered = { transitStatus: 'DELIVERED', transitSubStatus: 'DELIVERED_01' };
const departed = checkpointOf('Departed', '2026-11-19T07:00:00Z');
const arrived = checkpointOf('Arrived', '2026-11-19T08:00:00Z');
const handedOver = checkpointOf('Handed over', '2026-11-19T08:30:00Z');

const push = (fields: Partial<TrackingRecord> = {}): TrackingRecord =>
  recordOf({ ...inTransit, checkpoints: [arrived, departed], ...fields });

/** Starts a harness with RB1CN, which has one checkpoint and is due in an hour. */
async function startWatching(options: Parameters<typeof createHarness>[0] = {}): Promise<Harness> {
  const harness = await createHarness(options);
  harness.service.reply = () => ({
    ...inTransit,
    checkpoints: [departed],
    nextUpdateTime: onServiceClock(harness.clock.now() + hour),
  });
  harness.monitor.start();
  await harness.add('RB1CN');
  await harness.clock.advance(minute);
  return harness;
}

const details = async ({ monitor, parcel }: Harness): Promise<readonly (string | null)[]> =>
  (await monitor.history(parcel('RB1CN').id)).checkpoints.map(({ detail }) => detail);

describe('a pushed record', () => {
  it('is merged and shown', async () => {
    const harness = await startWatching();
    expect(await harness.monitor.receive(push())).toBe('stored');
    expect(harness.parcel('RB1CN')).toMatchObject({ lastEvent: { detail: 'Arrived' }, checkpointCount: 2 });
    expect(await details(harness)).toEqual(['Arrived', 'Departed']);
    expect((await harness.options.store.read()).parcels[0]).toEqual(harness.parcel('RB1CN'));
  });

  it('matches the number regardless of case, and sets the courier', async () => {
    const { monitor, parcel } = await startWatching();
    expect(await monitor.receive(push({ trackNo: 'rb1cn', courierCode: 'yanwen' }))).toBe('stored');
    expect(parcel('RB1CN').courierCode).toBe('yanwen');
  });

  it('postpones the next query to its next update', async () => {
    const { monitor, clock, service, parcel } = await startWatching();
    await clock.advance(50 * minute);
    const calls = service.calls.length;
    const nextUpdateTime = onServiceClock(clock.now() + 3 * hour);
    await monitor.receive(push({ nextUpdateTime }));
    expect(Date.parse(parcel('RB1CN').nextPollAt ?? '')).toBe(clock.now() + 3 * hour);
    expect(monitor.getState().polling.nextPollAt).toBe(clock.now() + 3 * hour);
    await clock.advance(3 * hour - second);
    expect(service.calls).toHaveLength(calls);
    await clock.advance(2 * second);
    expect(service.calls).toHaveLength(calls + 1);
  });

  it('postpones the next query by the first back-off if it has no next update', async () => {
    const { monitor, clock, service, parcel } = await startWatching();
    await clock.advance(50 * minute);
    const calls = service.calls.length;
    await monitor.receive(push());
    expect(Date.parse(parcel('RB1CN').nextPollAt ?? '')).toBe(clock.now() + 30 * minute);
    await clock.advance(29 * minute);
    expect(service.calls).toHaveLength(calls);
    await clock.advance(2 * minute);
    expect(service.calls).toHaveLength(calls + 1);
  });

  it('keeps a later query, and the known next update', async () => {
    const { monitor, parcel } = await startWatching();
    const before = parcel('RB1CN');
    await monitor.receive(push());
    const after = parcel('RB1CN');
    expect(after.nextPollAt).toBe(before.nextPollAt);
    expect(after.record?.nextUpdateTime).toBe(before.record?.nextUpdateTime);
  });

  it('plans the next query of a delivered parcel for a day later, then for a week later', async () => {
    const { monitor, clock, parcel, service } = await startWatching();
    await monitor.receive(push({ ...delivered, checkpoints: [handedOver, arrived, departed] }));
    expect(Date.parse(parcel('RB1CN').nextPollAt ?? '')).toBe(clock.now() + day);
    service.reply = () => ({ ...delivered, checkpoints: [handedOver, arrived, departed] });
    await clock.advance(day + minute);
    expect(Date.parse(parcel('RB1CN').nextPollAt ?? '') - Date.parse(parcel('RB1CN').checkedAt ?? '')).toBe(7 * day);
  });
});

describe('a push without a query', () => {
  const forged: readonly (readonly [string, Partial<TrackingRecord>])[] = [
    ['EXPIRED', { transitStatus: 'EXPIRED', transitSubStatus: 'EXPIRED_01' }],
    ['DELIVERED', { ...delivered, checkpoints: [handedOver, arrived, departed] }],
    ['an update in 30 days', { nextUpdateTime: onServiceClock(someThursday + 30 * day) }],
  ];

  it.each(forged)('is confirmed by a single query within a day: %s', async (_name, fields) => {
    const { monitor, clock, parcel, service } = await startWatching();
    const pushedAt = clock.now();
    service.reply = () => ({
      ...inTransit,
      checkpoints: [departed],
      nextUpdateTime: onServiceClock(clock.now() + 9 * day),
    });
    service.calls.length = 0;
    await monitor.receive(push(fields));
    expect(parcel('RB1CN').unconfirmedSince).toBe(new Date(pushedAt).toISOString());
    await clock.advance(20 * hour);
    await monitor.receive(push(fields));
    expect(service.timesOf('query')).toEqual([]);
    await clock.advance(5 * hour);
    expect(service.timesOf('query')).toEqual([pushedAt + day - someThursday]);
    expect(parcel('RB1CN')).toMatchObject({ archivedAt: null, record: { transitStatus: 'IN_TRANSIT' } });
    expect(parcel('RB1CN').unconfirmedSince).toBeUndefined();
    expect(Date.parse(parcel('RB1CN').nextPollAt ?? '')).toBe(pushedAt + 10 * day);
  });

  it.each([
    ['responds to without mentioning the number', null],
    ['rejects because of the number', new RequestRefusedError('The request was refused.')],
  ])('is not confirmed by a query that the service %s', async (_name, refusal) => {
    const { monitor, clock, parcel, service } = await startWatching();
    await monitor.receive(push({ ...delivered, checkpoints: [handedOver, arrived, departed] }));
    service.reply = () => null;
    service.failure = refusal;
    await clock.advance(day + minute);
    expect(parcel('RB1CN').unconfirmedSince).toBeDefined();
    const queriesBefore = service.timesOf('query').length;
    service.reply = () => ({ ...inTransit, checkpoints: [departed] });
    service.failure = null;
    await clock.advance(day);
    expect(service.timesOf('query').length).toBeGreaterThan(queriesBefore);
    expect(parcel('RB1CN')).toMatchObject({ record: { transitStatus: 'IN_TRANSIT' } });
    expect(parcel('RB1CN').unconfirmedSince).toBeUndefined();
  });

  it('delays no query by more than a day, however often pushes are forged', async () => {
    const pushes = fc.array(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 30 * hour }),
        status: fc.constantFrom(inTransit, delivered, { transitStatus: 'EXPIRED', transitSubStatus: 'EXPIRED_01' }),
        nextUpdateMs: fc.option(fc.integer({ min: -day, max: 60 * day })),
        eventMs: fc.integer({ min: -60 * day, max: 2 * day }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    const planMs = 5 * day;
    await forAllAsync(rounds(60), pushes, async (forgeries) => {
      const { monitor, clock, parcel, service } = await startWatching();
      service.reply = () => ({ ...inTransit, nextUpdateTime: onServiceClock(clock.now() + planMs) });
      await clock.advance(2 * hour);
      const marks = new Set<number>();
      for (const { afterMs, eventMs, nextUpdateMs, status } of forgeries) {
        const event = checkpointOf('Forged', new Date(clock.now() + eventMs).toISOString());
        const nextUpdateTime = nextUpdateMs === null ? null : onServiceClock(clock.now() + nextUpdateMs);
        await monitor.receive(push({ ...status, nextUpdateTime, checkpoints: [event] }), clock.now());
        const { unconfirmedSince } = parcel('RB1CN');
        if (unconfirmedSince !== undefined) marks.add(Date.parse(unconfirmedSince));
        await clock.advance(afterMs);
      }
      await clock.advance(planMs + 2 * day);
      await monitor.stop();
      const queries = service
        .timesOf('query')
        .slice(1)
        .map((time) => time + someThursday);
      const [last = 0] = queries.slice(-1);
      expect(clock.now() - last).toBeLessThanOrEqual(planMs + minute);
      for (const [index, query] of queries.slice(1).entries()) {
        const before = queries[index] ?? 0;
        const marked = [...marks].filter((at) => at >= before && at < query);
        expect(marked.length).toBeLessThanOrEqual(1);
        expect(query).toBeLessThanOrEqual((marked[0] === undefined ? before + planMs : marked[0] + day) + minute);
      }
    });
  });
});

describe('simultaneous pushes', () => {
  it('are written together, but one by one for the same parcel', async () => {
    const store = createMemoryStore();
    const harness = await createHarness({ store });
    const numbers = Array.from({ length: 150 }, (_, number) => `RB${number}CN`);
    for (const trackNo of numbers) await harness.monitor.add(draftOf(trackNo));
    let writes = 0;
    const { write } = store;
    Object.assign(store, {
      write: (...args: Parameters<typeof write>) => {
        writes += 1;
        return write(...args);
      },
    });
    let changes = 0;
    harness.monitor.subscribe(() => {
      changes += 1;
    });
    const outcomes = await Promise.all([
      ...numbers.map((trackNo) => harness.monitor.receive(push({ trackNo }))),
      harness.monitor.receive(push({ trackNo: 'RB7CN', checkpoints: [departed] })),
      harness.monitor.receive(push({ trackNo: 'RB7CN', ...delivered, checkpoints: [handedOver] })),
      harness.monitor.receive(push({ trackNo: 'XX1' })),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(152);
    expect(outcomes.at(-1)).toBe('unknown');
    expect(writes).toBeLessThan(10);
    expect(changes).toBeLessThan(100);
    expect((await store.read()).parcels.every(({ checkpointCount }) => checkpointCount >= 2)).toBe(true);
    expect(harness.parcel('RB7CN')).toMatchObject({ record: delivered, checkpointCount: 3 });
  });

  it('fail together when the watchlist cannot be written, except those still waiting', async () => {
    const store = createMemoryStore();
    const { monitor, add, parcel } = await createHarness({ store });
    for (const trackNo of ['RB1CN', 'RB2CN']) await add(trackNo);
    const { write } = store;
    let isFull = true;
    Object.assign(store, {
      write: (...args: Parameters<typeof write>) =>
        isFull ? Promise.reject(new StoreError('disk-full', 'No space left.', 'watchlist.json')) : write(...args),
    });
    const first = monitor.receive(push({ trackNo: 'RB2CN' }));
    const together = [monitor.receive(push()), monitor.receive(push({ trackNo: 'RB2CN' }))];
    const waiting = monitor.receive(push({ ...delivered, checkpoints: [handedOver] }));
    const repaired = Promise.allSettled([first, ...together]).then(() => {
      isFull = false;
    });
    expect((await Promise.allSettled([first, ...together, waiting])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    await repaired;
    expect(parcel('RB1CN').record).toMatchObject(delivered);
  });
});

describe('an older push', () => {
  it('only adds its checkpoints', async () => {
    const harness = await startWatching();
    const { monitor, parcel } = harness;
    await monitor.receive(push({ ...delivered, checkpoints: [handedOver, arrived] }));
    const before = parcel('RB1CN');
    const forgotten = checkpointOf('Announced', '2026-11-18T20:00:00Z');
    expect(
      await monitor.receive(
        push({ checkpoints: [arrived, departed, forgotten], nextUpdateTime: onServiceClock(someThursday + 2 * hour) }),
      ),
    ).toBe('stored');
    expect(parcel('RB1CN')).toEqual({ ...before, checkpointCount: 4 });
    expect(await details(harness)).toEqual(['Handed over', 'Arrived', 'Departed', 'Announced']);
  });

  it('changes nothing when it is repeated with its original time', async () => {
    const { monitor, clock, parcel } = await startWatching();
    const before = parcel('RB1CN');
    const sentAt = clock.now() - 2 * hour;
    const fields = { transitStatus: 'INFO_RECEIVED', transitSubStatus: 'INFO_RECEIVED_01', checkpoints: [] };
    await monitor.receive(push(fields), sentAt);
    expect(parcel('RB1CN')).toBe(before);
  });

  it('changes nothing if a query has already returned the same record', async () => {
    const harness = await startWatching();
    const { monitor, service, clock, parcel } = harness;
    const release = Promise.withResolvers<void>();
    const { query } = service;
    Object.assign(service, {
      query: async (...args: Parameters<typeof query>) => {
        const response = await query(...args);
        await release.promise;
        return response;
      },
    });
    await clock.advance(hour);
    expect(monitor.getState().polling.phase).toBe('checking');
    await monitor.receive(push({ ...delivered, checkpoints: [handedOver, arrived] }));
    const before = parcel('RB1CN');
    release.resolve();
    await settle();
    expect(monitor.getState().polling.phase).toBe('waiting');
    expect(parcel('RB1CN')).toEqual({ ...before, checkpointCount: 3 });
    expect((await monitor.history(before.id)).received).toEqual(push().received);
  });
});

describe('a push without checkpoints', () => {
  const pushWithoutCheckpoints = (fields: Partial<TrackingRecord> = {}): TrackingRecord =>
    push({ checkpoints: [], ...fields });

  it('updates its fields and removes nothing', async () => {
    const harness = await startWatching();
    const { monitor, clock, parcel } = harness;
    const wholeRecord = {
      trackNo: 'RB1CN',
      localLogisticsInfo: { courierCode: 'yanwen', trackingDetails: [{ a: 1 }] },
    };
    const expectedDelivery = '2026-11-20';
    await monitor.receive(
      push({ shipTo: 'DE', received: { ...wholeRecord, transitStatus: 'IN_TRANSIT', expectedDelivery } }),
    );
    const before = parcel('RB1CN');
    const partialRecord = { trackNo: 'RB1CN', transitStatus: 'DELIVERED', deliveredTime: 'now', expectedDelivery: '' };
    expect(
      await monitor.receive(
        pushWithoutCheckpoints({ ...delivered, received: { ...partialRecord, localLogisticsInfo: {} } }),
      ),
    ).toBe('stored');
    expect(parcel('RB1CN')).toMatchObject({
      record: { ...delivered, shipTo: 'DE' },
      lastEvent: before.lastEvent,
      checkpointCount: 2,
    });
    expect(Date.parse(parcel('RB1CN').nextPollAt ?? '')).toBe(clock.now() + day);
    expect(await details(harness)).toEqual(['Arrived', 'Departed']);
    expect((await monitor.history(before.id)).received).toEqual({
      ...wholeRecord,
      transitStatus: 'DELIVERED',
      deliveredTime: 'now',
      expectedDelivery,
    });
  });

  it('erases nothing if it has no status either', async () => {
    const { monitor, parcel } = await startWatching();
    await monitor.receive(push());
    const { record, lastEvent } = parcel('RB1CN');
    await monitor.receive(pushWithoutCheckpoints({ transitStatus: 'NO_RECORD', transitSubStatus: null }));
    await monitor.receive(pushWithoutCheckpoints({ transitStatus: null, transitSubStatus: null }));
    expect(parcel('RB1CN')).toMatchObject({ record: { ...record }, lastEvent });
  });

  it('is late if the local time of its newest event is late', async () => {
    const { monitor, parcel } = await startWatching();
    const last = checkpointOf('Arrived', '2026-11-19T08:00:00Z', { local: '2026-11-19 09:00:00' });
    await monitor.receive(push({ checkpoints: [last] }));
    const before = parcel('RB1CN');
    const outForDelivery = { transitStatus: 'OUT_FOR_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_01' };
    await monitor.receive(pushWithoutCheckpoints({ ...outForDelivery, lastTrackingTime: '2026-11-19 08:59:59' }));
    expect(parcel('RB1CN')).toBe(before);
    await monitor.receive(pushWithoutCheckpoints({ ...outForDelivery, lastTrackingTime: '2026-11-19 09:30:00' }));
    expect(parcel('RB1CN').record).toMatchObject({ ...outForDelivery, lastTrackingTime: '2026-11-19 09:30:00' });
  });
});

describe('a push', () => {
  it('about an unwatched parcel shares one notice with all others', async () => {
    const { monitor, clock } = await startWatching();
    const notices = (): readonly string[] => monitor.getState().notices;
    expect(await monitor.receive(push({ trackNo: 'XX1', courierCode: 'dhl' }))).toBe('unknown');
    expect(notices()).toEqual([expect.stringContaining('XX1 (DHL)')]);
    monitor.dismissNotice();
    expect(await monitor.receive(push({ trackNo: 'XX1', courierCode: 'dhl' }))).toBe('unknown');
    expect(notices()).toEqual([]);
    await monitor.receive(push({ trackNo: 'XX2' }));
    await monitor.receive(push({ trackNo: 'XX3' }));
    expect(notices()).toEqual([]);
    await clock.advance(minute);
    expect(notices()).toEqual([expect.stringMatching(/3 numbers.*XX3/)]);
  });

  it('updates the notice about unwatched numbers once a minute', async () => {
    const { monitor, clock } = await startWatching();
    const shownNotices: string[] = [];
    monitor.subscribe(() => {
      for (const notice of monitor.getState().notices) if (!shownNotices.includes(notice)) shownNotices.push(notice);
    });
    for (let number = 0; number < 1_500; number += 1) {
      await monitor.receive(push({ trackNo: `${'X'.repeat(2_000)}${number}`, courierCode: `c${number}` }));
    }
    await clock.advance(minute);
    expect(shownNotices).toHaveLength(2);
    expect(shownNotices[1]).toContain('updates for at least 1000 numbers');
    expect(Math.max(...shownNotices.map(({ length }) => length))).toBeLessThan(200);
    expect(monitor.getState().notices).toEqual([shownNotices[1]]);
    await monitor.stop();
    await clock.advance(2 * minute);
    expect(shownNotices).toHaveLength(2);
  });

  it('about an archived parcel is stored without restoring it', async () => {
    const { monitor, parcel, clock, service } = await startWatching();
    await monitor.archiveAll([parcel('RB1CN').id]);
    const calls = service.calls.length;
    const nextUpdateTime = onServiceClock(clock.now() + hour);
    expect(await monitor.receive(push({ ...delivered, nextUpdateTime }))).toBe('stored');
    expect(parcel('RB1CN')).toMatchObject({ record: delivered, lastEvent: { detail: 'Arrived' }, nextPollAt: null });
    expect(parcel('RB1CN').archivedAt).not.toBeNull();
    await clock.advance(2 * day);
    expect(service.calls).toHaveLength(calls);
  });

  it('about a pending number does not delay its registration', async () => {
    const { monitor, add, parcel } = await createHarness();
    const before = await add('RB1CN');
    await monitor.receive(push({ nextUpdateTime: onServiceClock(someThursday + hour) }));
    expect(parcel('RB1CN')).toMatchObject({
      registration: 'pending',
      nextPollAt: before.nextPollAt,
      record: inTransit,
    });
  });

  it('about a rejected number marks it as registered', async () => {
    const { monitor, add, parcel, service, clock } = await createHarness();
    service.refuse = () => 'not supported';
    monitor.start();
    await add('RB1CN');
    await clock.advance(minute);
    expect(parcel('RB1CN').registration).toBe('rejected');
    await monitor.receive(push({ courierCode: 'yanwen' }));
    expect(parcel('RB1CN')).toMatchObject({ registration: 'registered', courierCode: 'yanwen', error: null });
    expect(monitor.getState().polling.nextPollAt).toBe(clock.now() + 30 * minute);
  });

  it('about a number with two parcels updates the one with its courier', async () => {
    const { monitor } = await createHarness();
    for (const courierCode of ['ups', 'dhl']) await monitor.add(draftOf('RB1CN', { courierCode }));
    expect(await monitor.receive(push({ courierCode: 'DHL' }))).toBe('stored');
    expect(monitor.getState().parcels.map(({ checkpointCount }) => checkpointCount)).toEqual([0, 2]);
    expect(await monitor.receive(push({ courierCode: null }))).toBe('unknown');
    expect(await monitor.receive(push({ courierCode: 'yanwen' }))).toBe('unknown');
  });

  it('is ignored if its courier differs from the chosen one', async () => {
    const { monitor, parcel } = await createHarness();
    await monitor.add(draftOf('RB1CN', { courierCode: 'ups' }));
    expect(await monitor.receive(push({ courierCode: 'dhl' }))).toBe('unknown');
    expect(parcel('RB1CN').record).toBeNull();
    expect(await monitor.receive(push({ courierCode: null }))).toBe('stored');
  });

  it('about a number that another process has just added is stored', async () => {
    const store = createMemoryStore();
    const mine = await createHarness({ store });
    const other = await createHarness({ store });
    await other.monitor.add(draftOf('RB1CN'));
    expect(await mine.monitor.receive(push())).toBe('stored');
    expect(mine.parcel('RB1CN').checkpointCount).toBe(2);
  });
});

describe('the webhook while the store fails', () => {
  const full = () => new StoreError('disk-full', 'No space left to write history/. Free some space.', 'history/');

  it.each<keyof WatchlistStore>(['write', 'updateHistory', 'newer'])(
    'does not accept a push if %s fails, and reports the failure',
    async (method) => {
      const store = createMemoryStore();
      const { monitor, parcel } = await startWatching({ store });
      Object.assign(store, { [method]: () => Promise.reject(full()) });
      await expect(monitor.receive(push())).rejects.toMatchObject({ kind: 'disk-full' });
      expect(monitor.getState().notices.join()).toContain('No space left');
      expect(parcel('RB1CN')).toBeDefined();
    },
  );
});
