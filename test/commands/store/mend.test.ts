import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPollingMemory, readPollingMemory } from '../../../src/store/polling-memory.ts';
import { createDatabaseDocument } from '../../../src/store/postgres/document.ts';
import { createDatabaseLease } from '../../../src/store/postgres/lease.ts';
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { openDatabase } from '../../store/postgres/test-database.ts';
import { createCliUser } from '../../support/cli-user.ts';
import { accountOf } from '../../support/postgres/account-of.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { realClock } from '../../support/real-clock.ts';

it('rows that cannot be used are named by doctor, moved aside by store mend, and nothing else is', async () => {
  const database = await createTestDatabase();
  const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: database.address } });
  onTestFinished(() => user.remove());
  expect(await user.run(['add', 'RB100000005CN', 'LX123456789CN', '1Z999AA10123456784'])).toMatchObject({
    exitCode: 0,
  });
  expect(await user.run(['remove', 'LX123456789CN'])).toMatchObject({ exitCode: 0 });
  expect((await user.run(['store', 'mend'])).stderr).toContain('All rows can be used');
  expect((await user.run(['doctor', '--offline', '--verbose'])).stdout).toMatch(/^ok {4}damaged rows +none$/m);

  const [row] = await database.query<{ id: string }>(
    "update parcel_monitor.parcel set body = '[7]' where number_key = 'RB100000005CN' returning id",
  );
  await database.query(`update parcel_monitor.removed set body = '"odd"'`);
  expect((await user.run(['list'])).stderr).toContain('"parcel-monitor store mend" moves it aside');
  expect((await user.run(['doctor', '--offline'])).stdout).toMatch(
    /^warn {2}damaged rows +2 cannot be used .*\n.*\n +Run: parcel-monitor store mend$/m,
  );

  // A copy compares what can be used: it says what it does without.
  const leftOut = expect.stringContaining('2 rows cannot be used and are no part of the copy');
  expect(await user.run(['store', 'copy', 'file', '--dry-run'])).toMatchObject({ exitCode: 0, stderr: leftOut });
  const copied = await user.run(['store', 'copy', 'file', '--json']);
  expect(copied).toMatchObject({ exitCode: 0, stderr: leftOut });
  expect(JSON.parse(copied.stdout)).toMatchObject({ copied: { parcels: { count: 1 }, trash: { count: 0 } } });

  const mended = await user.run(['store', 'mend']);
  expect(mended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Take out by hand what you need') });
  expect(mended.stdout).toContain(`parcel ${row?.id}  moved aside`);
  const folder = join(user.home, '.local/share/parcel-monitor');
  const [kept = ''] = (await readdir(folder)).filter((name) => name.startsWith('database-rows.damaged-'));
  expect(JSON.parse(await readFile(join(folder, kept), 'utf8'))).toMatchObject([
    { table: 'parcel', id: row?.id, body: '[7]' },
    { table: 'removed', body: '"odd"' },
  ]);
  expect((await user.run(['list'])).stdout).toContain('1Z999AA10123456784');
  expect((await user.run(['store', 'mend'])).stderr).toContain('nothing was changed');
  expect((await user.run(['store'])).stdout).toMatch(/^parcels {5}1, 0 more in the trash$/m);
});

it('spoilt lines of the change log and memory are mended too, and boards follow', async () => {
  const database = await createTestDatabase();
  const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: database.address } });
  onTestFinished(() => user.remove());
  await user.run(['add', 'RB100000005CN', 'LX123456789CN', '1Z999AA10123456784']);
  await user.run(['remove', 'LX123456789CN']);
  const follower = openDatabase(database.address);
  const account = await accountOf(follower, { named: null, baseUrl: '', key: null, remembered: null });
  const store = createPostgresStore({ database: follower, account });
  const { revision } = await store.read();
  await database.query("insert into parcel_monitor.history values ($1, 'odd', 1, null, '7')", [account.id]);
  await database.query(`insert into parcel_monitor.history
    select account_id, id, 1, null, '{"version":1,"checkpoints":[],"received":null}' from parcel_monitor.parcel where number_key = 'RB100000005CN'`);
  await database.query("update parcel_monitor.parcel set body = '[7]' where number_key = 'RB100000005CN'");
  await database.query("update parcel_monitor.removed set body = '7'");
  await database.query('update parcel_monitor.change set body = \'{"seq":2}\' where seq = 2');
  await database.query('update parcel_monitor.change set body = \'{"version":2}\' where seq = 3');
  await database.query("insert into parcel_monitor.document values ($1, 'polling', 3, '7')", [account.id]);
  await database.query("insert into parcel_monitor.document values ($1, 'of a newer version', 3, '7')", [account.id]);

  const doctor = await user.run(['doctor', '--offline']);
  expect(doctor.stdout).toMatch(/^warn {2}damaged rows +5 cannot be used \(parcel \S+, .*\)$/m);
  const mended = await user.run(['store', 'mend']);
  expect(mended.exitCode).toBe(0);
  const told = mended.stdout.trim().split('\n');
  expect(told.map((line) => line.replace(/ \S{12,}/, '')).sort()).toEqual([
    'document polling  moved aside',
    'history odd  moved aside',
    'line of the change log 2  moved aside',
    'parcel  moved aside',
    'parcel in the trash  moved aside',
  ]);
  expect(mended.stderr).not.toContain('changed meanwhile');
  expect((await user.run(['doctor', '--offline', '--verbose'])).stdout).toMatch(/^ok {4}damaged rows +none$/m);
  expect((await user.run(['store'])).stdout).toMatch(/^parcels {5}1, 0 more in the trash$/m);
  expect((await user.run(['store', 'copy', 'file', '--dry-run'])).stderr).not.toContain('cannot be used');

  const changes = await store.changesSince(revision);
  expect(changes).toMatchObject({ isAll: false, changed: [] });
  expect(changes?.removed).toHaveLength(1);
  expect((await store.read()).parcels.map(({ trackNo }) => trackNo)).toEqual(['1Z999AA10123456784']);
  expect(await database.query('select count(*)::int as count from parcel_monitor.change where seq = 3')).toEqual([
    { count: 1 },
  ]);
  expect(
    await database.query('select revision::int, body::text from parcel_monitor.document where name = $1', ['polling']),
  ).toEqual([{ revision: 4, body: '{}' }]);
  expect(
    await database.query('select removed_at is not null as gone from parcel_monitor.history order by gone'),
  ).toEqual([{ gone: true }]);
});

describe('numbers that another program has spoilt', () => {
  let template: TestDatabase;
  beforeAll(async () => {
    template = await createTestDatabase();
    const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: template.address } });
    await user.run(['add', 'RB100000005CN', 'LX123456789CN', '1Z999AA10123456784']);
    await user.run(['remove', 'LX123456789CN']);
    await template.query(
      `insert into parcel_monitor.document select id, 'polling', 1, '{}' from parcel_monitor.account`,
    );
    await template.query(`insert into parcel_monitor.lease
      select id, 'one', 'nas', 1, 1, clock_timestamp(), clock_timestamp() from parcel_monitor.account`);
    await user.remove();
  });

  const largest = '9223372036854775807';
  it.each([
    ['the revision at its end', 'account', `update parcel_monitor.account set revision = ${largest}`],
    ['a revision that is not exact', 'account', `update parcel_monitor.account set revision = 9007199254740993`],
    ['a revision below nothing', 'account', `update parcel_monitor.account set revision = -5`],
    ['the newest line at its end', 'account', `update parcel_monitor.account set seq = ${largest}`],
    ['a newest line that is not the newest', 'account', 'update parcel_monitor.account set seq = 1'],
    ['all forgotten', 'account', `update parcel_monitor.account set pruned_revision = ${largest}`],
    ['revisions to come', '2 of parcel', `update parcel_monitor.parcel set revision = ${largest}`],
    [
      'one that is newer than all',
      '1 of parcel',
      `update parcel_monitor.parcel set revision = 70 where number_key like 'RB%'`,
    ],
    ['places at their end', '2 of parcel', `update parcel_monitor.parcel set position = ${largest}`],
    ['trash to come', '1 of parcel in the trash', `update parcel_monitor.removed set revision = ${largest}`],
    ['memory at its end', '1 of document', `update parcel_monitor.document set revision = ${largest}`],
    ['a right to check without an end', 'right to check', `update parcel_monitor.lease set expires_at = 'infinity'`],
    ['a right to check that none can follow', 'right to check', `update parcel_monitor.lease set fence = ${largest}`],
    ['a line at its end', null, `update parcel_monitor.change set seq = ${largest} where seq = 2`],
  ])('%s: named by doctor, made anew by store mend, and all can be written again', async (_, where, statement) => {
    const database = await createTestDatabase({ template: template.name });
    const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: database.address } });
    onTestFinished(() => user.remove());
    const follower = openDatabase(database.address);
    const account = await accountOf(follower, { named: null, baseUrl: '', key: null, remembered: null });
    const store = createPostgresStore({ database: follower, account });
    const { revision } = await store.read();
    const doctor = async (): Promise<string> => (await user.run(['doctor', '--offline'])).stdout;
    expect(await doctor()).not.toContain('its numbers');
    await database.query(statement);

    if (where === null) expect(await doctor()).toMatch(/damaged rows +1 cannot be used/);
    else expect(await doctor()).toMatch(new RegExp(`its numbers +spoilt \\(.*${where}[,)]`));
    if (where === 'account')
      expect(await user.run(['add', 'RB100000019CN'])).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('store mend'),
      });
    const mended = await user.run(['store', 'mend']);
    expect(mended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(where ?? 'line of the change log') });
    expect(await doctor()).not.toMatch(/its numbers|cannot be used/);

    expect(await user.run(['edit', 'RB100000005CN', '--label', 'Mine'])).toMatchObject({ exitCode: 0 });
    expect(await user.run(['add', 'RB100000019CN'])).toMatchObject({ exitCode: 0 });
    await store.changesSince(revision);
    const { parcels } = await store.read();
    const labels = parcels.map(({ label, trackNo }): [string, string | null] => [trackNo, label]);
    expect(new Map(labels)).toEqual(
      new Map([
        ['RB100000005CN', 'Mine'],
        ['1Z999AA10123456784', null],
        ['RB100000019CN', null],
      ]),
    );
    const host = createDatabaseLease({
      database: follower,
      accountId: account.id,
      clock: realClock,
      holder: 'me',
      host: 'nas',
      processes: null,
    });
    expect(await host.hold()).toBe(true);
    await host.release();
    const place = { database: follower, accountId: account.id };
    const memory = createPollingMemory(createDatabaseDocument(place, 'polling', readPollingMemory));
    expect(await memory.update({ paused: true })).toMatchObject({ paused: true });
  });
});

it('names that other programs have given begin no lines', async () => {
  const database = await createTestDatabase();
  const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: database.address } });
  onTestFinished(() => user.remove());
  await user.run(['add', 'RB100000005CN']);
  const odd = `'x' || chr(10) || 'ok    forged' || chr(8232) || 'ok    forged'`;
  await database.query(`update parcel_monitor.account set name = ${odd}`);
  await database.query(`update parcel_monitor.parcel set id = ${odd}`);
  const said = await Promise.all(
    [['list'], ['store'], ['doctor', '--offline'], ['store', 'mend']].map(async (words) => {
      const { stderr, stdout } = await user.run(words);
      return stdout + stderr;
    }),
  );
  expect(said.join('')).toContain('forged');
  for (const text of said)
    expect(text.split(/[\n\u2028]/).filter((line) => line.startsWith('ok    forged'))).toEqual([]);
});
