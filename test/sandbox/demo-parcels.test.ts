import { describe, expect, it } from 'vitest';
import { demoParcels, demoSeed, demoSpeed } from '../../src/sandbox/sandbox.ts';
import { openAccount } from '../../src/sandbox/world/account.ts';
import type { Registration } from '../../src/sandbox/world/registration.ts';
import { type Stage, stageOf } from '../../src/service/status.ts';
import type { WireRecord } from '../../src/service/wire.ts';
import { testInstants } from '../clock/test-instant.ts';
import { checkpointsOf, noon, runSandbox } from './support.ts';

/** Odd start times: results must not depend on whole seconds or the hour of the day. */
const starts = [noon, noon + 3_600_000 * 5 + 417, noon + 3_600_000 * 13 + 999, noon - 86_400_000 * 140 + 1];

const stageNow = (record: WireRecord): Stage => stageOf(record.transitStatus, record.transitSubStatus ?? null);
const newestOf = (record: WireRecord) => checkpointsOf(record)[0];

/** Starts a demo, and returns its registrations and a function that returns their records after some time. */
function demo(start: number) {
  const account = openAccount({ seed: demoSeed, speed: demoSpeed }, start, demoParcels);
  const recordsAfter = (registration: Registration, afterMs: number) => account.recordAt(registration, start + afterMs);
  return { registrations: account.all(), recordsAfter };
}

/** Every hour of a winter and a summer day, and instants at which the day, the year or the UTC offset changes. */
const instants: readonly string[] = [
  ...['2026-11-19', '2027-07-01'].flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}:17:03Z`),
  ),
  ...Object.values(testInstants),
];

it.each(instants)('a demo that starts at %s does what the README promises', (instant) => {
  const start = Date.parse(instant);
  const account = openAccount({ seed: demoSeed, speed: demoSpeed }, start, demoParcels);
  const all = account.all();
  const recordsBySecond = new Map<number, readonly WireRecord[]>();
  const recordsAfter = (second: number): readonly WireRecord[] => {
    const records =
      recordsBySecond.get(second) ?? all.map((registration) => account.recordAt(registration, start + second * 1000));
    recordsBySecond.set(second, records);
    return records;
  };
  const stages = (second: number): readonly Stage[] => recordsAfter(second).map(stageNow);
  const headlines = (second: number): readonly string[] =>
    recordsAfter(second).map((record) => `${newestOf(record)?.eventDetail} ${stageNow(record)}`);
  const deliveries = (second: number): number => stages(second).filter((stage) => stage === 'delivered').length;

  // Even on a slow machine, the first parcels are on the screen within two seconds.
  expect(headlines(10)).not.toEqual(headlines(2));
  expect(deliveries(120)).toBeGreaterThan(deliveries(30));
  for (const second of [0, 10, 60, 120]) expect(stages(second)).toContain('attention');
});

it('has about a dozen parcels, some with a label, one without a courier, and no duplicates', () => {
  expect(demoParcels.length).toBeGreaterThanOrEqual(12);
  expect(demoParcels.filter(({ label }) => label === null).length).toBeGreaterThanOrEqual(3);
  expect(demoParcels.flatMap(({ label }) => label ?? [])).toEqual(
    expect.arrayContaining(['Headphones', 'Birthday book', 'Kettle']),
  );
  expect(demoParcels.filter(({ courierCode }) => courierCode === null)).toHaveLength(1);
  expect(new Set(demoParcels.map(({ trackNo }) => trackNo)).size).toBe(demoParcels.length);
});

describe.each(starts)('the demo started at %i', (start) => {
  const { registrations, recordsAfter } = demo(start);

  it('shows every kind of parcel from the start', () => {
    const records = registrations.map((registration) => recordsAfter(registration, 0));
    const count = (stage: Stage): number => records.filter((record) => stageNow(record) === stage).length;
    expect(count('out-for-delivery')).toBeGreaterThanOrEqual(2);
    expect(count('in-transit')).toBeGreaterThanOrEqual(3);
    for (const stage of ['pickup', 'announced', 'no-record', 'delivered'] as const) expect(count(stage)).toBe(1);
    expect(records.map(({ transitSubStatus }) => transitSubStatus)).toEqual(
      expect.arrayContaining(['ABNORMAL_02', 'ABNORMAL_07', 'DELIVERY_FAILED_01', 'WAITING_DELIVERY_02']),
    );
    for (const script of ['Han', 'Hangul', 'Thai', 'Arabic']) {
      const pattern = new RegExp(`\\p{Script=${script}}`, 'u');
      expect(
        records.some((record) => stageNow(record) === 'in-transit' && pattern.test(newestOf(record)?.address ?? '')),
      ).toBe(true);
    }
  });

  it('delivers a parcel that was out for delivery 45 to 90 seconds after the start', () => {
    const arriving = registrations.filter((registration) => {
      const seconds = Array.from({ length: 91 }, (_, second) => stageNow(recordsAfter(registration, second * 1000)));
      const deliveredAt = seconds.indexOf('delivered');
      return deliveredAt >= 45 && seconds[0] === 'out-for-delivery' && seconds[deliveredAt - 1] === 'out-for-delivery';
    });
    expect(arriving.length).toBeGreaterThan(0);
  });

  it('reports a realistic history: over several days, in the past, at plausible local times', () => {
    const delivered = registrations
      .map((registration) => recordsAfter(registration, 0))
      .find((record) => stageNow(record) === 'delivered');
    const events = delivered === undefined ? [] : checkpointsOf(delivered);
    const spanMs = Date.parse(events[0]?.eventTimeZeroUTC ?? '') - Date.parse(events.at(-1)?.eventTimeZeroUTC ?? '');
    expect(spanMs).toBeGreaterThan(86_400_000);
    const hour = Number(events[0]?.eventTime.slice(11, 13));
    expect(hour).toBeGreaterThanOrEqual(8);
    expect(hour).toBeLessThanOrEqual(21);
  });
});

it('can be registered unchanged in a running sandbox', async () => {
  const sandbox = await runSandbox({ seed: demoSeed, speed: demoSpeed, registered: demoParcels });
  const response = await sandbox.post('/tk/v2.1/track/query', {
    trackNoInfos: demoParcels.map(({ trackNo, courierCode }) => ({ trackNo, courierCode })),
  });
  expect(response.body.data.accepted.content).toHaveLength(demoParcels.length);
  expect(response.body.data.rejected).toEqual([]);
});
