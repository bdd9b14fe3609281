import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, findAccount } from '../../../src/store/postgres/database.ts';
import { putMany } from '../../store/postgres/many-parcels.ts';
import { makeTables, serverAddressOf } from '../../store/postgres/test-database.ts';
import { type CliUser, createCliUser } from '../../support/cli-user.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { realClock } from '../../support/real-clock.ts';
import { createSkippingClock, type SkippingClock } from '../../support/skipping-clock.ts';

const count = 2_100;
let longList: TestDatabase;
beforeAll(async () => {
  longList = await createTestDatabase();
  await makeTables(longList.address);
  const database = createDatabase({
    address: serverAddressOf(longList.address),
    clock: realClock,
    random: Math.random,
    applicationName: 'parcel-monitor test',
  });
  const account = await findAccount(database, null, '');
  const [row] = await longList.query<{ now: Date }>("select clock_timestamp() - interval '1 hour' as now");
  await putMany(database, account, { count, from: row?.now.getTime() ?? 0, stepMs: 60_000 });
  await database.close();
});

/** Creates a user of a copy of the long list, behind a proxy that can cut the connection. */
async function createUserOfLongList(
  environment: Readonly<Record<string, string>> = {},
  clock?: SkippingClock,
): Promise<{ user: CliUser; proxy: CuttingProxy; database: TestDatabase }> {
  const database = await createTestDatabase({ template: longList.name });
  const proxy = await startCuttingProxy(database.address);
  onTestFinished(() => proxy.close());
  const user = await createCliUser({
    ...(clock === undefined ? {} : { clock }),
    environment: { PARCEL_MONITOR_STORE: proxy.through(database.address), ...environment },
  });
  onTestFinished(() => user.remove());
  return { user, proxy, database };
}

describe('a long list in a database', () => {
  it('is printed as a table and as JSON in the same order', async () => {
    const { user } = await createUserOfLongList();
    const list = await user.run(['list']);
    expect(list.stdout.split('\n')).toHaveLength(count + 2);
    const json = await user.run(['list', '--json']);
    const { parcels } = JSON.parse(json.stdout) as { parcels: { trackNo: string; courierTrackingLink?: unknown }[] };
    expect(parcels).toHaveLength(count);
    expect(JSON.stringify(parcels[0])).toContain('https://track.example.com');
    const numbers = list.stdout.split('\n').flatMap((line) => /RB\d{7}CN/.exec(line)?.[0] ?? []);
    expect(parcels.map(({ trackNo }) => trackNo)).toEqual(numbers);
    const filtered = await user.run(['list', '--json', '--filter', 'RB1000777CN']);
    expect(JSON.parse(filtered.stdout).parcels).toEqual([parcels.find(({ trackNo }) => trackNo === 'RB1000777CN')]);
  });

  it('is exported as from files, and written to a file completely or not at all', async () => {
    const [row] = await longList.query<{ now: Date }>('select clock_timestamp() as now');
    // The same time as in the database, because the output depends on it.
    const { proxy, user } = await createUserOfLongList({}, createSkippingClock((row?.now.getTime() ?? 0) - Date.now()));
    const fromDatabase = await Promise.all(
      ['json', 'csv', 'ics', 'md'].map(async (format) => (await user.run(['export', '--format', format])).stdout),
    );
    expect(JSON.parse(fromDatabase[0] ?? '').parcels).toHaveLength(count);
    await user.run(['store', 'copy', 'file']);
    const withoutTimes = (text: string): string => text.replace(/^(DTSTAMP:| *"generatedAt"|As of ).*$/gm, '');
    for (const [index, format] of ['json', 'csv', 'ics', 'md'].entries()) {
      const { stdout } = await user.run(['export', '--format', format, '--store', 'file']);
      const [fileLines, databaseLines] = [
        withoutTimes(stdout).split('\n'),
        withoutTimes(fromDatabase[index] ?? '').split('\n'),
      ];
      // Comparing long strings is slow.
      expect(fileLines.filter((line, at) => line !== databaseLines[at]).slice(0, 3)).toEqual([]);
      expect(fileLines).toHaveLength(databaseLines.length);
    }
    proxy.decide(({ text }) => (text.includes('(position, id) >') ? 'before' : 'pass'));
    const file = join(user.home, 'parcels.csv');
    expect(await user.run(['export', '--format', 'csv', '--output', file])).toMatchObject({ exitCode: 1, stdout: '' });
    expect((await readdir(user.home)).filter((name) => name.includes('parcels'))).toEqual([]);
  });

  it('gives a single parcel the same forecast as the list', async () => {
    const { database, user } = await createUserOfLongList();
    // These were in transit longer than the others, by any clock.
    await database.query(`update parcel_monitor.parcel set body = replace(replace(body::text, '"transitDays":6', '"transitDays":90000'),
      'IN_TRANSIT', 'DELIVERED')::json where number_key < 'RB1000012'`);
    const listed = JSON.parse((await user.run(['list', '--json', '--filter', 'RB1000778CN'])).stdout).parcels;
    const shown = JSON.parse((await user.run(['show', 'RB1000778CN', '--json'])).stdout);
    expect(shown.forecast).toEqual({ from: expect.any(String), to: expect.any(String), share: 0.9 });
    expect(listed).toMatchObject([{ forecast: shown.forecast }]);
  });

  it("uses the database's clock for due parcels", async () => {
    const { user } = await createUserOfLongList();
    expect((await user.run(['status', '--format', '{next}'])).stdout).toBe('now\n');
  });
});
