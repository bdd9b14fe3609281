import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';
import { createSkippingClock } from '../../support/skipping-clock.ts';
import { startTestSandbox } from '../../support/test-sandbox.ts';

const numbers = ['RB100000005CN', 'LX123456789CN', '1Z999AA10123456784'];

async function createUserWithParcels(): Promise<CliUser> {
  const user = await createCliUser();
  onTestFinished(() => user.remove());
  for (const number of numbers)
    expect(await user.run(['add', number, '--label', `No ${number}`])).toMatchObject({ exitCode: 0 });
  await user.run(['edit', 'LX123456789CN', '--archive']);
  await user.run(['remove', '1Z999AA10123456784']);
  return user;
}

const exportEverything = async (user: CliUser, ...options: readonly string[]): Promise<string> => {
  const { stdout } = await user.run(['export', '--all', ...options]);
  const { stdout: changes } = await user.run(['changes', '--json', ...options]);
  const { stdout: removed } = await user.run(['restore', '--json', ...options]);
  // Daily backups are left out, because only files have them. Generation times and staleness depend on the database's
  // clock, which differs in tests.
  return [
    stdout.replace(/"(?:generatedAt|stale)": (?:"[^"]+"|\w+)/g, ''),
    changes,
    JSON.stringify(JSON.parse(removed).removed),
  ].join('\n');
};

describe('a copy of the watchlist', () => {
  let address: string;
  beforeAll(async () => {
    ({ address } = await createTestDatabase());
  });

  it('contains everything, from files to a database and back', async () => {
    const user = await createUserWithParcels();
    const before = await exportEverything(user);
    expect(await user.run(['store', 'copy', address, '--dry-run'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('2 parcels'),
    });
    const copied = await user.run(['store', 'copy', address]);
    expect(copied).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('no differences') });
    expect(copied.stderr).toContain('parcel-monitor config set store');
    expect(await exportEverything(user, '--store', address)).toBe(before);

    const refused = await user.run(['--store', address, 'store', 'copy', 'file']);
    expect(refused.exitCode).toBe(1);
    expect(await exportEverything(user)).toBe(before);
    await rm(join(user.home, '.local/share/parcel-monitor'), { recursive: true });
    const copiedBack = await user.run(['--store', address, 'store', 'copy', 'file', '--json']);
    expect(copiedBack.exitCode).toBe(0);
    expect(JSON.parse(copiedBack.stdout)).toMatchObject({
      isDryRun: false,
      copied: { parcels: { count: 2 }, trash: { count: 1 } },
    });
    expect(await exportEverything(user)).toBe(before);
    await expect(readFile(join(user.home, '.local/share/parcel-monitor/watchlist.json'), 'utf8')).resolves.toContain(
      'RB1',
    );
  });

  it('can be tried with --dry-run, which reads the target but changes nothing', async () => {
    const user = await createUserWithParcels();
    const empty = await createTestDatabase();
    expect(await user.run(['store', 'copy', empty.address, '--dry-run'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('would be copied'),
    });
    expect(await empty.query("select nspname from pg_namespace where nspname = 'parcel_monitor'")).toEqual([]);
    for (const [target, sentence] of [
      [address, 'already has a watchlist'],
      ['postgres://tester@127.0.0.1:9/none', 'cannot be reached'],
    ] as const) {
      expect(await user.run(['store', 'copy', target, '--dry-run'])).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(sentence),
      });
    }
    expect(await user.run(['--store', address, 'store', 'copy', 'file', '--dry-run'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('already has a watchlist'),
    });
  });

  it("includes today's usage, so that no budget is spent twice", async () => {
    const clock = createSkippingClock();
    const sandbox = await startTestSandbox({ clock });
    onTestFinished(() => sandbox.close());
    const environment = { PARCEL_MONITOR_BASE_URL: sandbox.baseUrl, PARCEL_MONITOR_API_KEY: sandbox.apiKey };
    const user = await createCliUser({ clock, environment });
    onTestFinished(() => user.remove());
    const empty = await createTestDatabase();
    const fileUsage = async (): Promise<Record<string, unknown>> =>
      JSON.parse(await readFile(join(user.home, '.local/state/parcel-monitor/meter.json'), 'utf8')).days;
    expect(await user.run(['add', 'RB100000005CN'])).toMatchObject({ exitCode: 0 });
    const before = await fileUsage();
    expect(await user.run(['store', 'copy', empty.address])).toMatchObject({ exitCode: 0 });
    const databaseUsage = async (): Promise<Record<string, unknown>> => {
      const [row] = await empty.query<{ days: Record<string, unknown> }>(
        "select body->'days' as days from parcel_monitor.document where name = 'meter'",
      );
      return row?.days ?? {};
    };
    expect(await databaseUsage()).toEqual(before);
    // The database has its own clock.
    expect(await user.run(['refresh', 'RB100000005CN', '--store', empty.address])).toMatchObject({ exitCode: 0 });
    const after = await databaseUsage();
    expect(after).not.toEqual(before);
    // Copying the list back does not count the same usage twice.
    await rm(join(user.home, '.local/share/parcel-monitor'), { recursive: true });
    expect(await user.run(['--store', empty.address, 'store', 'copy', 'file'])).toMatchObject({ exitCode: 0 });
    expect(await fileUsage()).toEqual(after);
  });

  it('refuses a target that has a watchlist, or is the source', async () => {
    const user = await createUserWithParcels();
    expect(await user.run(['store', 'copy', address])).toMatchObject({ exitCode: 1 });
    expect(await user.run(['store', 'copy', 'file'])).toMatchObject({ exitCode: 2 });
    expect(await user.run(['--store', address, 'store', 'copy', `${address}?sslmode=disable`])).toMatchObject({
      exitCode: 2,
    });
  });

  it.each([
    [['store', 'copy'], 'No target given.'],
    [['store', 'copy', ''], 'No target given.'],
    [['store', 'copy', 'nas/parcels'], 'The nearest is postgres://nas/parcels.'],
    [['store', 'cpy', 'file'], 'Did you mean copy?'],
    [['store', '--dry-run'], '--dry-run works with "store copy"'],
    [['store', 'copy', 'postgres://ann:TOPSECRET@nas/parcels'], 'can read a password on the command line'],
  ])('is refused with advice: %j', async (args, message) => {
    const user = await createCliUser();
    onTestFinished(() => user.remove());
    const { exitCode, stderr } = await user.run(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain('TOPSECRET');
  });
});
