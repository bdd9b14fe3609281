import { describe, expect, it } from 'vitest';
import { hourMs as hour, minuteMs as minute, secondMs as second } from '../../../src/lib/clock.ts';
import { createSkewMeter } from '../../../src/lib/clock-skew.ts';
import { Zone } from '../../../src/lib/date-time.ts';
import { isProbeDue } from '../../../src/polling/schedule/timings.ts';
import { formatServiceTime } from '../../../src/service/service-clock.ts';
import { emptyPollingMemory, type PollingMemory } from '../../../src/store/shared-state.ts';
import { createMemoryDocument, createMemoryStore, type WatchlistStore } from '../../../src/store/store.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { createFakeService, serviceClock } from '../fake-service.ts';
import { startHarness, startPolling } from '../harness.ts';

/** Creates a service whose clock is ahead of ours, with new records every hour on the hour. */
function createHourlyService(clock: FakeClock, aheadMs: () => number) {
  const service = createFakeService(clock);
  const meter = createSkewMeter(clock);
  const now = (): number => clock.now() + aheadMs();
  const onItsClock = (at: number): string => formatServiceTime(at, serviceClock);
  let createdAt: string | null = null;
  const note = (): void => meter.note(clock.now(), new Date(now()).toUTCString());
  service.refuse = () => {
    createdAt ??= onItsClock(now());
    note();
    return null;
  };
  service.reply = () => {
    note();
    const next = (Math.floor(now() / hour) + 1) * hour;
    return { createTime: createdAt, nextUpdateTime: onItsClock(next) };
  };
  return { service, skewBounds: () => meter.bounds(), now };
}

interface PollOptions {
  readonly memory?: PollingMemory;
  readonly store?: WatchlistStore;
}

/** Polls one parcel. Returns how long after the service's full hour each query came. */
async function poll(
  clock: FakeClock,
  aheadMs: () => number,
  { memory = createMemoryDocument(emptyPollingMemory), store = createMemoryStore() }: PollOptions = {},
) {
  const { now, service, skewBounds } = createHourlyService(clock, aheadMs);
  const options = { configuredClock: null, memory, skewBounds, store };
  const harness = await startHarness(options, { clock, service });
  const delays: number[] = [];
  const { reply } = service;
  service.reply = (key) => {
    delays.push(now() % hour);
    return reply(key);
  };
  return { delays, ...harness };
}

// Half a second more, because headers are truncated to seconds.
const skews = [20 * second, 90 * second, 10 * minute, 3 * hour].flatMap((skew) => [skew + 500, -skew - 500]);

describe('a service whose clock differs from ours', () => {
  it.each([0, ...skews])('is queried right after each announced update, with %d ms of difference', async (aheadMs) => {
    const clock = createFakeClock(Date.UTC(2026, 10, 19, 9, 30));
    const { add, delays, monitor } = await poll(clock, () => aheadMs);
    monitor.start();
    await add('RB1CN');
    await clock.advance(6 * hour);
    const [_first, ...others] = delays;
    expect(others).toHaveLength(6);
    expect(Math.max(...others)).toBeLessThanOrEqual(second);
    expect(monitor.getState().serviceClock).toEqual({ offsetMinutes: 480, source: 'measured' });
  });

  it('is queried at the right time by a new process', async () => {
    const clock = createFakeClock(Date.UTC(2026, 10, 19, 9, 30));
    const [memory, store] = [createMemoryDocument(emptyPollingMemory), createMemoryStore()];
    const first = await poll(clock, () => 90 * second, { memory, store });
    first.monitor.start();
    await first.add('RB1CN');
    await clock.advance(minute);
    await first.monitor.stop();
    const { delays, monitor, service } = await poll(clock, () => 90 * second, { memory, store });
    service.registered.add('RB1CN');
    monitor.start();
    await clock.advance(hour);
    expect(delays).toHaveLength(1);
    expect(delays[0]).toBeLessThanOrEqual(second);
  });

  it.each([10 * minute, -10 * minute])('gets one extra query when our clock is changed by %d ms', async (aheadMs) => {
    const clock = createFakeClock(Date.UTC(2026, 10, 19, 9, 30));
    let ahead = aheadMs;
    const { add, delays, monitor } = await poll(clock, () => ahead);
    monitor.start();
    await add('RB1CN');
    await clock.advance(minute);
    clock.jumpTo(clock.now() + aheadMs);
    ahead = 0;
    await clock.advance(7 * hour);
    const onTime = delays.filter((delay) => delay <= second);
    expect(onTime.length).toBeGreaterThanOrEqual(5);
    expect(delays.length - onTime.length).toBeLessThanOrEqual(3);
  });

  it('moves the plans of all parcels once the difference is found', async () => {
    const clock = createFakeClock(Date.UTC(2026, 10, 19, 9, 30));
    let isKnown = false;
    const ahead = (): number => 90 * second;
    const { service, skewBounds } = createHourlyService(clock, ahead);
    const options = { skewBounds: () => (isKnown ? skewBounds() : null) };
    const { add, parcel } = await startPolling(['RB1CN'], options, { clock, service });
    await clock.advance(minute);
    const planned = Date.parse(parcel('RB1CN').nextPollAt ?? '');
    isKnown = true;
    await add('RB2CN');
    await clock.advance(minute);
    expect(planned - Date.parse(parcel('RB1CN').nextPollAt ?? '')).toBeGreaterThan(89 * second);
    expect(parcel('RB1CN').nextPollAt).toBe(parcel('RB2CN').nextPollAt);
  });
});

it.each([
  ['spring', Date.UTC(2026, 2, 28, 12, 30)],
  ['autumn', Date.UTC(2026, 9, 24, 12, 30)],
])(
  "queries every hour across the change in %s if the service's clock follows daylight saving time",
  async (season, start) => {
    const clock = createFakeClock(start);
    const berlin = { zone: new Zone('Europe/Berlin'), source: 'configured' } as const;
    const { service } = await startPolling(['RB1CN'], { configuredClock: berlin }, { clock });
    service.reply = () => ({ nextUpdateTime: formatServiceTime((Math.floor(clock.now() / hour) + 1) * hour, berlin) });
    await clock.advance(24 * hour);
    // A time in the repeated hour is ambiguous.
    expect(service.timesOf('query')).toHaveLength(season === 'autumn' ? 24 : 25);
    expect(service.calls.slice(2).every(({ at }) => at % hour <= second)).toBe(true);
  },
);

it('probes for a shorter delay even if the last probe was planned while the clock was far ahead', () => {
  const lag = { ms: 600_000, least: 0, former: null, probePauseMs: 86_400_000 };
  const now = Date.parse('2026-11-20T12:00:00Z');
  expect(isProbeDue({ ...lag, probeAt: now + 86_400_000 }, now)).toBe(false);
  expect(isProbeDue({ ...lag, probeAt: now + 365 * 86_400_000 }, now)).toBe(true);
});
