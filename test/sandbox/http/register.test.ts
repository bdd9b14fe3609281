import { expect, it } from 'vitest';
import { importPath, runSandbox, upsNumber } from '../support.ts';

it('echoes the details of a number, but neither custom fields nor blank ones', async () => {
  const sandbox = await runSandbox();
  const item = {
    trackNo: '3SABCD1234567',
    courierCode: 'postnl',
    orderNo: 'A-17',
    country: 'NL',
    shipTime: '2026-11-19 10:00:00',
    customerEmail: 'someone@example.com',
    postalCode: '1012 AB',
    remark: 'fragile',
    extendFieldMap: { phoneSuffix: '1234' },
  };
  const response = await sandbox.post(importPath, [
    { ...item, custom1: 'x' },
    { trackNo: upsNumber(2), courierCode: '' },
  ]);
  expect(response.body.data.accepted).toEqual([item, { trackNo: upsNumber(2) }]);
});

it('rejects individual numbers with a reason and accepts the rest', async () => {
  const sandbox = await runSandbox();
  const response = await sandbox.post(importPath, [
    { trackNo: 'LP00123456789012' },
    { trackNo: upsNumber(1), courierCode: 'nobody-express' },
    { trackNo: '   ' },
    { courierCode: 'ups' },
    { trackNo: 'not<a>number' },
    { trackNo: upsNumber(2), postalCode: 'far too long to be one' },
    { trackNo: upsNumber(3), extendFieldMap: { phoneSuffix: '12' } },
    { trackNo: upsNumber(4) },
  ]);
  expect(response.body.code).toBe('00000');
  expect(response.body.data.accepted).toEqual([{ trackNo: upsNumber(4) }]);
  expect(
    response.body.data.rejected.map((entry: { index: number; error: { code: string; msg: string } }) => [
      entry.index,
      entry.error.code,
      entry.error.msg,
    ]),
  ).toEqual([
    [0, 'A0400', 'trackNo not registered'],
    [1, 'A0400', 'unsupported logistics supplier code'],
    [2, 'A0400', 'trackNo cannot be empty'],
    [3, 'A0400', 'trackNo cannot be empty'],
    [4, 'A0400', 'trackNo format error'],
    [5, 'A0400', 'postalCode format error'],
    [6, 'A0400', 'phoneSuffix format error'],
  ]);
  expect(response.body.data.rejected[0]).not.toHaveProperty('courierCode');
});

it('accepts 100 numbers in a call and rejects a call with 101', async () => {
  const sandbox = await runSandbox();
  const items = Array.from({ length: 101 }, (_, index) => ({ trackNo: upsNumber(index) }));
  const rejected = await sandbox.post(importPath, items);
  expect(rejected.status).toBe(400);
  expect(rejected.body).toEqual({
    code: 'A0400',
    msg: expect.stringContaining('100'),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const accepted = await sandbox.post(importPath, items.slice(0, 100));
  expect(accepted.body.data.accepted).toHaveLength(100);
});

it('rejects a call without numbers', async () => {
  const sandbox = await runSandbox();
  const response = await sandbox.post(importPath, []);
  expect([response.status, response.body.code]).toEqual([400, 'A0410']);
});
