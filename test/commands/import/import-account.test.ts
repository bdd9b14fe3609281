import * as v from 'valibot';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { dayMs as day, hourMs as hour } from '../../../src/lib/clock.ts';
import { isJsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { assumedServiceClock, formatServiceTime } from '../../../src/service/service-clock.ts';
import { startTamperingProxy, type Tampering } from '../../conformance/tampering-proxy.ts';
import { upsNumber } from '../../sandbox/support.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { createSkippingClock } from '../../support/skipping-clock.ts';
import { listContract, showContract } from '../contract.ts';

const twin = 'RB848719115CN';
/** 118 numbers, and one more under two couriers: enough for two pages. */
const registered = [
  ...Array.from({ length: 118 }, (_, index) => ({
    trackNo: upsNumber(index),
    courierCode: 'ups',
    registeredAgoMs: (120 - index) * hour,
  })),
  ...['china-post', 'yanwen'].map((courierCode) => ({ trackNo: twin, courierCode, registeredAgoMs: 12 * day })),
];

const clock = createSkippingClock();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, speed: 1, seed: 3, clock, registered });
});
afterAll(() => sandbox.close());

/** A user without files, whose calls pass through a proxy that records them and can change responses. */
async function createUserBehindProxy(spoil: Tampering = {}) {
  const proxy = await startTamperingProxy(sandbox.baseUrl, spoil);
  onTestFinished(() => proxy.close());
  const user = await createCliUser({
    environment: { PARCEL_MONITOR_BASE_URL: proxy.baseUrl.href, PARCEL_MONITOR_API_KEY: sandbox.apiKey },
    clock,
  });
  onTestFinished(() => user.remove());
  return {
    user,
    paths: () => proxy.requests.map(({ path }) => path.replace('/gateway', '')),
    seen: () => proxy.requests,
  };
}

const listParcels = async (user: CliUser) =>
  v.parse(listContract, JSON.parse((await user.run(['list', '--json', '--all'])).stdout)).parcels;

/** Makes the given page fail once. */
function failPageOnce(page: string, code: string): Tampering {
  let hasFailed = false;
  return {
    changeResponse: (body: JsonValue) => {
      const data = isJsonObject(body) ? body['data'] : null;
      const accepted = isJsonObject(data) ? data['accepted'] : null;
      if (hasFailed || !isJsonObject(accepted) || accepted['currentPage'] !== page) return body;
      hasFailed = true;
      return { code, msg: 'not now', traceId: 'a'.repeat(32) };
    },
  };
}

it('restores a lost watchlist with records and histories, without registering anything', async () => {
  const { user, paths } = await createUserBehindProxy();
  const { exitCode, stdout, stderr } = await user.run(['import', '--from-account', '--yes']);
  expect(stderr).toBe('parcel-monitor: 120 added, 0 already on the list, 0 archived; nothing was registered again.\n');
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')[0]).toMatch(/^HERE +NUMBER +COURIER +STAGE +NAME +REGISTERED$/);
  expect(stdout.match(/^new /gm)).toHaveLength(120);
  expect(paths()).toEqual(Array.from({ length: 2 }, () => '/tk/v2.1/track/query'));

  const parcels = await listParcels(user);
  expect(parcels).toHaveLength(120);
  expect(new Set(parcels.map(({ state }) => state))).toEqual(new Set(['watching']));
  expect(
    parcels
      .filter(({ trackNo }) => trackNo === twin)
      .map(({ courierCode }) => courierCode)
      .sort(),
  ).toEqual(['china-post', 'yanwen']);
  const [withEvents] = parcels.filter(({ checkpointCount }) => checkpointCount > 0);
  const shown = await user.run(['show', `${withEvents?.trackNo}@${withEvents?.courierCode}`, '--json']);
  expect(v.parse(showContract, JSON.parse(shown.stdout)).checkpoints).toHaveLength(withEvents?.checkpointCount ?? -1);

  const again = await user.run(['import', '--from-account', '--yes']);
  expect(again.stderr).toContain('0 added, 120 already on the list, 0 archived');
  expect(await listParcels(user)).toHaveLength(120);
});

it('shows a parcel as out today only if it is, as the list does', async () => {
  const eventAt = clock.now() - 3 * day;
  const local = new Date(eventAt).toISOString().slice(0, 19);
  const changeResponse = (body: JsonValue) => {
    const data = isJsonObject(body) ? body['data'] : null;
    const accepted = isJsonObject(data) ? data['accepted'] : null;
    const content = isJsonObject(accepted) ? accepted['content'] : null;
    if (!isJsonObject(accepted) || !Array.isArray(content)) return body;
    const event = { eventTime: local.replace('T', ' '), eventTimeZeroUTC: `${local}Z`, timezone: '+00:00' };
    const records = content.map((record, index) => {
      const subStatus = index === 0 ? 'WAITING_DELIVERY_03' : 'WAITING_DELIVERY_01';
      const trackingDetails = [{ ...event, address: 'X', eventDetail: 'Out', transitSubStatus: subStatus }];
      const original = isJsonObject(record) ? record : {};
      const status = { transitStatus: 'WAITING_DELIVERY', transitSubStatus: subStatus, lastMileInfo: null };
      return { ...original, ...status, localLogisticsInfo: { courierCode: 'ups', trackingDetails } };
    });
    return { code: '00000', msg: 'Success', data: { accepted: { ...accepted, content: records }, rejected: [] } };
  };
  const { user } = await createUserBehindProxy({ changeResponse });
  const { stdout } = await user.run(['import', '--from-account', '--dry-run']);
  expect(stdout).toContain('Postponed');
  expect(stdout).toContain('▲ Out ');
  expect(stdout).not.toContain('Out today');
});

it.each([
  ['B0001', 4],
  ['A0301', 3],
])(
  'keeps the first page if the second fails with %s, says so, exits with %i, and continues later',
  async (code, expectedExitCode) => {
    const { user } = await createUserBehindProxy(failPageOnce('2', code));
    const { exitCode, stderr, stdout } = await user.run(['import', '--from-account', '--yes']);
    expect(stderr).toMatch(/100 added, .*\n.*Only 100 numbers were read from the account\. .*These are saved/);
    expect(stdout.match(/^new /gm)).toHaveLength(100);
    expect(exitCode).toBe(expectedExitCode);
    expect(await listParcels(user)).toHaveLength(100);
    const rest = await user.run(['import', '--from-account', '--yes']);
    expect(rest).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/20 added, 100 already on the list/) });
    expect(await listParcels(user)).toHaveLength(120);
  },
);

it('imports only newer numbers with --since, shows watched and archived ones, and changes nothing with --dry-run', async () => {
  const { user, seen } = await createUserBehindProxy();
  const since = clock.now() - 20 * hour;
  // Registered well after that time, because the clock has run ahead since the sandbox started.
  const [first = '', second = ''] = registered.flatMap(({ trackNo, registeredAgoMs }) =>
    registeredAgoMs < 19.5 * hour ? [trackNo] : [],
  );
  await user.run(['add', `${first}@ups`, '--label', 'Lamp']);
  await user.run(['add', `${second}@ups`]);
  await user.run(['edit', second, '--archive']);
  const args = [
    'import',
    '--from-account',
    '--since',
    `${new Date(since).toISOString().slice(0, 16).replace('T', ' ')}Z`,
  ];

  const shown = await user.run([...args, '--dry-run']);
  expect(shown).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/: \d+ new, 1 already on the list, 1 archived; nothing was changed\.$/m),
  });
  expect(shown.stdout).toMatch(new RegExp(`^watched +${first} +ups .*Lamp`, 'm'));
  expect(shown.stdout).toMatch(new RegExp(`^archived +${second} `, 'm'));
  const count = shown.stdout.match(/^new /gm)?.length ?? 0;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(30);
  expect(JSON.parse(seen().at(-1)?.body ?? '{}')).toMatchObject({
    createTimeStart: formatServiceTime(Math.floor(since / 60_000) * 60_000, assumedServiceClock),
  });
  expect(await listParcels(user)).toHaveLength(2);

  expect((await user.run(args)).exitCode).toBe(0);
  const parcels = await listParcels(user);
  expect(parcels).toHaveLength(2 + count);
  expect(parcels.find(({ trackNo }) => trackNo === first)?.label).toBe('Lamp');
  expect(parcels.find(({ trackNo }) => trackNo === second)?.state).toBe('archived');
});

it('restores the order number, the remark and other merchant fields', async () => {
  const before = await createUserBehindProxy();
  const fields = [
    '--order-no',
    'O-7',
    '--remark',
    'gift',
    '--email',
    'ann@shop.example',
    '--ship-time',
    '2026-11-20 14:30',
  ];
  await before.user.run(['add', 'LX123456789CN@yanwen', ...fields]);
  const { user } = await createUserBehindProxy();
  const { stdout } = await user.run([
    'import',
    '--from-account',
    '--yes',
    '--since',
    `${new Date(clock.now() - hour).toISOString().slice(0, 16)}Z`,
  ]);
  expect(stdout).toMatch(/^new +LX123456789CN +yanwen +\S.* O-7 /m);
  const csv = await user.run(['export', '--format', 'csv']);
  expect(csv.stdout).toMatch(/O-7/);
  expect(csv.stdout).toMatch(/gift/);
  expect(csv.stdout).toMatch(/2026-11-20T13:30/);
});

it('asks at a terminal before importing numbers', async () => {
  const { user } = await createUserBehindProxy();
  const declined = await user.run(['import', '--from-account'], { answer: 'n' });
  expect(declined.stderr).toMatch(
    /Add the \d+ new numbers\? They are already registered, so this costs nothing\. \[y\/N\] .*nothing was changed/s,
  );
  expect(declined.exitCode).toBe(1);
  expect(await listParcels(user)).toEqual([]);
  const confirmed = await user.run(['import', '--from-account'], { answer: 'y' });
  expect(confirmed.exitCode).toBe(0);
  expect((await listParcels(user)).length).toBeGreaterThanOrEqual(120);
});

it('stops if the service has more pages than announced, and says how many numbers it imported', async () => {
  let calls = 0;
  const { user } = await createUserBehindProxy({
    changeResponse: (body: JsonValue) => {
      const data = isJsonObject(body) ? body['data'] : null;
      const accepted = isJsonObject(data) ? data['accepted'] : null;
      if (!isJsonObject(data) || !isJsonObject(body) || !isJsonObject(accepted)) return body;
      calls += 1;
      const content = Array.from({ length: 100 }, (_, at) => ({
        id: `${calls}-${at}`,
        trackNo: upsNumber(1_000 * calls + at),
      }));
      return { ...body, data: { ...data, accepted: { content, cursor: `${calls}`, totalPages: 2 } } };
    },
  });
  const { exitCode, stderr } = await user.run(['import', '--from-account', '--yes']);
  expect(stderr).toBe(
    [
      'parcel-monitor: 300 added, 0 already on the list, 0 archived; nothing was registered again.',
      'parcel-monitor: Only 300 numbers were read from the account. The service sent 3 account pages, more than it announced, and there are still more. These are saved; if numbers are missing, use --since with a later date.',
      '',
    ].join('\n'),
  );
  expect({ calls, exitCode }).toEqual({ calls: 3, exitCode: 1 });
  const prompted = await user.run(['import', '--from-account'], { answer: 'n' });
  expect(prompted.stderr).toContain('more than it announced, and there are still more. Continue reading? [y/N]');
  expect(calls).toBe(6);
});

it('stops when it is interrupted or the query budget is used up', async () => {
  const { user, paths } = await createUserBehindProxy();
  const interrupted = await user.run(['import', '--from-account'], { signal: AbortSignal.abort() });
  expect(interrupted.exitCode).toBe(130);
  await user.configure({ budget: { queriesPerDay: 1 } });
  const overBudget = await user.run(['import', '--from-account', '--yes']);
  expect(overBudget).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(/100 added.*\n.*100 numbers.*budget of 1 quer(?:y|ies) a day/),
  });
  expect(paths()).toHaveLength(1);
});

it.each([
  [['import', '--from-account', 'file.csv'], /takes no file/],
  [['import'], /Name a file/],
  [['import', 'file.csv', '--since', '2026-11-01'], /--since requires --from-account/],
  [['import', '--from-account', '--since', 'yesterday'], /"yesterday" is not a date/],
])('refuses %j as incorrect usage', async (args, message) => {
  const { user, paths } = await createUserBehindProxy();
  expect(await user.run(args)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(paths()).toEqual([]);
});
