import { expect, it } from 'vitest';
import { assumedServiceClock, parseServiceTime } from '../../../src/service/service-clock.ts';
import { checkpointsOf, importPath, runSandbox, upsNumber } from '../support.ts';

const refreshPath = '/tk/v2.1/track/refresh';
const batchPath = '/tk/v2.1/track/refresh-batch';
const hourMs = 3_600_000;

it('looks a number up immediately, and postpones its next update', async () => {
  const sandbox = await runSandbox({ speed: 1 });
  const numbers = Array.from({ length: 40 }, (_, index) => upsNumber(index));
  await sandbox.post(
    importPath,
    numbers.map((trackNo) => ({ trackNo })),
  );
  sandbox.clock.advance(3000);
  const before = await sandbox.records(...numbers);
  sandbox.clock.advance(1.4 * hourMs + 123);
  expect(await sandbox.records(...numbers)).toEqual(before);
  const response = await sandbox.post(
    batchPath,
    numbers.map((trackNo) => ({ trackNo, courierCode: 'ups' })),
  );
  expect(response.body.data.rejected).toEqual([]);
  expect(response.body.data.accepted).toEqual(
    numbers.map((trackNo) => ({
      trackNo,
      courierCode: 'ups',
      success: true,
      actualRefreshTime: '2026-11-21 21:24:03',
    })),
  );
  const after = await sandbox.records(...numbers);
  const updated = after.filter((record, index) => {
    const known = before[index];
    return known !== undefined && checkpointsOf(record).length > checkpointsOf(known).length;
  });
  expect(updated.length).toBeGreaterThan(0);
  for (const record of after) {
    const next = parseServiceTime(record.nextUpdateTime, assumedServiceClock) ?? 0;
    const isOver = next <= sandbox.clock.now();
    expect(isOver || next >= sandbox.clock.now() + 1.5 * hourMs).toBe(true);
  }
});

it('works once every six hours of sandbox time, and says when it last did', async () => {
  const sandbox = await runSandbox({ speed: 360 });
  const key = { trackNo: upsNumber(1), courierCode: 'ups' };
  await sandbox.post(importPath, [key]);
  sandbox.clock.advance(5000);
  const refresh = async () => (await sandbox.post(refreshPath, key)).body.data;
  expect(await refresh()).toEqual({ success: true, actualRefreshTime: '2026-11-21 20:00:05' });
  const [record] = await sandbox.records(key.trackNo);
  sandbox.clock.advance(1000);
  expect(await refresh()).toEqual({ success: false, actualRefreshTime: '2026-11-21 20:00:05' });
  expect(await sandbox.records(key.trackNo)).toEqual([record]);
  sandbox.clock.advance(58_999);
  expect(await refresh()).toMatchObject({ success: false });
  sandbox.clock.advance(1);
  expect(await refresh()).toEqual({ success: true, actualRefreshTime: '2026-11-21 20:01:05' });
});

it.each([
  [refreshPath, {}],
  [refreshPath, [{ trackNo: upsNumber(1) }]],
  [batchPath, []],
  [batchPath, { trackNo: upsNumber(1) }],
])('rejects a body of the wrong shape at %s', async (path, body) => {
  const sandbox = await runSandbox();
  expect((await sandbox.post(path, body)).status).toBe(400);
});
