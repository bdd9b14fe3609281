import { describe, expect, it, onTestFinished } from 'vitest';
import { makeTables } from '../../store/postgres/test-database.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';

async function createUser(
  { address }: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<CliUser> {
  const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: address, ...environment } });
  onTestFinished(() => user.remove());
  return user;
}

const schemas = async ({ query }: TestDatabase): Promise<readonly unknown[]> =>
  await query("select nspname from pg_namespace where nspname = 'parcel_monitor'");

describe('an empty database', () => {
  it.each([
    ['list', 1, /has no parcel-monitor tables yet\. "parcel-monitor store" creates them/],
    ['status', 1, /has no parcel-monitor tables yet/],
    ['show RB100000005CN', 1, /has no parcel-monitor tables yet/],
    ['changes', 1, /has no parcel-monitor tables yet/],
    ['export', 1, /has no parcel-monitor tables yet/],
    ['store copy file --dry-run --store file', 2, /already there/],
    ['completion bash --complete -- parcel-monitor show', 0, /^$/],
    ['doctor --offline', 3, /^$/],
  ])('is not changed by a read-only command: %s', async (line, exitCode, message) => {
    const database = await createTestDatabase();
    const user = await createUser(database);
    const run = await user.run([...line.split(' '), ...(line.startsWith('completion') ? [''] : [])]);
    expect({ ...run, stdout: '' }).toMatchObject({ exitCode, stderr: expect.stringMatching(message) });
    expect(await schemas(database)).toEqual([]);
  });

  it('is reported by doctor with the command that creates the tables', async () => {
    const user = await createUser(await createTestDatabase());
    const { stdout } = await user.run(['doctor', '--offline']);
    expect(stdout).toMatch(/^warn {2}tables +none yet\n.*\n +Run: parcel-monitor store$/m);
  });

  it('gets its tables from the first command that writes', async () => {
    const database = await createTestDatabase();
    const user = await createUser(database);
    expect(await user.run(['add', 'RB100000005CN'])).toMatchObject({ exitCode: 0 });
    expect((await user.run(['list'])).stdout).toContain('RB100000005CN');
  });
});

it('read-only commands name a missing watchlist and do not create it', async () => {
  const database = await createTestDatabase();
  await makeTables(database.address);
  const user = await createUser(database, { PARCEL_MONITOR_STORE_ACCOUNT: 'shpo' });
  const { exitCode, stderr } = await user.run(['list']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('There is no watchlist "shpo" in'),
  });
  expect((await user.run(['doctor', '--offline'])).stdout).toMatch(
    /^ok {4}account +none yet; the first command that writes/m,
  );
  expect(await database.query('select name from parcel_monitor.account')).toEqual([]);
});

it('read-only commands neither read nor change tables from an older version', async () => {
  const database = await createTestDatabase();
  await makeTables(database.address);
  await database.query('delete from parcel_monitor.migration where version > 1');
  const user = await createUser(database);
  for (const line of ['list', 'status', 'changes', 'show RB100000005CN']) {
    const { exitCode, stderr } = await user.run(line.split(' '));
    expect({ line, exitCode, stderr }).toEqual({
      line,
      exitCode: 1,
      stderr: expect.stringMatching(/from an older version \(1; .*Run "parcel-monitor store" once/),
    });
  }
  expect((await user.run(['doctor', '--offline'])).stdout).toMatch(/^warn {2}tables .*\n.*older version/m);
  expect(await database.query('select version from parcel_monitor.migration')).toEqual([{ version: 1 }]);
});
