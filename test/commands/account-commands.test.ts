import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, type CliUser, createCliUser } from '../support/cli-user.ts';
import { json, type ReceivedRequest, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { listContract, showContract } from './contract.ts';

/**
 * A minimal service that implements every operation. Tests can replace its responses. Other tests run these commands
 * against the sandbox, which is complete.
 */
interface FakeAccount {
  readonly server: ScriptedServer;
  /** Replaces the response of an operation, named by the last part of its path. */
  readonly responses: Map<string, unknown>;
  /** The bodies of all calls to an operation. */
  bodies(operation: string): unknown[];
}

const traceId = 'c'.repeat(32);
const envelope = (data: unknown) => ({ code: '00000', msg: 'Success', traceId, data });
const failure = (code: string, msg: string) => ({ code, msg, traceId });
const rejection = (trackNo: string, msg: string) => ({ index: 0, trackNo, error: { code: 'A0400', msg } });

const keys = v.array(v.looseObject({ trackNo: v.string(), courierCode: v.optional(v.string()) }));

function usualResponse(operation: string, body: unknown): unknown {
  if (operation === 'import') return envelope({ accepted: v.parse(keys, body), rejected: [] });
  if (operation === 'query') {
    const { trackNoInfos } = v.parse(v.looseObject({ trackNoInfos: keys }), body);
    const content = trackNoInfos.map(({ trackNo, courierCode = 'yanwen' }) => ({
      trackNo,
      transitStatus: 'IN_TRANSIT',
      localLogisticsInfo: { courierCode },
    }));
    return envelope({ accepted: { content, totalPages: '1', currentPage: '1' }, rejected: [] });
  }
  return envelope({ accepted: [], rejected: [] });
}

async function startAccount(): Promise<FakeAccount> {
  const responses = new Map<string, unknown>();
  const operationOf = ({ path }: ReceivedRequest): string => path.split('/').at(-1) ?? '';
  const bodyOf = ({ body }: ReceivedRequest): unknown => (body === '' ? null : JSON.parse(body));
  const server = await startScriptedServer((request: ReceivedRequest, response: ServerResponse) => {
    const operation = operationOf(request);
    json(responses.get(operation) ?? usualResponse(operation, bodyOf(request)))(request, response);
  });
  return {
    server,
    responses,
    bodies: (operation) => server.requests.filter((request) => operationOf(request) === operation).map(bodyOf),
  };
}

let account: FakeAccount;
let user: CliUser;
beforeEach(async () => {
  account = await startAccount();
  user = await createCliUser();
});
afterEach(async () => {
  await user.remove();
  await account.server.close();
});

function run(...cliArguments: readonly string[]): Promise<CliResult> {
  const environment = { PARCEL_MONITOR_BASE_URL: account.server.baseUrl.href, PARCEL_MONITOR_API_KEY: 'k' };
  return user.run(cliArguments, { environment });
}

/** Saves a watchlist of registered parcels. To add them with a command would mean waiting for their records. */
async function saveWatchlist(...names: readonly string[]): Promise<void> {
  const entries = names.map((name, index) => {
    const [trackNo = '', courierCode = null] = name.split('@');
    const fields = { label: 'Lamp', registration: 'registered', extras: { postalCode: null, phoneSuffix: null } };
    return { id: `parcel-${index}`, trackNo, courierCode, courierPinned: courierCode !== null, ...fields };
  });
  const folder = join(user.home, '.local', 'share', 'parcel-monitor');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'watchlist.json'), JSON.stringify({ version: 1, parcels: entries }), { mode: 0o600 });
}

const parcels = async () => v.parse(listContract, JSON.parse((await run('list', '--json')).stdout)).parcels;
const trackNos = async () => (await parcels()).map(({ trackNo }) => trackNo);

describe('remove --remote', () => {
  it('deletes the parcel at the service, then here', async () => {
    await saveWatchlist('AB12345@yanwen', 'CD12345');
    const { exitCode, stdout, stderr } = await run('remove', '--remote', 'AB12345', 'CD12345');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe('AB12345  removed, also at the service\nCD12345  removed, also at the service\n');
    expect(account.bodies('delete')).toEqual([[{ trackNo: 'AB12345', courierCode: 'yanwen' }, { trackNo: 'CD12345' }]]);
    expect(await trackNos()).toEqual([]);
  });

  it('asks first at a terminal, because a deletion at the service cannot be undone', async () => {
    await saveWatchlist('AB12345@yanwen');
    const environment = { PARCEL_MONITOR_BASE_URL: account.server.baseUrl.href, PARCEL_MONITOR_API_KEY: 'k' };
    const { exitCode, stderr } = await user.run(['remove', '--remote', 'AB12345'], { answer: 'n', environment });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Also delete AB12345 at the service? [y/N]');
    expect(await trackNos()).toEqual(['AB12345']);
    await user.run(['remove', '--remote', '--yes', 'AB12345'], { answer: 'n', environment });
    expect(await trackNos()).toEqual([]);
  });

  it('waits if the service received too many calls, retries once, and counts both calls', async () => {
    await saveWatchlist('AB12345@yanwen');
    const tooMany = json(failure('A0706', 'slow'), 429, { 'retry-after': '1' });
    account.server.respondWith((request, response) => {
      const isFirst = account.server.requests.length === 1;
      (isFirst ? tooMany : json(usualResponse('delete', null)))(request, response);
    });
    expect((await run('remove', '--remote', 'AB12345')).exitCode).toBe(0);
    const state = join(user.home, '.local', 'state', 'parcel-monitor');
    const readState = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(state, name), 'utf8'));
    expect(await readState('polling.json')).toMatchObject({ coolDown: { byService: true, failures: 1 } });
    const { days } = v.parse(
      v.object({ days: v.record(v.string(), v.looseObject({ calls: v.number() })) }),
      await readState('meter.json'),
    );
    expect(Object.values(days).reduce((sum, { calls }) => sum + calls, 0)).toBe(2);
  });

  it('removes a number that the service does not know, and keeps one that it does not delete', async () => {
    await saveWatchlist('AB12345', 'CD12345');
    account.responses.set(
      'delete',
      envelope({
        accepted: [],
        rejected: [rejection('AB12345', 'trackNo not registered'), rejection('CD12345', 'no')],
      }),
    );
    const { exitCode, stdout, stderr } = await run('remove', '--remote', 'AB12345', 'CD12345', 'ZZ99999');
    expect(exitCode).toBe(5);
    expect(stdout).toBe('AB12345  removed, the service did not know it\n');
    expect(stderr).toMatch(/The service did not delete CD12345: "no"\. It stays on your list\./);
    expect(stderr).toMatch(/ZZ99999 is not on your list/);
    expect(await trackNos()).toEqual(['CD12345']);
  });

  it.each([
    ['the key is rejected', failure('A0230', 'token invalid'), 3],
    ['the service fails', failure('B0001', 'system error'), 4],
    ['the service does not support the operation', failure('C0113', 'none'), 1],
  ])('keeps the parcel if %s', async (_what, response, code) => {
    await saveWatchlist('AB12345');
    account.responses.set('delete', response);
    const { exitCode, stdout, stderr } = await run('remove', '--remote', 'AB12345');
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toMatch(/still on the list: AB12345/);
    expect(await trackNos()).toEqual(['AB12345']);
  });

  it('names the setting to use if the service does not support an operation', async () => {
    await saveWatchlist('AB12345');
    account.responses.set('delete', failure('C0113', 'none'));
    expect((await run('remove', '--remote', 'AB12345')).stderr).toMatch(/service\.operations\.delete\.path/);
  });

  it('removes nothing without a key', async () => {
    await saveWatchlist('AB12345');
    const environment = { PARCEL_MONITOR_BASE_URL: account.server.baseUrl.href };
    expect((await user.run(['remove', '--remote', 'AB12345'], { environment })).exitCode).toBe(3);
    expect(await trackNos()).toEqual(['AB12345']);
  });
});

describe('edit --courier', () => {
  beforeEach(() => saveWatchlist('AB12345@yanwen'));

  it('moves the number at the service and keeps the label', async () => {
    const { exitCode, stdout, stderr } = await run('edit', 'AB12345', '--courier', 'dhl');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe('AB12345  changed, moved to DHL at the service\n');
    expect(account.bodies('update-courier')).toEqual([
      { trackNo: 'AB12345', courierCode: 'yanwen', newCourierCode: 'dhl' },
    ]);
    expect(account.bodies('import')).toEqual([]);
    expect(await parcels()).toMatchObject([
      { courierCode: 'dhl', label: 'Lamp', state: 'watching', status: 'IN_TRANSIT' },
    ]);
  });

  it.each([
    ['does not support the operation', failure('C0113', 'none'), /does not support/],
    ['rejects the request', failure('A0400', 'not possible'), /not possible/],
  ])('registers the number again if the service %s, and says so', async (_what, response, message) => {
    account.responses.set('update-courier', response);
    const { exitCode, stdout, stderr } = await run('edit', 'AB12345', '--courier', 'dhl');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/registered again under DHL .*also keeps it under Yanwen/);
    expect(stderr).toMatch(message);
    expect(account.bodies('import').at(-1)).toEqual([{ trackNo: 'AB12345', courierCode: 'dhl' }]);
    expect(await parcels()).toMatchObject([{ courierCode: 'dhl', label: 'Lamp', state: 'watching' }]);
  });

  it('changes nothing if the service fails', async () => {
    account.responses.set('update-courier', failure('B0001', 'system error'));
    const { exitCode, stdout, stderr } = await run('edit', 'AB12345', '--courier', 'dhl', '--label', 'New');
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(stderr).toMatch(/AB12345 is unchanged/);
    expect(await parcels()).toMatchObject([{ courierCode: 'yanwen', label: 'Lamp' }]);
  });
});

describe('edit with extras', () => {
  beforeEach(() => saveWatchlist('AB12345@postnl'));

  it('sends the extras to the service without a new registration, and never shows them', async () => {
    const { exitCode, stdout, stderr } = await run('edit', 'AB12345', '--postal-code', '1234 AB');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe('AB12345  changed, saved at the service\n');
    expect(account.bodies('update')).toEqual([{ trackNo: 'AB12345', courierCode: 'postnl', postalCode: '1234 AB' }]);
    expect(account.bodies('import')).toEqual([]);
    const shown = await run('show', 'AB12345');
    expect(shown.stdout).toContain('postal code ••••');
    expect(shown.stdout + (await run('list')).stdout).not.toContain('1234 AB');
  });

  it('registers the number again if the service does not support the operation, and says what is uncertain', async () => {
    account.responses.set('update', failure('C0113', 'none'));
    account.responses.set(
      'import',
      envelope({ accepted: [], rejected: [rejection('AB12345', 'The order number has been imported')] }),
    );
    const { exitCode, stdout, stderr } = await run('edit', 'AB12345', '--postal-code', '1234 AB');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/new registration/);
    expect(stderr).toMatch(/service\.operations\.edit\.path/);
    expect(stderr).toMatch(/may have ignored the change/);
    expect(account.bodies('import').at(-1)).toEqual([
      { trackNo: 'AB12345', courierCode: 'postnl', postalCode: '1234 AB' },
    ]);
    expect(stdout + stderr).not.toContain('1234 AB');
  });

  it('changes the courier and sends the extras in one edit', async () => {
    await run('edit', 'AB12345', '--courier', 'mondialrelay', '--postal-code', '75001');
    expect(account.bodies('update-courier')).toHaveLength(1);
    expect(account.bodies('update')).toEqual([
      { trackNo: 'AB12345', courierCode: 'mondialrelay', postalCode: '75001' },
    ]);
  });
});

describe('refresh --force', () => {
  beforeEach(() => saveWatchlist('AB12345@yanwen', 'CD12345@dhl'));

  it('makes the service ask the courier again, then queries the service', async () => {
    account.responses.set('refresh', envelope({ success: true, actualRefreshTime: '2026-11-21 18:00:00' }));
    const { exitCode, stdout, stderr } = await run('refresh', '--force', 'AB12345');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^AB12345 {2}asked the courier for an update \(2026-11-21 11:00\)\nAB12345 {2}In transit/);
    expect(account.bodies('refresh')).toEqual([{ trackNo: 'AB12345', courierCode: 'yanwen' }]);
  });

  it('names the numbers whose couriers were asked too recently, and queries all numbers', async () => {
    account.responses.set(
      'refresh-batch',
      envelope({
        accepted: [
          { trackNo: 'AB12345', success: true },
          { trackNo: 'CD12345', success: false, actualRefreshTime: '2026-11-21 18:00:00' },
        ],
        rejected: [],
      }),
    );
    const { exitCode, stdout } = await run('refresh', '--force', 'AB12345', 'CD12345');
    expect(exitCode).toBe(5);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'AB12345  asked the courier for an update',
      'CD12345  could not ask the courier for an update: only possible once every six hours, last asked at 2026-11-21 11:00',
    ]);
    expect(stdout.split('\n')).toHaveLength(5);
  });

  it('queries the service even if it does not support the operation', async () => {
    account.responses.set('refresh', failure('C0113', 'none'));
    const { exitCode, stdout, stderr } = await run('refresh', '--force', 'AB12345');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/ask the couriers for an update on AB12345.*service\.operations\.refresh\.path/);
    expect(stdout).toMatch(/^AB12345 {2}In transit/);
  });

  it('requires numbers, because the service limits how often it asks couriers', async () => {
    expect((await run('refresh', '--force')).exitCode).toBe(2);
  });
});

describe('refresh', () => {
  it('names the courier of a number that is watched under two couriers', async () => {
    await saveWatchlist('AB12345@yanwen', 'AB12345@ups', 'CD12345@ups');
    const { exitCode, stdout } = await run('refresh');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('  ')[0])).toEqual([
      'AB12345@yanwen',
      'AB12345@ups',
      'CD12345',
      '',
    ]);
  });

  it('says when it will check an accepted number again, and exits with 0', async () => {
    await saveWatchlist('AB12345@yanwen');
    account.responses.set(
      'query',
      envelope({ accepted: {}, rejected: [rejection('AB12345', 'trackNo not registered')] }),
    );
    const sentence =
      /AB12345: registered, waiting for the first result\. Next check: \S+\. Run "parcel-monitor refresh" then.*\n$/;
    for (const numbers of [['AB12345'], []]) {
      const { exitCode, stdout, stderr } = await run('refresh', ...numbers);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
      expect(stderr).toMatch(sentence);
    }
    expect((await run('list')).stdout).toContain('Registered, waiting for the first result');
    expect(account.bodies('import')).toEqual([]);
  });
});

describe('show --instant', () => {
  const record = {
    trackNo: 'QQ12345',
    transitStatus: 'DELIVERED',
    localLogisticsInfo: {
      courierCode: 'postnl',
      courierNameEN: 'PostNL',
      trackingDetails: [{ eventDetail: 'Delivered to the neighbour', eventTimeZeroUTC: '2026-11-20T10:00:00Z' }],
    },
  };

  it("prints the courier's data for an unwatched number and saves nothing", async () => {
    account.responses.set('query-realtime', envelope({ accepted: record }));
    const options = ['--instant', '--courier', 'postnl', '--postal-code', '1234 AB'];
    const { exitCode, stdout, stderr } = await run('show', 'QQ12345', ...options);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/costs one registration/);
    expect(stdout).toMatch(/QQ12345 · PostNL/);
    expect(stdout).toContain('Delivered to the neighbour');
    expect(stdout).toContain('not watched');
    expect(stdout + stderr).not.toContain('1234 AB');
    expect(account.bodies('query-realtime')).toEqual([
      { trackNo: 'QQ12345', courierCode: 'postnl', postalCode: '1234 AB' },
    ]);
    expect(await trackNos()).toEqual([]);
  });

  it('uses the data of a watched parcel and does not change it', async () => {
    await saveWatchlist('QQ12345@postnl');
    const before = await parcels();
    const config = join(user.home, 'mine.json');
    await writeFile(config, JSON.stringify({ couriers: { postnl: { postalCode: '1234 AB' } } }));
    account.responses.set('query-realtime', envelope({ accepted: record }));
    const { exitCode, stdout } = await run('show', 'QQ12345', '--instant', '--json', '--config', config);
    expect(exitCode).toBe(0);
    expect(v.parse(showContract, JSON.parse(stdout))).toMatchObject({
      label: 'Lamp',
      status: 'DELIVERED',
      checkpointCount: 1,
    });
    expect(account.bodies('query-realtime')).toEqual([
      { trackNo: 'QQ12345', courierCode: 'postnl', postalCode: '1234 AB' },
    ]);
    expect(await parcels()).toEqual(before);
  });

  it("exits with 5 and prints the service's reason if it rejects the number", async () => {
    account.responses.set('query-realtime', envelope({ rejected: [rejection('QQ12345', 'courier needed')] }));
    const { exitCode, stdout, stderr } = await run('show', 'QQ12345', '--instant');
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toMatch(/QQ12345 was rejected: courier needed/);
  });

  it('exits with 3 and sends nothing if the registration budget is used up', async () => {
    const config = join(user.home, 'mine.json');
    await writeFile(config, JSON.stringify({ budget: { registrationsPerMonth: 1, queriesPerDay: 1 } }));
    account.responses.set('query-realtime', envelope({ accepted: record }));
    const lookUp = (...options: readonly string[]) =>
      run('show', 'QQ12345', '--instant', '--config', config, ...options);
    expect((await lookUp()).exitCode).toBe(0);
    const { exitCode, stdout, stderr } = await lookUp();
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(
      /^parcel-monitor: Your budget of 1 registration a month .* which also pays for live lookups, is used up until 20\d\d-\d\d-01 00:00 UTC\. To continue sooner, raise the budget in config\.json\.\n$/,
    );
    expect(account.bodies('query-realtime')).toHaveLength(1);
    expect((await lookUp('--beyond-budget')).exitCode).toBe(0);
    expect(account.bodies('query-realtime')).toHaveLength(2);
  });

  it('prints no cost during a pause that the service asked for, and counts nothing', async () => {
    const state = join(user.home, '.local', 'state', 'parcel-monitor');
    await mkdir(state, { recursive: true, mode: 0o700 });
    const coolDown = { until: Date.now() + 600_000, byService: true, failures: 1 };
    await writeFile(join(state, 'polling.json'), JSON.stringify({ version: 1, coolDown }), { mode: 0o600 });
    const { exitCode, stdout, stderr } = await run('show', 'QQ12345', '--instant');
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toMatch(/^parcel-monitor: The service asked for a pause\. [^\n]+\n$/);
    expect(account.bodies('query-realtime')).toEqual([]);
    await expect(readFile(join(state, 'meter.json'), 'utf8')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('accepts --beyond-budget only with --instant', async () => {
    expect(await run('show', 'QQ12345', '--beyond-budget')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/--beyond-budget requires --instant/),
    });
  });

  it('accepts extras only with --instant', async () => {
    expect((await run('show', 'QQ12345', '--postal-code', '1234 AB')).exitCode).toBe(2);
  });
});

it('add and refresh stop when the registration budget is used up, say what is left, and exit with 3', async () => {
  const config = join(user.home, 'mine.json');
  await writeFile(config, JSON.stringify({ budget: { registrationsPerMonth: 1 } }));
  const added = await run('add', 'AB12345@yanwen', 'CD12345@yanwen', '--config', config);
  expect(added.exitCode).toBe(3);
  expect(added.stdout).toBe('AB12345@yanwen  registered\nCD12345@yanwen  pending\n');
  expect(added.stderr).toMatch(/Your budget of 1 registration a month .*, so 1 number waits until [^\n]+\n$/);

  const refreshed = await run('refresh', 'AB12345', 'CD12345', '--config', config);
  expect(refreshed.exitCode).toBe(3);
  expect(refreshed.stdout).toMatch(/^AB12345 {2}.+ \(no change\)\n$/);
  expect(refreshed.stderr).toMatch(/Your budget of 1 registration a month .*, so 1 number waits until [^\n]+\n$/);
  expect(account.bodies('import')).toHaveLength(1);
});

describe('registration fields', () => {
  it('include every field of a request item, with the ship time on the service clock (+08:00 until it is measured)', async () => {
    const { exitCode, stdout, stderr } = await run(
      ...['add', 'AB12345@yanwen', '--order-no', 'O-1', '--country', 'de', '--ship-time', '2026-11-20 14:30'],
      ...['--email', 'a@b.example', '--remark', 'fragile', '--custom1', '1', '--custom2', '2'],
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(account.bodies('import')).toEqual([
      [
        {
          trackNo: 'AB12345',
          courierCode: 'yanwen',
          orderNo: 'O-1',
          country: 'DE',
          shipTime: '2026-11-20 21:30:00',
          customerEmail: 'a@b.example',
          remark: 'fragile',
          custom1: '1',
          custom2: '2',
        },
      ],
    ]);
    expect(stdout).not.toContain('a@b.example');
  });

  it('are saved while the number waits for its registration', async () => {
    await user.run(['add', 'AB12345', '--order-no', 'O-1', '--ship-time', '2026-11-20T14:30Z']);
    await run('refresh');
    expect(account.bodies('import')).toEqual([
      [{ trackNo: 'AB12345', orderNo: 'O-1', shipTime: '2026-11-20 22:30:00' }],
    ]);
  });

  it("come from the courier's settings unless the parcel has its own", async () => {
    const config = join(user.home, 'mine.json');
    await writeFile(config, JSON.stringify({ couriers: { postnl: { postalCode: '1234 AB' } } }));
    const added = await run('add', 'AB12345@postnl', '--config', config);
    expect(added.stderr).toBe('');
    await run('add', 'CD12345@postnl', '--postal-code', '9876 ZZ', '--config', config);
    expect(account.bodies('import')).toEqual([
      [{ trackNo: 'AB12345', courierCode: 'postnl', postalCode: '1234 AB' }],
      [{ trackNo: 'CD12345', courierCode: 'postnl', postalCode: '9876 ZZ' }],
    ]);
    expect((await run('show', 'AB12345')).stdout).not.toContain('1234 AB');
  });

  it('are requested if the courier needs them, and the list says so instead of "no record"', async () => {
    account.responses.set(
      'query',
      envelope({
        accepted: {
          content: [{ trackNo: 'AB12345', transitStatus: 'NO_RECORD', localLogisticsInfo: { courierCode: 'postnl' } }],
        },
        rejected: [],
      }),
    );
    const { exitCode, stderr } = await run('add', 'AB12345@postnl');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/PostNL finds a parcel only with .*parcel-monitor edit AB12345 --postal-code/);
    expect((await run('list')).stdout).toContain('Needs a postal code');
    expect((await run('show', 'AB12345')).stdout).toContain('--postal-code');
    expect(await parcels()).toMatchObject([{ statusText: 'Needs a postal code', stage: 'no-record' }]);
  });
});

it('add and refresh report a wrong clock once', async () => {
  account.server.respondWith((request, response) => {
    const body: unknown = request.body === '' ? null : JSON.parse(request.body);
    const operation = request.path.split('/').at(-1) ?? '';
    const date = new Date(Date.now() + 600_000).toUTCString();
    json(usualResponse(operation, body), 200, { date })(request, response);
  });
  for (const cliArguments of [
    ['add', 'AB12345'],
    ['refresh', 'AB12345'],
  ]) {
    const { exitCode, stderr } = await run(...cliArguments);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^parcel-monitor: This machine's clock is 10 minutes behind[^\n]*\n$/);
  }
});

it('calls the API version from the configuration', async () => {
  const config = join(user.home, 'mine.json');
  await writeFile(config, JSON.stringify({ service: { registerVersion: 'v2.1' } }));
  await run('add', 'AB12345', '--config', config);
  expect(account.server.requests[0]?.path).toBe('/gateway/tk/v2.1/track/import');
});
