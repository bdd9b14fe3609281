import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { importPath, queryPath, queryV2Path, runSandbox, upsNumber } from '../support.ts';

const json = { 'Content-Type': 'application/json' };
const formatError = { code: 'A0400', msg: 'params format error', traceId: 'N/A' };

it('reads the key from a different header if configured', async () => {
  const sandbox = await runSandbox({ apiKey: 'right', header: 'Track123-Api-Secret' });
  const path = '/tk/v2/courier/list';
  const responses = [
    await sandbox.call(path, { method: 'GET', headers: { 'track123-api-secret': 'right' } }),
    await sandbox.call(path, { method: 'GET', headers: { 'Service-Api-Secret': 'right' } }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 401]);
});

describe('below a base path', () => {
  it.each(['/gateway/open-api', 'gateway/open-api', '/gateway/open-api/', '//gateway/open-api//'])(
    'serves every path if the base path is given as %s, and nothing elsewhere',
    async (basePath) => {
      const sandbox = await runSandbox({ basePath });
      const { origin, pathname } = new URL(sandbox.baseUrl);
      expect(pathname).toBe('/gateway/open-api');
      expect((await sandbox.get('/tk/v2.1/courier/list')).body.code).toBe('00000');
      expect((await sandbox.get('/sandbox/state')).body.registeredCount).toBe(0);
      const elsewhere = await request(`${origin}/tk/v2.1/courier/list`);
      expect(elsewhere.statusCode).toBe(404);
      await elsewhere.body.dump();
    },
  );

  it.each([['/a/:id'], ['/*'], ['/a b'], ['/../up?x']])('rejects an invalid base path: %s', async (basePath) => {
    await expect(runSandbox({ basePath })).rejects.toMatchObject({
      name: 'SandboxStartError',
      kind: 'unusable-option',
    });
  });

  it('rejects an invalid header name', async () => {
    await expect(runSandbox({ header: 'My key:' })).rejects.toThrow(/"My key:" is not a valid header name/);
  });
});

it.each([
  ['invalid JSON', importPath, '[{"trackNo":'],
  ['no content', importPath, ''],
  ['an object where an array belongs', importPath, '{"trackNo":"1"}'],
  ['items that are not objects', importPath, '["1Z0000000000000001"]'],
  ['a tracking number that is not a string', importPath, '[{"trackNo":17}]'],
  ['an extension that is not an object', importPath, '[{"trackNo":"1Z0000000000000001","extendFieldMap":"1234"}]'],
  ['an array where an object belongs', queryPath, '[]'],
  ['plain numbers where objects belong', queryPath, '{"trackNoInfos":["1Z0000000000000001"]}'],
  ['objects where plain numbers belong', queryV2Path, '{"trackNos":[{"trackNo":"1Z0000000000000001"}]}'],
  ['a page size that is not a number', queryPath, '{"queryPageSize":"100"}'],
])('reports a format error for a body with %s', async (_, path, body) => {
  const sandbox = await runSandbox();
  const response = await sandbox.call(path, { headers: { ...json, 'Service-Api-Secret': sandbox.apiKey }, body });
  expect([response.status, response.body]).toEqual([400, formatError]);
});

it('reports a format error for a body that is not declared as JSON, and for a GET of a POST operation', async () => {
  const sandbox = await runSandbox();
  const key = { 'Service-Api-Secret': sandbox.apiKey };
  const undeclared = await sandbox.call(importPath, { headers: { ...key, 'Content-Type': 'text/plain' }, body: '[]' });
  const got = await sandbox.call(importPath, { method: 'GET', headers: key });
  expect([undeclared.body, got.body]).toEqual([formatError, formatError]);
  expect([undeclared.status, got.status]).toEqual([400, 400]);
});

it('accepts a content type with a character set', async () => {
  const sandbox = await runSandbox();
  const headers = { 'Service-Api-Secret': sandbox.apiKey, 'Content-Type': 'application/json; charset=utf-8' };
  const response = await sandbox.call(importPath, { headers, body: JSON.stringify([{ trackNo: upsNumber(1) }]) });
  expect(response.status).toBe(200);
});

it('accepts a body without a length', async () => {
  const sandbox = await runSandbox();
  const response = await request(`${sandbox.baseUrl}${importPath}`, {
    method: 'POST',
    headers: { ...json, 'Service-Api-Secret': sandbox.apiKey },
    body: Readable.from(['[{"trackNo":', `"${upsNumber(1)}"}]`]),
  });
  expect(await response.body.json()).toMatchObject({ data: { accepted: [{ trackNo: upsNumber(1) }] } });
});

it('rejects a body above the size limit, with or without a length', async () => {
  const sandbox = await runSandbox();
  const large = JSON.stringify([{ trackNo: 'x'.repeat(300_000) }]);
  const headers = { ...json, 'Service-Api-Secret': sandbox.apiKey };
  const announced = await sandbox.call(importPath, { headers, body: large });
  expect([announced.status, announced.body.code]).toEqual([413, 'A0400']);
  const streamed = await request(`${sandbox.baseUrl}${importPath}`, {
    method: 'POST',
    headers,
    body: Readable.from([large.slice(0, 150_000), large.slice(150_000)]),
  });
  expect([streamed.statusCode, ((await streamed.body.json()) as { code: string }).code]).toEqual([413, 'A0400']);
});

it('allows five calls per second for each operation, and says when to retry', async () => {
  const sandbox = await runSandbox();
  const query = () => sandbox.post(queryPath, {});
  for (let count = 0; count < 5; count += 1) expect((await query()).status).toBe(200);
  const over = await query();
  expect([over.status, over.headers['retry-after'], over.body]).toEqual([
    429,
    '1',
    { code: 'A0706', msg: 'too many requests', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
  expect((await sandbox.post(queryV2Path, {})).status).toBe(200);
  sandbox.clock.advance(999);
  expect((await query()).status).toBe(429);
  sandbox.clock.advance(1);
  expect((await query()).status).toBe(200);
});

it('allows any number of calls if there is no limit', async () => {
  const sandbox = await runSandbox({ enforcesRateLimit: false });
  for (let count = 0; count < 12; count += 1) expect((await sandbox.post(queryPath, {})).status).toBe(200);
});
