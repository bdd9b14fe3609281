import { expect, it } from 'vitest';
import { faults } from '../../../src/sandbox/faults/fault-rule.ts';
import { faultsPath, importPath, queryPath, runSandbox, upsNumber } from '../support.ts';

it('switches faults while the sandbox runs', async () => {
  const sandbox = await runSandbox();
  expect((await sandbox.get(faultsPath)).body).toEqual([]);
  const rules = [{ name: 'error-500', count: 1, operation: 'query' }];
  const put = await sandbox.put(faultsPath, ['error-500:count=1:query']);
  expect([put.status, put.body]).toEqual([200, rules]);
  expect((await sandbox.post(queryPath, {})).status).toBe(500);
  expect((await sandbox.get(faultsPath)).body).toEqual([{ ...rules[0], count: 0 }]);
  expect((await sandbox.post(queryPath, {})).status).toBe(200);
  await sandbox.put(faultsPath, rules);
  const key = { 'Service-Api-Secret': sandbox.apiKey };
  expect((await sandbox.call(faultsPath, { method: 'DELETE', headers: key })).body).toEqual([]);
  expect((await sandbox.post(queryPath, {})).status).toBe(200);
});

it.each([
  ['an unknown name', [{ name: 'explode' }], /explode.*hang/],
  ['an object instead of a list', { name: 'hang' }, /format/],
])('rejects %s and keeps the current faults', async (_, body, message) => {
  const sandbox = await runSandbox({ faults: [{ name: 'unknown-status' }] });
  const response = await sandbox.put(faultsPath, body);
  expect([response.status, response.body.code]).toEqual([400, 'A0400']);
  expect(response.body.msg).toMatch(message);
  expect((await sandbox.get(faultsPath)).body).toEqual([{ name: 'unknown-status' }]);
});

it.each(['/sandbox/faults', '/sandbox/state', '/sandbox/fault-names'])('requires the key at %s', async (path) => {
  const sandbox = await runSandbox();
  expect((await sandbox.call(path, { method: 'GET', headers: { 'Service-Api-Secret': 'wrong' } })).status).toBe(401);
  expect((await sandbox.call(path, { method: 'GET' })).body.code).toBe('A0301');
});

it('lists the available faults', async () => {
  const sandbox = await runSandbox();
  expect((await sandbox.get('/sandbox/fault-names')).body).toEqual(faults);
});

it('reports the calls of each operation, successful or not, and the registered numbers', async () => {
  const sandbox = await runSandbox({ faults: [{ name: 'error-500', operation: 'queryV2' }] });
  await sandbox.post(importPath, [{ trackNo: upsNumber(1) }, { trackNo: '123456789012' }]);
  for (let count = 0; count < 7; count += 1) await sandbox.post(queryPath, {});
  await sandbox.post('/tk/v2/track/query', {});
  await sandbox.call(queryPath, { body: 'no key' });
  await sandbox.get('/tk/v2/courier/list');
  await sandbox.get('/tk/v2.1/courier/list');
  await sandbox.post('/nowhere', {});
  expect((await sandbox.get('/sandbox/state')).body).toEqual({
    calls: { register: 1, query: 8, queryV2: 1, couriers: 2 },
    creditLeft: null,
    webhook: null,
    registeredCount: 2,
    registered: [
      { trackNo: upsNumber(1), courierCode: 'ups' },
      { trackNo: '123456789012', courierCode: 'fedex' },
    ],
  });
});
