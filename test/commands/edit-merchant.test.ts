import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { startTamperingProxy, type Tampering } from '../conformance/tampering-proxy.ts';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { createSkippingClock } from '../support/skipping-clock.ts';
import { startTestSandbox } from '../support/test-sandbox.ts';

const updatePath = '/tk/v2.1/track/update';
const email = 'ann@shop.example';

/** Shared by the service and the commands. */
const clock = createSkippingClock();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock });
});
afterAll(() => sandbox.close());

/** Creates a user without any files. */
async function createUser(baseUrl = sandbox.baseUrl): Promise<CliUser> {
  const environment = { PARCEL_MONITOR_BASE_URL: baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey };
  const user = await createCliUser({ environment, clock });
  onTestFinished(() => user.remove());
  return user;
}

/** Creates a user with one parcel, and records the edits that the service receives. */
async function createUserWithParcel(trackNo: string, spoil: Tampering = {}) {
  const proxy = await startTamperingProxy(sandbox.baseUrl, spoil);
  onTestFinished(() => proxy.close());
  const user = await createUser(proxy.baseUrl.href);
  await user.run(['add', `${trackNo}@yanwen`, '--remark', 'old', '--email', 'old@shop.example']);
  const edits = (): readonly JsonValue[] =>
    proxy.requests.filter(({ path }) => path.endsWith(updatePath)).map(({ body }) => JSON.parse(body) as JsonValue);
  return { user, edits, seen: () => proxy.requests.length };
}

/** The saved parcel. */
async function savedParcel({ home }: CliUser): Promise<JsonObject> {
  const path = join(home, '.local', 'share', 'parcel-monitor', 'watchlist.json');
  const { parcels } = JSON.parse(await readFile(path, 'utf8')) as { readonly parcels: readonly JsonValue[] };
  const [parcel] = parcels;
  if (!isJsonObject(parcel)) throw new Error('No parcel is saved.');
  return parcel;
}

const merchantOf = async (user: CliUser) => (await savedParcel(user))['merchant'];

/** Replaces the response to every edit. */
const respondToEdits = (body: JsonValue): Tampering => ({
  changeResponse: (original, path) => (path === updatePath ? body : original),
});

describe('merchant fields', () => {
  it('are sent to the service and saved; an empty value clears them in both places', async () => {
    const { edits, seen, user } = await createUserWithParcel('LX100000001CN');
    const before = seen();
    const first = ['--order-no', 'O-1', '--remark', 'gift', '--email', email, '--country', 'de'];
    const more = ['--ship-time', '2026-11-20 14:30 +08:00', '--custom1', 'a', '--custom2', 'b'];
    expect(await user.run(['edit', 'LX100000001CN', ...first, ...more])).toEqual({
      exitCode: 0,
      stdout: 'LX100000001CN  changed, saved at the service\n',
      stderr: '',
    });
    const fields = { orderNo: 'O-1', remark: 'gift', customerEmail: email, country: 'DE', custom1: 'a', custom2: 'b' };
    expect(edits()).toEqual([
      { trackNo: 'LX100000001CN', courierCode: 'yanwen', ...fields, shipTime: '2026-11-20 14:30:00' },
    ]);
    expect(await merchantOf(user)).toEqual({ ...fields, shippedAt: '2026-11-20T06:30:00.000Z' });
    // Neither a query nor a registration follows.
    expect(seen()).toBe(before + 1);

    const cleared = ['--order-no', '', '--remark', '', '--email', '', '--country', '', '--ship-time', ''];
    expect((await user.run(['edit', 'LX100000001CN', ...cleared, '--custom1', ''])).exitCode).toBe(0);
    expect(await merchantOf(user)).toEqual({ custom2: 'b' });
    await user.run(['refresh', 'LX100000001CN']);
    const other = await createUser();
    await other.run(['import', '--from-account', '--yes']);
    expect(await merchantOf(other)).toEqual({ custom2: 'b' });
  });

  it.each([
    ['rejects the request', { code: 'A0400', msg: `customerEmail ${email} is invalid`, traceId: 'a' }, 1],
    [
      'rejects the parcel',
      {
        code: '00000',
        msg: 'Success',
        traceId: 'a',
        data: {
          accepted: [],
          rejected: [{ index: 0, trackNo: 'LX100000002CN', error: { code: 'A0400', msg: `no ${email}` } }],
        },
      },
      1,
    ],
    ['fails', { code: 'B0001', msg: 'system error', traceId: 'a' }, 4],
    ['rejects the key', { code: 'A0301', msg: 'unauthorised', traceId: 'a' }, 3],
    ['does not support the operation', { code: 'C0113', msg: 'interface does not exist', traceId: 'a' }, 1],
  ])('are saved if the service %s', async (_what, body, expectedExitCode) => {
    const { user } = await createUserWithParcel('LX100000002CN', respondToEdits(body));
    const { exitCode, stderr, stdout } = await user.run(['edit', 'LX100000002CN', '--email', email, '--remark', 'new']);
    expect(exitCode).toBe(expectedExitCode);
    expect(stdout).toBe('LX100000002CN  changed\n');
    expect(stderr).toMatch(/the change is saved here but not at the service\. .*Run the command again to send it\.\n$/);
    expect(stderr).not.toContain(email);
    expect(await merchantOf(user)).toEqual({ customerEmail: email, remark: 'new' });
    expect(await savedParcel(user)).toMatchObject({ registration: 'registered', error: null });
  });

  it('are saved if the service cannot be reached, and nothing else is changed', async () => {
    const { user } = await createUserWithParcel('LX100000003CN');
    const offline = { environment: { PARCEL_MONITOR_BASE_URL: 'http://127.0.0.1:9/' } };
    const args = ['edit', 'LX100000003CN', '--remark', 'new', '--courier', 'china-post'];
    const { exitCode, stderr } = await user.run(args, offline);
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(/LX100000003CN: the merchant data is saved here; nothing else was changed\./);
    expect(await savedParcel(user)).toMatchObject({ merchant: { remark: 'new' }, courierCode: 'yanwen' });
    const remarkOnly = await user.run(['edit', 'LX100000003CN', '--remark', 'newer'], offline);
    expect(remarkOnly).toMatchObject({ exitCode: 4, stderr: expect.stringMatching(/the change is saved here/) });
    expect(await merchantOf(user)).toMatchObject({ remark: 'newer' });
  });

  it('are saved without a key, and a message says so', async () => {
    const { edits, user } = await createUserWithParcel('LX100000004CN');
    const keyless = { environment: { PARCEL_MONITOR_API_KEY: '' } };
    const { exitCode, stderr } = await user.run(['edit', 'LX100000004CN', '--remark', 'new'], keyless);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/saved here but not at the service\. There is no API key or base URL/);
    expect(await merchantOf(user)).toMatchObject({ remark: 'new' });
    expect(edits()).toEqual([]);
  });

  it('are sent with the registration if the parcel is pending', async () => {
    const { edits, user } = await createUserWithParcel('LX100000005CN');
    const keyless = { environment: { PARCEL_MONITOR_API_KEY: '' } };
    await user.run(['add', 'LX100000006CN@yanwen', '--label', 'Lamp'], keyless);
    const edited = await user.run(['edit', 'LX100000006CN', '--remark', 'later']);
    expect(edited).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/changed, sent to the service with the registration/),
    });
    expect(edits()).toEqual([]);
    const fresh = await createUser();
    await fresh.run(['import', '--from-account', '--yes']);
    expect((await fresh.run(['export', '--format', 'csv'])).stdout).toMatch(/LX100000006CN.*later/);
  });

  it('are sent without restoring an archived parcel', async () => {
    const { edits, user } = await createUserWithParcel('LX100000007CN');
    await user.run(['edit', 'LX100000007CN', '--archive']);
    expect((await user.run(['edit', 'LX100000007CN', '--remark', 'kept'])).stdout).toContain('saved at the service');
    expect(edits()).toHaveLength(1);
    expect(await savedParcel(user)).toMatchObject({ nextPollAt: null, merchant: { remark: 'kept' } });
  });

  it('must be valid, and a message does not repeat an email address', async () => {
    const { user } = await createUserWithParcel('LX100000008CN');
    const invalid = await user.run(['edit', 'LX100000008CN', '--email', 'ann at shop']);
    expect(invalid.exitCode).toBe(2);
    expect(invalid.stderr).not.toContain('ann');
    expect((await user.run(['edit', 'LX100000008CN', '--country', 'Germany'])).exitCode).toBe(2);
  });
});
