import { describe, expect, it } from 'vitest';
import { hourMs as hour, minuteMs as minute, secondMs as second } from '../../src/lib/clock.ts';
import { parseFault } from '../../src/sandbox/faults/fault-rule.ts';
import { assumedServiceClock, parseServiceTime } from '../../src/service/service-clock.ts';
import type { WireRecord } from '../../src/service/wire.ts';
import { hoursAfter } from '../support/test-sandbox.ts';
import { faultsPath, importPath, noon, queryPath, runSandbox, type TestSandbox, upsNumber } from './support.ts';

const [first, other] = [upsNumber(0), upsNumber(1)];

/** Starts a sandbox at normal speed, with two numbers that were registered some days ago. */
const world = (...faultTexts: readonly string[]): Promise<TestSandbox> =>
  runSandbox({
    speed: 1,
    registered: [first, other].map((trackNo) => ({
      ...{ trackNo, courierCode: 'ups', registeredAgoMs: 5 * 24 * hour },
      startAt: hoursAfter('INFO_RECEIVED_01', 1),
    })),
    faults: faultTexts.map(parseFault),
  });

async function recordOf(sandbox: TestSandbox, trackNo = first): Promise<WireRecord> {
  const [record] = await sandbox.records(trackNo);
  if (record === undefined) throw new Error(`There is no record of ${trackNo}.`);
  return record;
}
const planOf = async (sandbox: TestSandbox, trackNo = first): Promise<number> =>
  parseServiceTime((await recordOf(sandbox, trackNo)).nextUpdateTime ?? null, assumedServiceClock) ?? Number.NaN;

/** Advances the clock to an instant. */
const goTo = ({ clock }: TestSandbox, at: number): void => clock.advance(at - clock.now());

describe('lag', () => {
  it('returns the old record with its past update time until the lag is over, and plans the next update from then', async () => {
    const sandbox = await world('interval:3h', 'lag:20m');
    const planned = await planOf(sandbox);
    goTo(sandbox, planned + 20 * minute - 1);
    expect(await planOf(sandbox)).toBe(planned);
    goTo(sandbox, planned + 20 * minute);
    expect(await planOf(sandbox)).toBe(planned + 20 * minute + 3 * hour);
  });

  it('takes a random value from a range for each lookup', async () => {
    const sandbox = await world('interval:10m', 'lag:5s-60s');
    const lags = new Set<number>();
    let planned = await planOf(sandbox);
    for (let lookups = 0; lookups < 12; lookups += 1) {
      goTo(sandbox, planned);
      while ((await planOf(sandbox)) === planned) sandbox.clock.advance(second);
      const lag = sandbox.clock.now() - planned;
      expect(lag).toBeGreaterThanOrEqual(5 * second);
      expect(lag).toBeLessThanOrEqual(minute);
      expect(await planOf(sandbox)).toBe(planned + lag + 10 * minute);
      lags.add(lag);
      planned = await planOf(sandbox);
    }
    expect(lags.size).toBeGreaterThan(3);
  });

  it('affects only the given numbers, and ends when it is switched off', async () => {
    const sandbox = await world('interval:1h', `lag:30m:number=${first.toLowerCase()}`);
    const planned = [await planOf(sandbox), await planOf(sandbox, other)];
    goTo(sandbox, Math.max(...planned) + minute);
    expect([await planOf(sandbox), await planOf(sandbox, other)]).toEqual([
      planned[0],
      expect.toSatisfy((at: number) => at > sandbox.clock.now()),
    ]);
    await sandbox.put(faultsPath, ['interval:1h']);
    expect(await planOf(sandbox)).toBeGreaterThan(sandbox.clock.now());
  });
});

describe('interval', () => {
  it('plans the next update within a second, again and again, without changing other numbers', async () => {
    const sandbox = await world(`interval:1s:number=${first}`);
    for (let seconds = 0; seconds < 5; seconds += 1) {
      expect(await planOf(sandbox)).toBe(sandbox.clock.now() + second);
      sandbox.clock.advance(second);
    }
    expect(await planOf(sandbox, other)).toBeGreaterThan(noon + minute);
  });

  it('takes effect immediately when it is switched on, while other faults change no update time', async () => {
    const sandbox = await world();
    const before = await planOf(sandbox);
    await sandbox.put(faultsPath, ['unknown-status']);
    expect(await planOf(sandbox)).toBe(before);
    await sandbox.put(faultsPath, ['interval:30s']);
    expect(await planOf(sandbox)).toBe(noon + 30 * second);
  });
});

describe('never-looked-up', () => {
  const day = 24 * hour;

  it('never looks up a new number, while others get records', async () => {
    const [silent, normal] = [upsNumber(5), upsNumber(6)];
    const sandbox = await world(`never-looked-up:number=${silent}`);
    await sandbox.post(
      importPath,
      [silent, normal].map((trackNo) => ({ trackNo, courierCode: 'ups' })),
    );
    sandbox.clock.advance(30 * day);
    expect(await recordOf(sandbox, silent)).toMatchObject({ transitStatus: 'INIT', nextUpdateTime: null });
    expect((await recordOf(sandbox, normal)).nextUpdateTime).not.toBeNull();
  });

  it('does not change an existing record, and looks the number up again when the fault ends', async () => {
    const sandbox = await world();
    const before = await recordOf(sandbox);
    await sandbox.put(faultsPath, ['never-looked-up']);
    const registeredNow = upsNumber(7);
    await sandbox.post(importPath, [{ trackNo: registeredNow, courierCode: 'ups' }]);
    sandbox.clock.advance(2 * day);
    expect(await recordOf(sandbox)).toEqual(before);
    await sandbox.put(faultsPath, []);
    sandbox.clock.advance(3 * second);
    expect(await planOf(sandbox)).toBeGreaterThan(sandbox.clock.now());
    expect(await planOf(sandbox, registeredNow)).toBeGreaterThan(sandbox.clock.now());
  });
});

it('a finished record keeps the update time of its last lookup', async () => {
  const registered = Array.from({ length: 12 }, (_, index) => ({
    ...{ trackNo: upsNumber(20 + index), courierCode: 'ups', registeredAgoMs: 60 * 24 * hour },
  }));
  const sandbox = await runSandbox({ speed: 1, registered });
  const finished = async (): Promise<readonly WireRecord[]> =>
    (await sandbox.records(...registered.map(({ trackNo }) => trackNo))).filter(
      ({ transitStatus }) => transitStatus === 'DELIVERED',
    );
  const before = await finished();
  expect(before.length).toBeGreaterThan(3);
  await sandbox.put(faultsPath, ['interval:30s', 'lag:5s']);
  expect(await finished()).toEqual(before);
});

it.each([
  ['skew:90s', 90],
  ['skew:-10m', -600],
])('skew shifts every time that the service reports: %s', async (text, seconds) => {
  const sandbox = await world('interval:1h', text);
  const serviceNow = noon + seconds * second;
  const trackNo = upsNumber(3);
  await sandbox.post(importPath, [{ trackNo, courierCode: 'ups' }]);
  const response = await sandbox.raw(queryPath, { trackNoInfos: [{ trackNo }] });
  expect(Date.parse(String(response.headers['date']))).toBe(serviceNow);
  const { createTime } = await recordOf(sandbox, trackNo);
  expect(parseServiceTime(createTime ?? null, assumedServiceClock)).toBe(serviceNow);
  const planned = await planOf(sandbox);
  expect(planned).toBeGreaterThan(serviceNow);
  // The service plans updates on its own clock.
  goTo(sandbox, planned - seconds * second - 1);
  expect(await planOf(sandbox)).toBe(planned);
  goTo(sandbox, planned - seconds * second);
  expect(await planOf(sandbox)).toBe(planned + hour);
});
