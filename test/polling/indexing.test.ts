import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute, secondMs as second } from '../../src/lib/clock.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { onServiceClock } from './fake-service.ts';
import { draftOf, type Harness, startHarness } from './harness.ts';

const waitsOf = (times: readonly number[]): readonly number[] =>
  times.map((at, index) => Math.round((at - (times[index - 1] ?? 0)) / second));

describe('a registered number that queries do not know yet', () => {
  async function startUnindexed(options: Parameters<typeof startHarness>[0] = {}): Promise<Harness> {
    const harness = await startHarness(options);
    harness.service.isUnindexed = () => true;
    harness.monitor.start();
    await harness.add('RB1CN');
    return harness;
  }

  it('is polled like a new registration, without an error', async () => {
    const { clock, service, parcel } = await startUnindexed();
    await clock.advance(55 * minute);
    expect(waitsOf(service.timesOf('query'))).toEqual([2, 10, 60, 600, 600, 600, 600, 600]);
    expect(service.timesOf('register')).toEqual([0]);
    expect(parcel('RB1CN')).toMatchObject({ registration: 'registered', record: null, error: null });
    expect(parcel('RB1CN').indexing).toMatchObject({ registeredAgainAt: null });
  });

  it('is registered again once, after an hour, then checked less and less often, down to twice a day', async () => {
    const { clock, service, parcel } = await startUnindexed();
    await clock.advance(4 * day);
    const registrations = service.timesOf('register');
    expect(registrations).toHaveLength(2);
    expect(registrations[1]).toBeGreaterThanOrEqual(hour);
    expect(registrations[1]).toBeLessThan(hour + 11 * minute);
    const later = service.timesOf('query').filter((at) => at > (registrations[1] ?? 0));
    expect(waitsOf(later).slice(1, 5)).toEqual([10, 60, 600, 600]);
    const slow = later.filter((at) => at > day + 12 * hour);
    expect(new Set(waitsOf(slow).slice(1))).toEqual(new Set([12 * 3600]));
    expect(slow.length).toBeGreaterThan(4);
    expect(parcel('RB1CN')).toMatchObject({ registration: 'registered', error: null });
  });

  it('becomes an ordinary parcel once the service knows it', async () => {
    const { clock, service, parcel } = await startUnindexed();
    await clock.advance(3 * hour);
    service.isUnindexed = () => false;
    await clock.advance(10 * minute);
    expect(parcel('RB1CN').record?.transitStatus).toBe('IN_TRANSIT');
    expect(parcel('RB1CN').indexing).toBeUndefined();
    expect(service.timesOf('register')).toHaveLength(2);
  });

  it('counts as rejected if the second registration is rejected', async () => {
    const { clock, service, parcel } = await startUnindexed();
    await clock.advance(minute);
    service.refuse = () => 'unsupported logistics supplier code';
    await clock.advance(2 * hour);
    expect(parcel('RB1CN')).toMatchObject({
      registration: 'rejected',
      nextPollAt: null,
      error: { kind: 'rejected', message: 'unsupported logistics supplier code' },
    });
    expect(parcel('RB1CN').indexing).toBeUndefined();
  });

  it('is not registered again if the budget is used up, but is still checked', async () => {
    const { clock, service, parcel } = await startUnindexed({
      budget: { queriesPerDay: null, registrationsPerMonth: 1 },
    });
    await clock.advance(3 * hour);
    expect(service.timesOf('register')).toEqual([0]);
    expect(parcel('RB1CN').registration).toBe('registered');
    service.isUnindexed = () => false;
    await clock.advance(3 * hour);
    expect(parcel('RB1CN').record).not.toBeNull();
  });

  it('keeps its ladder and its second registration across a restart', async () => {
    const store = createMemoryStore();
    const first = await startUnindexed({ store });
    await first.clock.advance(2 * hour);
    expect(first.service.timesOf('register')).toHaveLength(2);
    await first.monitor.stop();
    const queriesBefore = first.service.timesOf('query').length;

    const restarted = await startHarness({ store }, { clock: first.clock, service: first.service });
    restarted.monitor.start();
    await first.clock.advance(3 * hour);
    expect(waitsOf(first.service.timesOf('query').slice(queriesBefore)).slice(1)).toEqual([1200, 2400, 4800]);
    await first.clock.advance(3 * day);
    expect(first.service.timesOf('register')).toHaveLength(2);
  });

  it('is checked when the user refreshes it, but not registered again', async () => {
    const { clock, monitor, parcel, service } = await startUnindexed();
    await clock.advance(5 * minute);
    const { id } = parcel('RB1CN');
    expect(await monitor.refresh([id])).toMatchObject({ answered: [], rejected: [], failure: null });
    expect(service.timesOf('register')).toEqual([0]);
    expect(parcel('RB1CN').registration).toBe('registered');
  });

  it('starts over when its courier is changed', async () => {
    const { clock, monitor, parcel, service } = await startUnindexed();
    await clock.advance(3 * hour);
    await monitor.edit(parcel('RB1CN').id, { courierCode: 'ups' });
    expect(parcel('RB1CN').indexing).toBeUndefined();
    await clock.advance(3 * hour);
    expect(service.timesOf('register')).toHaveLength(4);
  });

  it('waits no longer than usual even if the clock was wrong', async () => {
    const { clock, service } = await startUnindexed();
    await clock.advance(5 * minute);
    clock.jumpTo(clock.now() - 2 * day);
    await clock.advance(3 * day);
    expect(service.timesOf('register')).toHaveLength(2);
  });
});

describe('a number that was deleted at the service', () => {
  async function startDeleted(reply: () => { transitStatus: string } | null = () => null): Promise<Harness> {
    const harness = await startHarness();
    const { clock, monitor, service } = harness;
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + hour), ...reply() });
    monitor.start();
    await monitor.add(draftOf('RB1CN'));
    await clock.advance(minute);
    service.registered.clear();
    return harness;
  }
  const visibleState = ({ record, lastEvent }: Parcel) => ({ record, lastEvent });

  it('keeps its data, shows an error, and is registered again once, after an hour', async () => {
    const { clock, parcel, service } = await startDeleted();
    const before = visibleState(parcel('RB1CN'));
    await clock.advance(hour + 5 * minute);
    expect(service.timesOf('register')).toHaveLength(1);
    expect(visibleState(parcel('RB1CN'))).toEqual(before);
    expect(parcel('RB1CN')).toMatchObject({
      registration: 'registered',
      error: { kind: 'not-registered', code: 'A0400', message: expect.stringContaining('trackNo not registered') },
    });
    await clock.advance(hour + 10 * minute);
    expect(service.timesOf('register')).toHaveLength(2);
    expect(parcel('RB1CN')).toMatchObject({ registration: 'registered', error: null });
    expect(parcel('RB1CN').indexing).toBeUndefined();
  });

  it('costs nothing if the service knows it again soon', async () => {
    const { clock, parcel, service } = await startDeleted();
    await clock.advance(hour + 5 * minute);
    service.registered.add('RB1CN');
    await clock.advance(10 * minute);
    expect(parcel('RB1CN').error).toBeNull();
    await clock.advance(day);
    expect(service.timesOf('register')).toHaveLength(1);
  });

  it('is not registered again if it was delivered', async () => {
    const { clock, parcel, service } = await startDeleted(() => ({ transitStatus: 'DELIVERED' }));
    await clock.advance(60 * day);
    expect(service.timesOf('register')).toHaveLength(1);
    expect(parcel('RB1CN')).toMatchObject({ registration: 'registered', error: null, nextPollAt: null });
  });
});
