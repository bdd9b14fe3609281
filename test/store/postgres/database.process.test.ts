import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sleep } from '../../../src/lib/clock.ts';
import { migrate, schemaState, schemaVersion } from '../../../src/store/postgres/administration.ts';
import { createDatabase, findAccount, lookUpAccount } from '../../../src/store/postgres/database.ts';
import { createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { migrations } from '../../../src/store/postgres/sql.ts';
import { aParcel } from '../../board/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';
import { realClock } from '../../support/real-clock.ts';
import { failureOf } from '../store-folder.ts';
import { makeTables, openDatabase, serverAddressOf } from './test-database.ts';

const baseUrl = 'https://api.example.com/';
const newerMigration = { version: schemaVersion + 1, statements: ['create table parcel_monitor.later (id int)'] };

describe('the tables of a database', () => {
  it('are created once, even if many programs start simultaneously', async () => {
    const { address } = await createTestDatabase();
    const databases = [openDatabase(address), openDatabase(address), openDatabase(address)];
    expect(await schemaState(databases[0] ?? expect.fail())).toEqual({ version: 0, required: schemaVersion });
    await Promise.all(databases.map((database) => migrate(database)));
    const [database = expect.fail()] = databases;
    expect((await schemaState(database)).version).toBe(schemaVersion);
  });

  it('are migrated from an older version with their contents', async () => {
    const { address } = await createTestDatabase();
    await makeTables(address);
    const database = openDatabase(address);
    await findAccount(database, 'nas', baseUrl);
    await migrate(database, [...migrations, newerMigration]);
    expect(await database.query('select name from parcel_monitor.account')).toMatchObject([{ name: 'nas' }]);
    expect(await database.query('select version from parcel_monitor.migration order by version')).toHaveLength(
      migrations.length + 1,
    );
  });

  it('are migrated from the first version without their unused columns, but with all parcels', async () => {
    const { address, query } = await createTestDatabase();
    await migrate(openDatabase(address), migrations.slice(0, 1));
    const { id } = await findAccount(openDatabase(address), 'nas', baseUrl);
    await query("insert into parcel_monitor.installation (only_one, salt) values (1, 'salt')");
    await query("update parcel_monitor.account set key_marks = '{mark}'");
    const parcels = ['a', 'b'].map((name) => aParcel({ id: name, label: `Lamp ${name}` }));
    for (const parcel of parcels)
      await query('insert into parcel_monitor.parcel values ($1, $2, $2, 0, 0, null, $3, $4)', [
        id,
        parcel.id,
        '{"trackNo":"from an older version"}',
        JSON.stringify(parcel),
      ]);
    await query("insert into parcel_monitor.parcel values ($1, 'c', 'c', 0, 0, null, '{}', '{\"id\":5}')", [id]);
    const database = openDatabase(address);
    await migrate(database);
    const account = await findAccount(database, 'nas', baseUrl);
    const store = createPostgresStore({ database, account });
    expect((await store.read()).parcels).toEqual(parcels);
    expect(store.takeNotices()).toMatchObject([expect.stringContaining('cannot be used')]);
    const columns = await query("select column_name from information_schema.columns where table_name = 'parcel'");
    expect(JSON.stringify(columns)).not.toMatch(/light|due_at/);
    const marks = await query(
      "select table_name, column_name from information_schema.columns where table_schema = 'parcel_monitor' and (table_name = 'installation' or column_name = 'key_marks')",
    );
    expect(JSON.stringify(marks)).not.toMatch(/installation|key_marks/);
  });

  it('are refused and left alone if they are from a newer version', async () => {
    const { address } = await createTestDatabase();
    await migrate(openDatabase(address), [...migrations, newerMigration]);
    const error = await failureOf(migrate(openDatabase(address)));
    expect(error.kind).toBe('newer-version');
    expect(error.message).toMatch(/Update parcel-monitor/);
  });

  it('stay unchanged if a migration step fails', async () => {
    const { address } = await createTestDatabase();
    await makeTables(address);
    const database = openDatabase(address);
    const broken = {
      version: schemaVersion + 1,
      statements: ['create table parcel_monitor.half (id int)', 'select nonsense'],
    };
    await failureOf(migrate(database, [...migrations, broken]));
    expect((await schemaState(database)).version).toBe(schemaVersion);
    expect(await database.query("select to_regclass('parcel_monitor.half') as half")).toEqual([{ half: null }]);
  });
});

describe('an account', () => {
  it('is the named one, or the default, or the only one, and must be named if there are several', async () => {
    const { address } = await createTestDatabase();
    await makeTables(address);
    const database = openDatabase(address);
    expect(await lookUpAccount(database, null)).toBeNull();
    const nas = await findAccount(database, 'nas', baseUrl);
    expect(await findAccount(database, null, 'https://other.example.com/')).toEqual(nas);
    expect(await lookUpAccount(database, 'evil')).toBeNull();
    await findAccount(database, 'evil\u001b]0;title\u0007\nname', baseUrl);
    expect((await failureOf(findAccount(database, null, baseUrl))).message).toMatch(
      /several watchlists \("nas", "evil name"\).*storeAccount/,
    );
    const defaultAccount = await findAccount(database, 'default', baseUrl);
    expect(await findAccount(database, null, baseUrl)).toEqual(defaultAccount);
  });

  it('is created once, even if many programs start simultaneously', async () => {
    const { address } = await createTestDatabase();
    await makeTables(address);
    const found = await Promise.all([1, 2, 3].map(() => findAccount(openDatabase(address), null, baseUrl)));
    expect(new Set(found.map(({ id }) => id)).size).toBe(1);
    expect(await openDatabase(address).query('select name from parcel_monitor.account')).toEqual([{ name: 'default' }]);
  });
});

describe('a database', () => {
  it('retries a transaction after a conflict, without doing anything twice', async () => {
    const { address } = await createTestDatabase();
    const [databaseA, databaseB] = [openDatabase(address), openDatabase(address)];
    await databaseA.query('create table public.account (id int, amount int)');
    await databaseA.query('insert into public.account values (1, 0), (2, 0)');
    let [attempts, locked] = [0, 0];
    // Both lock the same rows, but in opposite orders.
    const addToBoth = (database: typeof databaseA, [first, second]: readonly [number, number]) =>
      database.transaction(async (transaction) => {
        attempts += 1;
        await transaction.query('set local deadlock_timeout = 10');
        await transaction.query('update public.account set amount = amount + 1 where id = $1', [first]);
        locked += 1;
        await eventually(() => expect(locked).toBeGreaterThan(1));
        await transaction.query('update public.account set amount = amount + 1 where id = $1', [second]);
      });
    await Promise.all([addToBoth(databaseA, [1, 2]), addToBoth(databaseB, [2, 1])]);
    expect(attempts).toBeGreaterThan(2);
    expect(await databaseA.query('select amount from public.account')).toEqual([{ amount: 2 }, { amount: 2 }]);
  });

  it('rolls back a failed transaction, and continues', async () => {
    const { address } = await createTestDatabase();
    const database = openDatabase(address);
    await database.query('create table public.note (body text)');
    const failing = database.transaction(async (transaction) => {
      await transaction.query("insert into public.note values ('a')");
      throw new Error('not this one');
    });
    await expect(failing).rejects.toThrow('not this one');
    expect((await failureOf(database.query('select nonsense'))).kind).toBe('failed');
    expect(await database.query('select * from public.note')).toEqual([]);
  });

  it('reads an instant that is out of range as the nearest possible one', async () => {
    const { address } = await createTestDatabase();
    const database = openDatabase(address);
    const [row = {}] = await database.query<Record<string, number>>(
      `select 'infinity'::timestamptz as a, '-infinity'::timestamptz as b, '4000-01-01 BC'::timestamptz as c,
         '200000-01-01'::timestamptz as d, '2026-11-22 15:00:00.5+00'::timestamptz as e`,
    );
    const [last, first] = ['9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00.000Z'];
    expect(Object.values(row).map((instant) => new Date(instant).toISOString())).toEqual([
      last,
      first,
      first,
      last,
      '2026-11-22T15:00:00.500Z',
    ]);
  });

  it('waits longer for the password than for the server, since a person may have to touch a token', async () => {
    const passwordRequest = Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]);
    let received = '';
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(passwordRequest);
        socket.once('data', (message) => {
          received = message.toString('latin1');
          socket.destroy();
        });
      });
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const address = {
      ...serverAddressOf(`postgres://ann@127.0.0.1:${port}/parcels`),
      password: async () => {
        await sleep(realClock, 300);
        return 'open sesame';
      },
    };
    const database = createDatabase({
      address,
      clock: realClock,
      random: Math.random,
      applicationName: 'parcel-monitor test',
      timings: { connectMs: 100 },
    });
    onTestFinished(() => database.close());
    await eventually(async () => {
      // On a busy machine, the server may not even ask in time.
      expect((await failureOf(database.open())).kind).toBe('cut-off');
      expect(received).toMatch(/md5[0-9a-f]{32}/);
    });
  });

  it('keeps values and passwords out of its errors', async () => {
    const { address } = await createTestDatabase();
    const database = openDatabase(address, { password: 'swordfish' });
    await database.query('create table public.note (body text primary key)');
    await database.query("insert into public.note values ('SW1A 1AA')");
    const errors = [
      await failureOf(database.query("insert into public.note values ('SW1A 1AA')")),
      await failureOf(database.query("select 'SW1A 1AA'::int")),
      await failureOf(openDatabase(address, { user: 'nobody', password: 'swordfish' }).query('select 1')),
    ];
    for (const error of errors) {
      const reported = [
        error.message,
        String(error.stack),
        String((error.cause as Error | undefined)?.message),
        JSON.stringify(error),
      ];
      expect(reported.join(' ')).not.toMatch(/SW1A|swordfish/);
    }
    expect(errors[2]?.message).toMatch(/the user does not exist/);
  });

  it('forwards notifications immediately, and measures the clock difference', async () => {
    const { address } = await createTestDatabase();
    const ahead = { ...realClock, now: () => realClock.now() + 3_600_000 };
    const [sender, listener] = [openDatabase(address), openDatabase(address, { clock: ahead })];
    const news: (string | null)[] = [];
    onTestFinished(listener.onNews((announced) => news.push(announced)));
    await eventually(() => expect(news).toEqual([null]));
    await sender.transaction((transaction) => transaction.announce('7'));
    await eventually(() => expect(news).toContain('7'));
    expect(listener.clockOffsetMs() - sender.clockOffsetMs()).toBeLessThan(-3_590_000);
  });

  it('polls for changes if notifications are unavailable', async () => {
    const { address, name, query } = await createTestDatabase();
    const role = `role_${name}`;
    await query(`create role ${role} login`);
    onTestFinished(async () => void (await query(`drop role ${role}`)));
    // As on an engine without notifications.
    await query('revoke execute on function pg_catalog.pg_notify(text, text) from public');
    const listener = openDatabase(address, { timings: { newsMs: 20 }, user: role });
    let polls = 0;
    onTestFinished(
      listener.onNews(() => {
        polls += 1;
      }),
    );
    await eventually(() => expect(polls).toBeGreaterThan(5));
  });
});
