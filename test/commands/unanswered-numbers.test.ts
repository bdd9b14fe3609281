import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const success = (data: unknown) => ({ code: '00000', msg: 'Success', traceId: 'd'.repeat(32), data });

let server: ScriptedServer;
let user: CliUser;

beforeEach(async () => {
  server = await startScriptedServer(json(success({ accepted: [], rejected: [] })));
  const environment = { PARCEL_MONITOR_BASE_URL: server.baseUrl.href, PARCEL_MONITOR_API_KEY: 'k' };
  user = await createCliUser({ environment });
});
afterEach(async () => {
  await user.remove();
  await server.close();
});

it('reports a number that the service neither accepts nor rejects, and keeps it', async () => {
  const added = await user.run(['add', 'AB12345']);
  expect(added.exitCode).toBe(5);
  expect(added.stderr).toContain('AB12345 is saved but not registered');
  expect(JSON.parse((await user.run(['list', '--json'])).stdout)).toMatchObject({
    parcels: [{ trackNo: 'AB12345', state: 'pending' }],
  });
});

it('lists every number in the results if the request fails', async () => {
  server.respondWith(json(success({ accepted: [{ trackNo: 'AB12345' }, { trackNo: 'CD12345' }], rejected: [] })));
  await user.run(['add', 'AB12345', 'CD12345']);
  server.respondWith((_request, response) => void response.writeHead(503).end());
  const { exitCode, stdout } = await user.run(['refresh', 'AB12345', 'CD12345', '--json']);
  expect(exitCode).toBe(4);
  const { results } = JSON.parse(stdout) as { results: { trackNo: string; result: string }[] };
  expect(results.map(({ trackNo, result }) => [trackNo, result])).toEqual([
    ['AB12345', 'failed'],
    ['CD12345', 'failed'],
  ]);
});
