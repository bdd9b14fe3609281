import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs as day } from '../../src/lib/clock.ts';
import { type CliResult, type CliUser, createCliUser } from '../support/cli-user.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const success = (data: unknown) => ({ code: '00000', msg: 'Success', traceId: 'd'.repeat(32), data });
const serviceCouriers = [
  { courierCode: 'ups', courierNameEN: 'UPS' },
  { courierCode: 'yanwen', courierNameEN: 'Yanwen' },
  {
    courierCode: 'saf-post',
    courierNameEN: 'Safe Arrival',
    courierNameCN: '平安速运',
    courierHomePage: 'https://www.saf.example/',
  },
  { courierCode: 'north-one', courierNameEN: 'Northern One', courierNameCN: '北方快递' },
  { courierCode: 'north-two', courierNameEN: 'Northern Two', courierNameCN: '北方物流' },
];

let server: ScriptedServer;
let user: CliUser;
/** The response of Get Carriers. */
let couriersResponse: unknown;
const calls = (): string[] => server.requests.map(({ path }) => path.split('/').slice(-2).join('/'));
const environment = (): Record<string, string> => ({
  PARCEL_MONITOR_BASE_URL: server.baseUrl.href,
  PARCEL_MONITOR_API_KEY: 'k',
});
const run = (...args: string[]): Promise<CliResult> => user.run(args, { environment: environment() });

beforeEach(async () => {
  couriersResponse = success(serviceCouriers);
  server = await startScriptedServer((request, response) => {
    const isRegistration = request.path.endsWith('/import');
    const rejected = [{ index: 0, trackNo: 'AB12345', error: { code: 'A0400', msg: 'no such number' } }];
    const body = isRegistration ? success({ accepted: [], rejected }) : couriersResponse;
    json(body)(request, response);
  });
  user = await createCliUser();
});
afterEach(async () => {
  await user.remove();
  await server.close();
});

async function cacheCouriers(ageMs: number): Promise<void> {
  const folder = join(user.home, '.cache', 'parcel-monitor');
  await mkdir(folder, { recursive: true });
  const couriers = serviceCouriers.map(({ courierCode, courierNameEN }) => ({
    code: courierCode,
    nameEN: courierNameEN,
    nameCN: null,
    homePage: null,
  }));
  await writeFile(
    join(folder, 'couriers.json'),
    JSON.stringify({ version: 1, fetchedAt: Date.now() - ageMs, couriers }),
  );
}

describe('a courier that is not named by its code', () => {
  const sent = (): readonly unknown[] =>
    server.requests.filter(({ path }) => path.endsWith('/import')).flatMap(({ body }) => JSON.parse(body) as unknown[]);

  it.each([
    ['its name', ['add', 'AB12345', '--courier', 'safe arrival']],
    ['its Chinese name after the number', ['add', 'AB12345@平安速运']],
    ["its page's URL", ['add', 'AB12345', '--courier', 'https://www.track123.com/carriers/SAF-post']],
  ])('is recognised by %s, with a single request for the list', async (_what, args) => {
    await run(...args);
    expect(sent()).toMatchObject([{ trackNo: 'AB12345', courierCode: 'saf-post' }]);
    expect(calls().filter((call) => call === 'courier/list')).toHaveLength(1);
  });

  it('is recognised by edit and by live lookups', async () => {
    await run('add', 'AB12345@ups');
    await run('edit', 'AB12345', '--courier', '平安');
    expect(sent().at(-1)).toMatchObject({ trackNo: 'AB12345', courierCode: 'saf-post' });
    await run('show', 'CD12345', '--instant', '--courier', '平安');
    await run('show', 'CD12345@平安速运', '--instant');
    const lookups = server.requests
      .filter(({ path }) => path.endsWith('/query-realtime'))
      .map(({ body }) => JSON.parse(body));
    expect(lookups).toMatchObject([{ courierCode: 'saf-post' }, { courierCode: 'saf-post' }]);
    expect((await run('couriers', '平安')).stdout).toMatch(/\nsaf-post .*平安速运/);
  });

  it.each([
    ['add --courier', ['add', 'AB12345', '--courier', '北方']],
    ['add NUMBER@COURIER', ['add', 'AB12345@北方']],
    ['edit --courier', ['edit', 'AB12345', '--courier', 'Northern']],
    ['show --instant', ['show', '--instant', 'AB12345@Northern']],
  ])('is refused by %s with the closest codes if it matches several couriers', async (_what, args) => {
    const { exitCode, stderr } = await run(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /"(?:北方|Northern)" matches several couriers\. Use one of these codes: north-one, north-two\./,
    );
    expect(calls()).toEqual(['courier/list']);
  });

  it('is recognised on standard input, where an ambiguous name skips only its line', async () => {
    const input = 'AB12345 @平安\nCD12345 @北方\n';
    const { exitCode, stderr } = await user.run(['add', '-'], { environment: environment(), input });
    expect(exitCode).toBe(5);
    expect(stderr).toContain('line 2: "北方" matches several couriers.');
    expect(sent()).toMatchObject([{ trackNo: 'AB12345', courierCode: 'saf-post' }]);
  });
});

describe('a mistyped courier', () => {
  it.each([
    ['add --courier', ['add', 'AB12345', '--courier', 'yanwne']],
    ['add NUMBER@COURIER', ['add', 'AB12345@yanwne']],
    ['edit --courier', ['edit', 'AB12345', '--courier', 'yanwne']],
    ['show --instant', ['show', '--instant', 'AB12345@yanwne']],
  ])('is refused by %s without a call while the cached list is fresh', async (_what, args) => {
    await cacheCouriers(day);
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout, calls: calls() }).toEqual({ exitCode: 2, stdout: '', calls: [] });
    expect(stderr).toMatch(/No courier has the code "yanwne"; did you mean yanwen\?.*couriers" for the list of codes/);
    expect((await run('list')).stdout).toBe('');
  });

  it('skips only its line of standard input', async () => {
    await cacheCouriers(day);
    const input = '# mine\nCD12345@yanwne\nnotes\n\nAB12345@ups\nCD12345@a b\n';
    const { exitCode, stderr } = await user.run(['add', '-'], { environment: environment(), input });
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/line 2: No courier has the code "yanwne"/);
    expect(stderr).toMatch(/line 3: /);
    expect(stderr).toMatch(/line 6: Where does the number end/);
    expect(calls()).toEqual(['track/import']);
    expect((await run('list')).stdout).toMatch(/AB12345/);
  });

  it('skips only its row in an exported file, unless the parcel is archived', async () => {
    await cacheCouriers(day);
    const input = 'trackNo,courierCode,state\nAB12345,ups,\nCD12345,yanwne,\nEF12345,yanwne,archived\n';
    const { exitCode, stderr } = await user.run(['import', '-'], { environment: environment(), input });
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(/line 3: No courier has the code "yanwne"; did you mean yanwen\?/);
    expect(stderr).not.toMatch(/line 4/);
    expect(calls()).toEqual(['track/import']);
    expect((await run('list', '--all')).stdout).toMatch(/EF12345/);
  });

  it.each([
    ['none is cached', null],
    ['the cached one is a week old', 8 * day],
  ])('is looked up in a new list when %s', async (_what, ageMs) => {
    if (ageMs !== null) await cacheCouriers(ageMs);
    expect((await run('add', 'AB12345@yanwne')).exitCode).toBe(2);
    expect(calls()).toEqual(['courier/list']);
    expect((await run('add', 'AB12345@ups')).exitCode).toBe(5);
    expect(calls()).toEqual(['courier/list', 'track/import']);
  });

  it('is left for the service to judge if there is no list', async () => {
    couriersResponse = { code: 'C0113', msg: 'none', traceId: null };
    expect((await run('add', 'AB12345@yanwne')).exitCode).toBe(5);
    expect(calls()).toEqual(['courier/list', 'track/import']);
  });

  it('is reported and accepted if the list is old and cannot be renewed', async () => {
    await cacheCouriers(8 * day);
    couriersResponse = { code: 'C0113', msg: 'none', traceId: null };
    const { exitCode, stderr } = await run('add', 'AB12345@yanwne');
    expect(exitCode).toBe(5);
    expect(stderr).toMatch(
      /"yanwne"; did you mean yanwen\?.*could not be updated, so "yanwne" is accepted without a check/,
    );
    expect(calls()).toContain('track/import');
  });

  it('is refused even without a key if a list is cached; without a list, the number is saved', async () => {
    const saved = await user.run(['add', 'AB12345@yanwne']);
    expect(saved.exitCode).toBe(0);
    expect(saved.stdout).toBe('AB12345@yanwne  pending\n');
    await cacheCouriers(day);
    expect((await user.run(['add', 'CD12345@yanwne'])).exitCode).toBe(2);
  });
});
