import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute, secondMs as second } from '../../../src/lib/clock.ts';
import { emptyPollingMemory } from '../../../src/store/shared-state.ts';
import { createMemoryDocument } from '../../../src/store/store.ts';
import { onServiceClock } from '../fake-service.ts';
import { draftOf, type Harness, type HarnessOptions, startHarness, startPolling } from '../harness.ts';

/** Makes a service change its records some time after their planned update. */
function simulateLag(
  { clock, service }: Pick<Harness, 'clock' | 'service'>,
  lagOf: (trackNo: string, lookup: number) => number,
  intervalMs = 3 * hour,
) {
  const start = clock.now();
  const records = new Map<string, { next: number; since: number; lookups: number }>();
  const delays: number[] = [];
  const seen = new Map<string, number>();
  service.reply = ({ trackNo }) => {
    const now = clock.now();
    let record = records.get(trackNo) ?? { next: start + intervalMs, since: start, lookups: 0 };
    for (let changeAt = record.next + lagOf(trackNo, record.lookups); changeAt <= now; ) {
      record = { next: changeAt + intervalMs, since: changeAt, lookups: record.lookups + 1 };
      changeAt = record.next + lagOf(trackNo, record.lookups);
    }
    records.set(trackNo, record);
    if ((seen.get(trackNo) ?? -1) < record.lookups) {
      if (seen.has(trackNo)) delays.push(now - record.since);
      seen.set(trackNo, record.lookups);
    }
    return { nextUpdateTime: onServiceClock(record.next) };
  };
  return { delays, lookups: () => Math.max(...[...records.values()].map(({ lookups }) => lookups)) };
}

async function startMonitor(
  count: number,
  lagOf: Parameters<typeof simulateLag>[1],
  options: Partial<HarnessOptions> = {},
) {
  const harness = await startHarness(options);
  const simulation = simulateLag(harness, lagOf);
  harness.monitor.start();
  await harness.monitor.addAll(Array.from({ length: count }, (_, at) => draftOf(`RB${1000 + at}CN`)));
  await harness.clock.advance(minute);
  harness.service.calls.length = 0;
  return { ...harness, ...simulation };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Deterministic per number and lookup, evenly distributed in [least, most]. */
const spread = (least: number, most: number) => (trackNo: string, lookup: number) => {
  const mixed = Math.imul(Number(trackNo.slice(2, -2)) * 7_919 + lookup, 2_654_435_761) >>> 0;
  return least + ((mixed % 1_000) / 1_000) * (most - least);
};

describe('a service whose records change later than announced', () => {
  it.each([
    ['5 s', () => 5 * second, 1],
    ['30 s', () => 30 * second, 1],
    ['5 min', () => 5 * minute, 1],
    ['20 min', () => 20 * minute, 1],
    ['5 to 60 s', spread(5 * second, 60 * second), 1],
    ['5 s', () => 5 * second, 20],
    ['30 s', () => 30 * second, 20],
    ['5 min', () => 5 * minute, 20],
    ['20 min', () => 20 * minute, 20],
  ] as const)(
    'is queried once per announced update for a month, and its news arrives soon: %s later',
    async (_name, lagOf, count) => {
      const { clock, delays, lookups, service } = await startMonitor(count, lagOf);
      await clock.advance(30 * day);
      expect(service.calls.length / lookups()).toBeLessThan(1.05);
      expect(median(delays)).toBeLessThan(90 * second);
    },
  );

  it('is polled after one, five and thirty minutes while the service returns the old record', async () => {
    const { clock, service } = await startMonitor(1, () => 10 * hour);
    await clock.advance(6 * hour);
    const first = service.calls[0]?.at ?? 0;
    expect(service.calls.map(({ at }) => Math.round((at - first) / minute))).toEqual([0, 1, 6, 36, 96]);
  });

  it('is queried earlier again when it gets faster', async () => {
    const lag = { ms: 20 * minute };
    const { clock, delays, service } = await startMonitor(1, () => lag.ms);
    await clock.advance(10 * day);
    lag.ms = 20 * second;
    await clock.advance(20 * day);
    delays.length = 0;
    service.calls.length = 0;
    await clock.advance(5 * day);
    expect(median(delays)).toBeLessThan(90 * second);
    expect(service.calls.length).toBeLessThan(44);
  });

  it('is not considered slow because of one late parcel, or a record that never changes', async () => {
    const { clock, service } = await startMonitor(20, (trackNo) =>
      trackNo === 'RB1007CN' ? 25 * minute : trackNo === 'RB1008CN' ? 1_000 * day : 5 * second,
    );
    await clock.advance(5 * day);
    service.calls.length = 0;
    await clock.advance(5 * day);
    const others = service.calls.filter(({ trackNos }) => trackNos.length > 5);
    expect(others.length).toBeGreaterThan(38);
    expect(others.length).toBeLessThan(43);
  });

  it('keeps its measured delay across a restart', async () => {
    const memory = createMemoryDocument(emptyPollingMemory);
    const { clock } = await startMonitor(1, () => 5 * minute, { memory });
    await clock.advance(4 * hour);
    const { lag } = await memory.read();
    expect(lag?.ms).toBeGreaterThanOrEqual(5 * minute);
    expect(lag?.ms).toBeLessThan(7 * minute);
  });
});

describe('the minimum time between two polls', () => {
  const startWithQuickUpdates = async (options: Partial<HarnessOptions>, aheadMs: number) => {
    const harness = await startHarness(options);
    const { clock, monitor, service } = harness;
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + aheadMs) });
    monitor.start();
    await harness.add('RB1CN');
    await clock.advance(hour);
    service.calls.length = 0;
    return harness;
  };

  it.each([1, 30, 120])('applies if each record announces its next update in %d s', async (seconds) => {
    const { clock, parcel, service } = await startWithQuickUpdates(
      { policy: { minPauseMs: 5 * minute } },
      seconds * second,
    );
    await clock.advance(day);
    expect(service.calls.length).toBeGreaterThan(270);
    expect(service.calls.length).toBeLessThanOrEqual(288);
    expect(parcel('RB1CN').plannedFor).toBeDefined();
  });

  it.each([
    { parcels: 5, apartMs: 0, maxQueries: 288 },
    { parcels: 60, apartMs: second, maxQueries: 1_440 },
    { parcels: 60, apartMs: 20 * second, maxQueries: 1_440 },
  ])(
    'limits the daily cost of updates announced every second: $parcels parcels, $apartMs ms apart',
    async ({ apartMs, maxQueries, parcels }) => {
      const { add, clock, monitor, service } = await startHarness({
        policy: { minPauseMs: 5 * minute, coalesceMs: minute },
      });
      service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + second) });
      monitor.start();
      for (let at = 0; at < parcels; at += 1) {
        await add(`RB${1_000 + at}CN`);
        await clock.advance(apartMs);
      }
      // About fifteen per parcel in the first ten minutes, some of them shared.
      expect(service.timesOf('query').length).toBeLessThan(20 * parcels);
      await clock.advance(15 * minute);
      service.calls.length = 0;
      await clock.advance(day);
      expect(service.timesOf('query').length).toBeLessThanOrEqual(maxQueries);
    },
  );

  it('grows in the first minutes after a registration', async () => {
    const { clock, service } = await startPolling(['RB1CN'], { policy: { minPauseMs: 5 * minute } });
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + second) });
    await clock.advance(10 * minute);
    const times = service.timesOf('query').map((at) => at / second);
    expect(times.slice(0, 6)).toEqual([2, 4, 8, 16, 32, 64]);
    expect(times.length).toBeLessThan(17);
  });

  it('can be set by the user, even to 0', async () => {
    const slow = await startWithQuickUpdates({ policy: { minPauseMs: 60 * minute } }, second);
    await slow.clock.advance(day);
    expect(slow.service.calls.length).toBeLessThanOrEqual(24);
    const none = await startWithQuickUpdates({ policy: { minPauseMs: 0 } }, 30 * second);
    await none.clock.advance(hour);
    expect(none.service.calls.length).toBeGreaterThan(100);
  });

  it('applies if the service returns an old record after announcing quick updates', async () => {
    const harness = await startHarness({ policy: { minPauseMs: 5 * minute } });
    const { clock, monitor, service } = harness;
    const simulation = simulateLag(harness, () => 2 * minute, minute);
    monitor.start();
    await harness.add('RB1CN');
    await clock.advance(hour);
    service.calls.length = 0;
    await clock.advance(day);
    expect(simulation.lookups()).toBeGreaterThan(288);
    expect(service.calls.length).toBeLessThanOrEqual(288);
  });

  it('does not apply in the first minutes after a registration, or to the user', async () => {
    const harness = await startHarness({ policy: { minPauseMs: 5 * minute } });
    const { clock, monitor, service } = harness;
    service.reply = () => ({ nextUpdateTime: onServiceClock(clock.now() + minute) });
    monitor.start();
    const { id } = await harness.add('RB1CN');
    await clock.advance(9 * minute);
    expect(service.timesOf('query').length).toBeGreaterThan(7);
    await clock.advance(10 * minute);
    const queriesBefore = service.timesOf('query').length;
    for (let times = 0; times < 3; times += 1) await monitor.refresh([id]);
    expect(service.timesOf('query')).toHaveLength(queriesBefore + 3);
  });
});
