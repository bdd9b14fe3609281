import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeSchema } from '../../../src/commands/published-schemas.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { type CliRun, type CliUser, createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { createSkippingClock } from '../../support/skipping-clock.ts';
import { startTestSandbox } from '../../support/test-sandbox.ts';

const clock = createSkippingClock();
let sandbox: Sandbox;
let database: TestDatabase;
let ann: CliUser;
let bob: CliUser;

beforeAll(async () => {
  [sandbox, database] = await Promise.all([startTestSandbox({ clock }), createTestDatabase()]);
  const environment = {
    PARCEL_MONITOR_BASE_URL: sandbox.baseUrl,
    PARCEL_MONITOR_API_KEY: sandbox.apiKey,
    PARCEL_MONITOR_STORE: database.address,
  };
  ann = await createCliUser({ clock, environment });
  bob = await createCliUser({ clock, environment });
});
afterAll(async () => {
  await Promise.all([ann.remove(), bob.remove(), sandbox.close()]);
});

/** Runs a command successfully and returns its output. */
async function runSuccessfully(user: CliUser, line: string, run?: CliRun): Promise<string> {
  const { exitCode, stderr, stdout } = await user.run(line.split(' '), run);
  expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout;
}

describe('a watchlist in a database', () => {
  it('is the same for two users, and leaves no watchlist in their files', async () => {
    expect(await runSuccessfully(ann, 'add RB100000005CN --label Lamp --tag gift')).toContain('registered');
    expect(await runSuccessfully(bob, 'list')).toContain('Lamp');
    expect(await runSuccessfully(bob, 'show RB100000005CN')).toContain('Lamp');
    await runSuccessfully(bob, 'edit RB100000005CN --label Kettle');
    expect(await runSuccessfully(ann, 'list')).toContain('Kettle');
    expect(await runSuccessfully(ann, 'changes')).toContain('added');
    expect(await runSuccessfully(ann, 'export --format csv')).toContain('Kettle');
    expect(await runSuccessfully(ann, 'export --format ics')).toContain('BEGIN:VCALENDAR');
    expect(await runSuccessfully(ann, 'status')).toMatch(/today/);
    expect(await runSuccessfully(ann, ['status', '--format', '{total}|{queriesToday}'].join(' '))).toMatch(/^1\|[1-9]/);
    await expect(readFile(join(ann.home, '.local/share/parcel-monitor/watchlist.json'))).rejects.toThrow('ENOENT');
  });

  it('saves removed parcels, so that they can be restored', async () => {
    await runSuccessfully(ann, 'add LX123456789CN');
    await runSuccessfully(ann, 'remove LX123456789CN');
    expect(await runSuccessfully(bob, 'restore')).toContain('LX123456789CN');
    expect(await runSuccessfully(bob, 'restore --parcel LX123456789CN')).toContain('restored');
    await runSuccessfully(bob, 'remove LX123456789CN');
    expect((await ann.run(['restore'])).stderr).not.toContain('restore NAME');
    const { exitCode, stderr } = await ann.run(['restore', '2026-11-18']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('pg_dump');
  });

  it('is described by "store", as text and as JSON', async () => {
    const text = await runSuccessfully(ann, 'store');
    expect(text).toContain(`store       ${new URL(database.address).protocol}//`);
    expect(text).toMatch(/^parcels {5}1, and 1 in the trash$/m);
    expect(text).toMatch(/^server {6}PostgreSQL \d+/m);
    const report = JSON.parse(await runSuccessfully(ann, 'store --json')) as object;
    expect(v.is(storeSchema, report)).toBe(true);
    expect(report).toMatchObject({ kind: 'database', parcels: 1, removed: 1, schemaVersion: 4, readOnly: null });
  });

  it('offers watched and removed parcels for completion', async () => {
    const offered = async (...line: readonly string[]): Promise<string> =>
      (await ann.run(['completion', 'zsh', '--complete', '--', 'parcel-monitor', ...line])).stdout;
    expect(await offered('show', '')).toContain('RB100000005CN');
    expect(await offered('restore', '--parcel', '')).toContain('LX123456789CN');
  });

  it('shows unexpected data as far as possible', async () => {
    await database.query("update parcel_monitor.removed set removed_at = 'infinity'");
    await database.query(
      `insert into parcel_monitor.client (account_id, id, host, kind, version, connected_at, seen_at)
       select id, 'x', 'h' || chr(27) || '[31m', 'board', 'v', '-infinity', clock_timestamp() from parcel_monitor.account`,
    );
    expect(await runSuccessfully(bob, 'restore')).toContain('LX123456789CN');
    expect(await runSuccessfully(bob, 'restore --json')).toContain('9999-12-31T23:59:59.999Z');
    expect(await runSuccessfully(bob, 'store')).toContain('h, board v, since');
    await runSuccessfully(bob, 'store --json');
    await database.query("delete from parcel_monitor.client where id = 'x'");
    await database.query('update parcel_monitor.removed set removed_at = clock_timestamp()');
  });

  it('is checked by doctor', async () => {
    const text = await runSuccessfully(ann, 'doctor --verbose');
    expect(text).toMatch(/^ok {4}database {7}PostgreSQL .* responds$/m);
    expect(text).toMatch(/^ok {4}rights {9}read, write and upgrade the tables$/m);
    expect(text).toMatch(/^warn {2}durability {5}fsync is off$/m);
    expect(text).not.toContain('watchlist.json');
  });

  it('is separate for each account', async () => {
    const other = { environment: { PARCEL_MONITOR_STORE_ACCOUNT: 'shop' } };
    expect((await ann.run(['list'], other)).stderr).toContain('There is no watchlist "shop"');
    expect(await runSuccessfully(ann, 'store', other)).toContain('account     shop');
    expect((await ann.run(['list'], other)).stderr).toContain('No parcels yet');
    expect(await runSuccessfully(ann, 'list')).toContain('Kettle');
  });
});

it('commands that write report a read-only database once, and "store" still shows which machine checks', async () => {
  const { address, query } = await createTestDatabase();
  const usingStore = { environment: { PARCEL_MONITOR_STORE: address } };
  await runSuccessfully(ann, 'add RB100000005CN', usingStore);
  await query(
    `insert into parcel_monitor.lease (account_id, holder, host, pid, fence, renewed_at, expires_at)
       select id, 'another', 'nas', 1, 7, clock_timestamp(), clock_timestamp() + interval '55 seconds'
       from parcel_monitor.account
       on conflict (account_id) do update
       set holder = excluded.holder, host = excluded.host, expires_at = excluded.expires_at`,
  );
  await query(`alter database "${new URL(address).pathname.slice(1)}" set default_transaction_read_only = on`);
  const { exitCode, stderr } = await bob.run(['edit', 'RB100000005CN', '--label', 'Lamp'], usingStore);
  expect({ exitCode, count: stderr.split('only lets this user read').length - 1 }).toEqual({ exitCode: 1, count: 1 });
  expect(await runSuccessfully(bob, 'store', usingStore)).toMatch(/^checked by +nas$/m);
});

describe('an unusable database', () => {
  const usingStore = (address: string) => ({ environment: { PARCEL_MONITOR_STORE: address } });
  it.each([
    ['no server is listening', () => 'postgres://tester@127.0.0.1:9/none', 1, 'cannot be reached'],
    ['there is no such database', () => database.address.replace(/[^/]+$/, 'none'), 1, 'does not exist. Create it'],
    ['the address has no scheme', () => 'nas/parcels', 2, 'The nearest is postgres://nas/parcels.'],
    ['the address does not verify another machine', () => 'postgres://ann@nas/p?sslmode=require', 2, 'verify-full'],
    ['the certificate file is missing', () => 'postgres://ann@nas/p?sslrootcert=/none.crt', 2, '/none.crt'],
  ])('makes every command give advice because %s', async (_, address, code, message) => {
    for (const line of ['list', 'status', 'add RB100000005CN', 'store']) {
      const { exitCode, stderr } = await ann.run(line.split(' '), usingStore(address()));
      expect({ line, exitCode, stderr }).toEqual({ line, exitCode: code, stderr: expect.stringContaining(message) });
    }
  });

  it('makes setup fail with advice', async () => {
    const { exitCode, stderr } = await ann.run(['setup', '--base-url', sandbox.baseUrl, '--key-from-stdin'], {
      ...usingStore('postgres://tester@127.0.0.1:9/none'),
      input: sandbox.apiKey,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('cannot be reached');
    expect(stderr).not.toContain('bug');
  });

  it('is reported by doctor together with all other checks', async () => {
    const { exitCode, stdout } = await ann.run(['doctor'], usingStore('postgres://tester@127.0.0.1:9/none'));
    expect(exitCode).toBe(1);
    expect(stdout).toContain('fail  database');
    expect(stdout).toContain('API key');
    expect(stdout).toContain('Run: pg_isready -d postgres://tester@127.0.0.1:9/none');
  });

  it('is reported by doctor with the command that creates it, if it does not exist', async () => {
    const { hostname, port } = new URL(database.address);
    const { exitCode, stdout } = await ann.run(['doctor'], usingStore(database.address.replace(/[^/]+$/, 'none')));
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`Run: createdb -h ${hostname} -p ${port} -U tester none`);
  });

  it('never shows its password', async () => {
    const address = 'postgres://tester:TOPSECRET@127.0.0.1:9/none';
    for (const line of ['list', 'doctor', 'config list', 'config get store', 'config list --json', 'store', 'paths']) {
      const { stderr, stdout } = await ann.run(line.split(' '), usingStore(address));
      expect(stdout + stderr).not.toContain('TOPSECRET');
    }
    expect((await ann.run(['doctor'], usingStore(address))).stdout).toContain('is in the address');
    const refused = await ann.run(['list', '--store', address]);
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('can read a password on the command line'),
    });
    expect(refused.stderr).not.toContain('TOPSECRET');
    // The password is not in the file, so there is nothing to edit.
    expect(refused.stderr).not.toContain('config edit');
    expect(await ann.run(['config', 'set', 'store', address])).toMatchObject({ exitCode: 2 });
  });
});

describe("a database's password", () => {
  // A reused server may already have a role from an earlier run.
  const role = `cautious_${process.pid}`;
  let address: string;
  beforeAll(async () => {
    await database.query(`create role ${role} login superuser password 'open sesame'`);
    const url = new URL(database.address);
    url.username = role;
    address = url.href;
  });
  const command = (text: string): string =>
    JSON.stringify({
      store: address,
      storePasswordCommand: [process.execPath, '-e', `console.log(${JSON.stringify(text)})`],
    });

  it('is read from a private passfile', async () => {
    const passfile = join(bob.home, '.pgpass');
    await writeFile(passfile, `*:*:*:${role}:open sesame\n`, { mode: 0o600 });
    await runSuccessfully(bob, 'list', { environment: { PARCEL_MONITOR_STORE: address } });
    await chmod(passfile, 0o644);
  });

  it('may come from a command', async () => {
    await bob.configure(command('open sesame'));
    await runSuccessfully(bob, 'list', { environment: { PARCEL_MONITOR_STORE: '' } });
  });

  it('is not read from a command that a different user may have written', async () => {
    await bob.configure(command('open sesame'));
    await chmod(bob.configFile, 0o666);
    const { exitCode, stderr } = await bob.run(['list'], { environment: { PARCEL_MONITOR_STORE: '' } });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('is not used while another user can change it'),
    });
    await chmod(bob.configFile, 0o600);
  });
});
