import { expect, it } from 'vitest';
import { importPath, queryPath, runSandbox, upsNumber } from '../support.ts';

const deletePath = '/tk/v2.1/track/delete';
it('accepts a single object too, and deletes a number only under the given courier', async () => {
  const sandbox = await runSandbox();
  await sandbox.post(importPath, [
    { trackNo: '123456789012', courierCode: 'fedex', orderNo: 'A-1' },
    { trackNo: '123456789012', courierCode: 'yamato', orderNo: 'A-1' },
  ]);
  const response = await sandbox.post(deletePath, { trackNo: '123456789012', courierCode: 'fedex' });
  expect(response.body.data).toEqual({ accepted: [{ trackNo: '123456789012', courierCode: 'fedex' }], rejected: [] });
  const remaining = await sandbox.post(queryPath, { orderNos: ['A-1'] });
  expect(remaining.body.data.accepted.content).toMatchObject([{ localLogisticsInfo: { courierCode: 'yamato' } }]);
});

it('lets a deleted number be registered again, as a new record of the same parcel', async () => {
  const sandbox = await runSandbox({ speed: 3600 });
  const item = { trackNo: 'RB100000005CN', courierCode: 'china-post' };
  await sandbox.post(importPath, [item]);
  sandbox.clock.advance(10_000);
  const [first] = await sandbox.records(item.trackNo);
  await sandbox.post(deletePath, [item]);
  sandbox.clock.advance(60_000);
  const again = await sandbox.post(importPath, [item]);
  expect(again.body.data).toMatchObject({ accepted: [item], rejected: [] });
  const [fresh] = await sandbox.records(item.trackNo);
  expect(fresh).toMatchObject({ transitStatus: 'INIT', createTime: '2026-11-21 20:01:10' });
  sandbox.clock.advance(3000);
  const [second] = await sandbox.records(item.trackNo);
  expect(second?.id).not.toBe(first?.id);
  const before = first?.localLogisticsInfo?.trackingDetails ?? [];
  const after = second?.localLogisticsInfo?.trackingDetails ?? [];
  expect(before.length).toBeGreaterThan(0);
  expect(after.slice(after.length - before.length)).toEqual(before);
});

it.each([
  ['an empty list', []],
  ['101 numbers', Array.from({ length: 101 }, (_, index) => ({ trackNo: upsNumber(index) }))],
  ['plain numbers', [upsNumber(1)]],
])('rejects the whole call for %s', async (_, body) => {
  const sandbox = await runSandbox();
  const response = await sandbox.post(deletePath, body);
  expect(response.status).toBe(400);
  expect(response.body.code).toMatch(/^A04[01]0$/);
});
