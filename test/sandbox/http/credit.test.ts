import { expect, it } from 'vitest';
import { importPath, instantPath, runSandbox, upsNumber } from '../support.ts';

const items = (...indexes: readonly number[]) => indexes.map((index) => ({ trackNo: upsNumber(index) }));
const refusal = { code: '101107', msg: expect.any(String), traceId: expect.stringMatching(/^[0-9a-f]{32}$/) };

it('is used by registrations and instant calls, not by queries or rejected numbers', async () => {
  const sandbox = await runSandbox({ credit: 3 });
  await sandbox.post(importPath, [...items(1, 2), { trackNo: upsNumber(2).toLowerCase() }, { trackNo: '' }]);
  await sandbox.post(importPath, items(1));
  await sandbox.records(upsNumber(1));
  expect((await sandbox.get('/sandbox/state')).body.creditLeft).toBe(1);
  expect((await sandbox.post(instantPath, items(9)[0])).body.code).toBe('00000');
  expect((await sandbox.get('/sandbox/state')).body.creditLeft).toBe(0);
  sandbox.clock.advance(1000);
  expect((await sandbox.post(instantPath, items(9)[0])).body).toEqual(refusal);
  expect((await sandbox.records(upsNumber(1), upsNumber(2))).length).toBe(2);
});

it('must cover a whole registration', async () => {
  const sandbox = await runSandbox({ credit: 2 });
  const rejected = await sandbox.post(importPath, items(1, 2, 3));
  expect([rejected.status, rejected.body]).toEqual([200, refusal]);
  expect((await sandbox.get('/sandbox/state')).body).toMatchObject({ creditLeft: 2, registeredCount: 0 });
  expect((await sandbox.post(importPath, items(1, 2))).body.data.accepted).toHaveLength(2);
});

it('is unlimited by default', async () => {
  const sandbox = await runSandbox();
  await sandbox.post(importPath, items(1));
  expect((await sandbox.get('/sandbox/state')).body.creditLeft).toBeNull();
});

it('can be changed to a number or to no limit while the sandbox runs', async () => {
  const sandbox = await runSandbox({ credit: 0 });
  expect((await sandbox.post(importPath, items(1))).body).toEqual(refusal);
  const put = await sandbox.put('/sandbox/credit', 1);
  expect([put.status, put.body]).toEqual([200, { creditLeft: 1 }]);
  expect((await sandbox.post(importPath, items(1, 2))).body).toEqual(refusal);
  expect((await sandbox.post(importPath, items(1))).body.data.accepted).toHaveLength(1);
  expect((await sandbox.put('/sandbox/credit', -1)).status).toBe(400);
  sandbox.credit.left = null;
  expect((await sandbox.post(importPath, items(2, 3))).body.data.accepted).toHaveLength(2);
});
