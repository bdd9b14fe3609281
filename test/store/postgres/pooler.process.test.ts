import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/store/postgres/database.ts';
import { createPostgresRecovery, createPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { toDatabaseError } from '../../../src/store/postgres/server-errors.ts';
import { migrations } from '../../../src/store/postgres/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { startTransactionPooler, type TransactionPooler } from '../../support/postgres/transaction-pooler.ts';
import { realClock } from '../../support/real-clock.ts';
import type { StoreKind } from '../store-contract.ts';
import { expectLikeMemory } from '../store-model.ts';
import { makeTables, newAccount, type OpenOptions, openDatabase } from './test-database.ts';

let direct: TestDatabase;
let pooler: TransactionPooler;
let address = '';
beforeAll(async () => {
  direct = await createTestDatabase();
  // The server's own settings survive a pooler that discards its clients' settings.
  await direct.query(`alter database "${direct.name}" set timezone = 'Asia/Kolkata'`);
  pooler = await startTransactionPooler(direct.address);
  address = pooler.through(direct.address);
});
afterAll(() => pooler.close());

const openPooled = (options: OpenOptions = {}): Database => openDatabase(address, options);

describe('a pooler that gives each transaction a different connection', () => {
  it('lets several programs create the tables simultaneously', async () => {
    await Promise.all([makeTables(address), makeTables(address), makeTables(address)]);
    expect(await direct.query('select version from parcel_monitor.migration')).toHaveLength(migrations.length);
  });

  it('makes the program poll for changes, since notifications would not arrive', async () => {
    const listener = openPooled({ timings: { newsMs: 20 } });
    let polls = 0;
    onTestFinished(
      listener.onNews(() => {
        polls += 1;
      }),
    );
    await eventually(() => expect(polls).toBeGreaterThan(5));
    expect(listener.isPooled).toBe(true);
    const channels = await direct.query(
      `select 1 from pg_stat_activity where datname = current_database() and query like 'listen%'`,
    );
    expect(channels).toEqual([]);
  });

  it('does not apply the limits of one transaction to others on the same connection', async () => {
    const database = openPooled({ timings: { idleMs: 7_100, lockMs: 5_100, statementMs: 12_100 } });
    const limits = `select current_setting('idle_in_transaction_session_timeout') as idle,
      current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`;
    const inside = await database.transaction((transaction) => transaction.query(limits));
    expect(inside).toEqual([{ idle: '7100ms', lock: '5100ms', statement: '12100ms' }]);
    expect(await database.query(limits)).toEqual(inside);
    const other = new Client(address);
    await other.connect();
    for (let connection = 0; connection < 3; connection += 1)
      expect((await other.query(limits)).rows).toEqual([{ idle: '0', lock: '0', statement: '0' }]);
    await other.end();
    const slow = await database.transaction((transaction) => transaction.query(limits), { responseMs: 600_000 });
    expect(slow).toMatchObject([{ statement: '9min' }]);
  });

  it("returns the right instants regardless of the server's time zone", async () => {
    const database = openPooled();
    for (let connection = 0; connection < 3; connection += 1)
      expect(await database.query("select '2026-11-22 15:00:00.5+00'::timestamptz as at")).toEqual([
        { at: Date.parse('2026-11-22T15:00:00.500Z') },
      ]);
  });

  it('lets the store behave like the memory store for any actions by two clients', async () => {
    const connections = [openPooled(), openPooled(), openPooled()];
    let opened = 0;
    const next = (): Database => connections[opened++ % connections.length] ?? openPooled();
    const kind: StoreKind = {
      isShared: true,
      async create() {
        const database = next();
        const account = await newAccount(database);
        const open = () => createPostgresStore({ database: next(), account });
        return { open, recovery: () => createPostgresRecovery({ database, account, store: open(), clock: realClock }) };
      },
    };
    await expectLikeMemory(kind, 3);
  });
});

it.each([
  [
    'transaction blocks not allowed in statement pooling mode',
    /pooler in statement mode.*pool_mode to "session" or "transaction"/,
  ],
  ['query_wait_timeout', /cannot be reached \(query_wait_timeout\)/],
  ['no \u001b[31mmore connections', /cannot be reached \(no more connections\)/],
])("passes on a pooler's error: %j", (serverMessage, message) => {
  const poolerError = Object.assign(new Error(serverMessage), { code: '08P01', severity: 'FATAL' });
  expect(toDatabaseError(poolerError, 'postgres://ann@nas/parcels').message).toMatch(message);
});

it("overrides the server's date format", async () => {
  const { address: own, name, query } = await createTestDatabase();
  await query(`alter database "${name}" set datestyle = 'German, DMY'`);
  await query(`alter database "${name}" set timezone = 'Asia/Kolkata'`);
  const database = openDatabase(own);
  expect(await database.query("select '2026-11-02 15:00:00.5+00'::timestamptz as at")).toEqual([
    { at: Date.parse('2026-11-02T15:00:00.500Z') },
  ]);
  expect(database.isPooled).toBe(false);
});
