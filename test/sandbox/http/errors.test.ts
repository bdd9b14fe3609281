import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { importPath, queryPath, queryV2Path, runSandbox, upsNumber } from '../support.ts';

const json = { 'Content-Type': 'application/json' };
const formatError = { code: 'A0400', msg: 'params format error', traceId: 'N/A' };

it.each([
  ['POST', importPath],
  ['POST', queryPath],
  ['POST', queryV2Path],
  ['GET', '/tk/v2.1/courier/list'],
] as const)('rejects calls without the right key: %s %s', async (method, path) => {
  const sandbox = await runSandbox({ apiKey: 'right' });
  const body = method === 'POST' ? { body: '[]' } : {};
  const missing = await sandbox.call(path, { method, headers: json, ...body });
  expect([missing.status, missing.body]).toEqual([
    401,
    { code: 'A0301', msg: expect.any(String), traceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
  const wrong = await sandbox.call(path, { method, headers: { ...json, 'Service-Api-Secret': 'wrong' }, ...body });
  expect([wrong.status, wrong.body.code]).toEqual([401, 'A0230']);
  expect(JSON.stringify([missing.body, wrong.body])).not.toContain('right');
});

it('reads the key from another header if the option says so', async () => {
  const sandbox = await runSandbox({ apiKey: 'right', header: 'Track123-Api-Secret' });
  const path = '/tk/v2/courier/list';
  const answers = [
    await sandbox.call(path, { method: 'GET', headers: { 'track123-api-secret': 'right' } }),
    await sandbox.call(path, { method: 'GET', headers: { 'Service-Api-Secret': 'right' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401]);
});

it.each([
  ['', '/tk/v3/track/query'],
  ['/gateway/open-api', '/gateway/open-api/tk/v3/track/query'],
])('answers an unknown path below "%s" with the page of a web framework, as captured', async (basePath, path) => {
  const sandbox = await runSandbox({ basePath });
  const answer = await sandbox.raw('/tk/v3/track/query', {});
  expect(answer.status).toBe(404);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.text).toBe(
    `{"timestamp":"2026-11-21 20:00:00","status":404,"error":"Not Found","message":"","path":"${path}"}`,
  );
});

it('answers unreadable requests, and a POST to the list of couriers, with the recorded words', async () => {
  const sandbox = await runSandbox();
  for (const path of ['/tk/v2/courier/list', '/tk/v2.1/courier/list', importPath, queryPath]) {
    const body = path === importPath ? {} : [];
    const answer = await sandbox.raw(path, body);
    expect([answer.status, answer.text]).toEqual([400, '{"code":"A0400","msg":"params format error","traceId":"N/A"}']);
  }
});

describe('below a base path', () => {
  it.each(['/gateway/open-api', 'gateway/open-api', '/gateway/open-api/', '//gateway/open-api//'])(
    'serves everything when that is written %s, and nothing elsewhere',
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
  ['no JSON', importPath, '[{"trackNo":'],
  ['nothing at all', importPath, ''],
  ['an object where an array belongs', importPath, '{"trackNo":"1"}'],
  ['items that are no objects', importPath, '["1Z0000000000000001"]'],
  ['a number that is no text', importPath, '[{"trackNo":17}]'],
  ['an extension that is not an object', importPath, '[{"trackNo":"1Z0000000000000001","extendFieldMap":"1234"}]'],
  ['an array where an object belongs', queryPath, '[]'],
  ['plain numbers where objects belong', queryPath, '{"trackNoInfos":["1Z0000000000000001"]}'],
  ['objects where plain numbers belong', queryV2Path, '{"trackNos":[{"trackNo":"1Z0000000000000001"}]}'],
  ['a page size that is no number', queryPath, '{"queryPageSize":"100"}'],
])('answers a body with %s with a format error', async (_, path, body) => {
  const sandbox = await runSandbox();
  const answer = await sandbox.call(path, { headers: { ...json, 'Service-Api-Secret': sandbox.apiKey }, body });
  expect([answer.status, answer.body]).toEqual([400, formatError]);
});

it('answers a body that is not declared as JSON, and a GET of a POST operation, with a format error', async () => {
  const sandbox = await runSandbox();
  const key = { 'Service-Api-Secret': sandbox.apiKey };
  const undeclared = await sandbox.call(importPath, { headers: { ...key, 'Content-Type': 'text/plain' }, body: '[]' });
  const got = await sandbox.call(importPath, { method: 'GET', headers: key });
  expect([undeclared.body, got.body]).toEqual([formatError, formatError]);
  expect([undeclared.status, got.status]).toEqual([400, 400]);
});

it('accepts a media type with a character set', async () => {
  const sandbox = await runSandbox();
  const headers = { 'Service-Api-Secret': sandbox.apiKey, 'Content-Type': 'application/json; charset=utf-8' };
  const answer = await sandbox.call(importPath, { headers, body: JSON.stringify([{ trackNo: upsNumber(1) }]) });
  expect(answer.status).toBe(200);
});

it('accepts a body without a length', async () => {
  const sandbox = await runSandbox();
  const answer = await request(`${sandbox.baseUrl}${importPath}`, {
    method: 'POST',
    headers: { ...json, 'Service-Api-Secret': sandbox.apiKey },
    body: Readable.from(['[{"trackNo":', `"${upsNumber(1)}"}]`]),
  });
  expect(await answer.body.json()).toMatchObject({ data: { accepted: [{ trackNo: upsNumber(1) }] } });
});

it('refuses a body above the size limit, with or without a length', async () => {
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
  const sandbox = await runSandbox({ limitsCalls: false });
  for (let count = 0; count < 12; count += 1) expect((await sandbox.post(queryPath, {})).status).toBe(200);
});
