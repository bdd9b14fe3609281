import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import { parseFault } from '../../src/sandbox/faults/fault-rule.ts';
import { demoParcels, demoSeed, demoSpeed, type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { createFastClock } from '../support/fast-clock.ts';
import { raw, startScriptedServer } from '../support/scripted-server.ts';
import { paths } from './bench.ts';
import { headings } from './check.ts';
import { checks, isConformant, type Result, runSuite } from './suite.ts';
import { formatTable, summarise } from './table.ts';
import { startTamperingProxy, type Tampering } from './tampering-proxy.ts';

const apiKey = 'conformance-test-key';

/** Sped up, so that the rate limit does not slow the tests down. */
const clock = createFastClock(20);

async function sandboxWithParcels(): Promise<Sandbox> {
  const demo = { speed: demoSpeed, seed: demoSeed, registered: demoParcels };
  const sandbox = await startSandbox({ port: 0, clock, apiKey, ...demo });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const check = (baseUrl: URL, write: boolean): Promise<readonly Result[]> =>
  runSuite({ baseUrl, apiKey, header: 'Service-Api-Secret', write, clock, random: Math.random });

/** Titles of the checks with this result. */
const titlesIn = (results: readonly Result[], state: Result['state']): readonly string[] =>
  results.filter((result) => result.state === state).map((result) => result.check.title);

describe('the sandbox', () => {
  test('conforms in all checks', async () => {
    const sandbox = await sandboxWithParcels();
    const results = await check(new URL(sandbox.baseUrl), true);
    expect(
      formatTable(results.filter((result) => result.state === 'differs'))
        .split('\n')
        .slice(1),
    ).toEqual([]);
    expect(titlesIn(results, 'skipped')).toEqual(['the base URL is HTTPS']);
    expect(isConformant(results)).toBe(true);
  });

  test('conforms when it replaces the public service', async () => {
    const place = { header: 'Track123-Api-Secret', basePath: '/gateway/open-api' };
    const sandbox = await startSandbox({ port: 0, speed: 360, seed: 5, clock, apiKey, ...place });
    onTestFinished(() => sandbox.close());
    const suite = { apiKey, header: place.header, write: true, clock, random: Math.random };
    const results = await runSuite({ ...suite, baseUrl: new URL(sandbox.baseUrl) });
    expect(titlesIn(results, 'differs')).toEqual([]);
  });

  test('passes the other checks while accepted numbers are not indexed yet', async () => {
    const faults = [parseFault('slow-index:delay=6000')];
    const sandbox = await startSandbox({ port: 0, speed: 360, seed: 5, clock, apiKey, faults });
    onTestFinished(() => sandbox.close());
    const results = await check(new URL(sandbox.baseUrl), true);
    const title = 'a registered number is in content, with its ID, number and creation time';
    expect(titlesIn(results, 'held')).toContain(title);
    const slower = await startSandbox({
      port: 0,
      speed: 360,
      seed: 5,
      clock,
      apiKey,
      faults: [parseFault('slow-index')],
    });
    onTestFinished(() => slower.close());
    expect(titlesIn(await check(new URL(slower.baseUrl), true), 'skipped')).toContain(title);
  });

  test('is not changed without --write', async () => {
    const sandbox = await sandboxWithParcels();
    const proxy = await startTamperingProxy(sandbox.baseUrl, {});
    onTestFinished(() => proxy.close());
    const results = await check(proxy.baseUrl, false);
    expect(isConformant(results)).toBe(true);
    expect(titlesIn(results, 'differs')).toEqual([]);
    const readPaths: readonly string[] = [paths.query, paths.queryV2, paths.couriers, paths.couriersV2];
    const otherPaths = proxy.requests
      .map((request) => request.path.replace('/gateway', ''))
      .filter((path) => !readPaths.includes(path));
    expect(new Set(otherPaths)).toEqual(new Set(['/tk/v2.1/track/no-such-operation']));
  });
});

/** Returns a response in which every object, at any depth, is changed. */
function changeObjects(value: JsonValue, change: (object: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => changeObjects(item, change));
  if (!isJsonObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changeObjects(item, change)])));
}

/** Replaces a field if it is present. */
const withField =
  (name: string, replace: (value: JsonValue) => JsonValue): NonNullable<Tampering['changeResponse']> =>
  (body) =>
    changeObjects(body, (object) => (name in object ? { ...object, [name]: replace(object[name] ?? null) } : object));

const brokenDeployments: readonly (readonly [string, boolean, Tampering, string])[] = [
  ['has a number as its code', false, { changeResponse: withField('code', Number) }, 'a success has code "00000"'],
  [
    'returns no traceId',
    false,
    { changeResponse: withField('traceId', () => '') },
    'a rejected call has a traceId too',
  ],
  [
    'accepts any key',
    false,
    { changeRequest: ({ headers, body }) => ({ headers: { ...headers, 'service-api-secret': apiKey }, body }) },
    'a wrong key is rejected',
  ],
  ['counts in numbers', false, { changeResponse: withField('totalPages', Number) }, 'query v2.1 returns a page'],
  [
    'does not mention unknown numbers',
    false,
    { changeResponse: withField('rejected', () => []) },
    'query v2.1 puts a number',
  ],
  ['has numbers as ids', false, { changeResponse: withField('id', Number) }, 'records have the stated fields'],
  [
    'has times in a different format',
    false,
    { changeResponse: withField('createTime', (time) => String(time).replace(' ', 'T')) },
    'records have the stated fields',
  ],
  [
    'reports the oldest checkpoint first',
    false,
    { changeResponse: withField('trackingDetails', (list) => (Array.isArray(list) ? list.toReversed() : list)) },
    'checkpoints are listed newest first',
  ],
  [
    'treats local time as UTC',
    false,
    { changeResponse: withField('timezone', () => '+05:45') },
    'local time, offset and UTC time of a checkpoint agree',
  ],
  [
    'returns numbers that were not requested',
    false,
    { changeRequest: ({ headers, body }) => ({ headers, body: body.includes('[') ? '{}' : body }) },
    'a query returns only the requested number',
  ],
  [
    'does not delete',
    true,
    { changeRequest: (request) => (request.path.endsWith(paths.delete) ? null : request) },
    'deleted numbers are no longer registered',
  ],
  [
    'does not register',
    true,
    { changeRequest: (request) => (request.path.endsWith(paths.register) ? null : request) },
    'a registered number is in content',
  ],
];

describe('a broken deployment', () => {
  test.each(brokenDeployments)('does not conform when it %s', async (_name, write, tampering, title) => {
    const sandbox = await sandboxWithParcels();
    const proxy = await startTamperingProxy(sandbox.baseUrl, tampering);
    onTestFinished(() => proxy.close());
    const results = await check(proxy.baseUrl, write);
    expect(titlesIn(results, 'differs').some((differing) => differing.startsWith(title))).toBe(true);
    expect(isConformant(results)).toBe(false);
  });

  test.each<[string, Tampering, string]>([
    [
      'ignores trackNos in v2.1',
      {
        changeRequest: ({ headers, body, path }) => ({
          headers,
          body: path.endsWith(paths.query) ? body.replace('"trackNos"', '"unknown"') : body,
        }),
      },
      'query v2.1 by trackNos returns only those numbers',
    ],
    [
      'words an error differently',
      { changeResponse: withField('msg', (words) => (words === 'params format error' ? 'bad' : words)) },
      'a POST to the courier list is rejected with the captured response',
    ],
    [
      'has a different page for unknown paths',
      { changeResponse: withField('error', (error) => (error === 'Not Found' ? 'Gone' : error)) },
      'an unknown path returns HTTP 404 and the page of a web framework',
    ],
  ])('conforms to what is stated, but not to what was observed, when it %s', async (_name, tampering, title) => {
    const sandbox = await sandboxWithParcels();
    const proxy = await startTamperingProxy(sandbox.baseUrl, tampering);
    onTestFinished(() => proxy.close());
    const results = await check(proxy.baseUrl, false);
    expect(titlesIn(results, 'differs')).toContain(title);
    expect(isConformant(results)).toBe(true);
  });

  test('does not conform when it is a web page, whose escape sequences the table does not show', async () => {
    const page = await startScriptedServer(
      raw(`<h1>\u001b[31m${apiKey}</h1>`, 200, { 'content-type': 'text/html\u00ff' }),
    );
    onTestFinished(() => page.close());
    const results = await check(page.baseUrl, false);
    expect(isConformant(results)).toBe(false);
    expect(formatTable(results)).not.toMatch(/\u001b|conformance-test-key/);
  });

  test('does not conform when it does not respond', async () => {
    const gone = await startScriptedServer(raw(''));
    await gone.close();
    const results = await check(gone.baseUrl, false);
    expect(titlesIn(results, 'held')).toEqual([]);
    expect(summarise(results)).toMatch(
      new RegExp(`^${checks.length} checks: 0 held, [1-9]\\d* differ from what is stated`),
    );
  });
});

test('every statement refers to a heading in src/service/README.md', () => {
  const description = readFileSync(new URL('../../src/service/README.md', import.meta.url), 'utf8');
  const written = new Set(Array.from(description.matchAll(/^#+ (.+)$/gm), ([, heading]) => heading));
  expect(headings.filter((heading) => !written.has(heading))).toEqual([]);
});

describe('npm run conformance', () => {
  const program = fileURLToPath(new URL('run.ts', import.meta.url));
  const run = (args: readonly string[], key: string): { readonly status: number | null; readonly stderr: string } =>
    spawnSync(process.execPath, [program, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], PARCEL_MONITOR_API_KEY: key },
    });

  test.each([
    ['no deployment', [], apiKey, '--base-url'],
    ['no key', ['--base-url', 'http://127.0.0.1:9'], '', 'PARCEL_MONITOR_API_KEY'],
    ['plain http elsewhere', ['--base-url', 'http://service.example'], apiKey, 'Plain HTTP'],
    ['an unknown option', ['--wirte'], apiKey, '--wirte'],
  ])('explains incorrect usage in a sentence: %s', (_name, args, key, message) => {
    const { status, stderr } = run(args, key);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });
});
