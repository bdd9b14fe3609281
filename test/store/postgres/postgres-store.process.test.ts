import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { migrate } from '../../../src/store/postgres/administration.ts';
import { type Account, type Database, findAccount } from '../../../src/store/postgres/database.ts';
import { ParcelRows } from '../../../src/store/postgres/parcel-rows.ts';
import {
  createPostgresRecovery,
  createPostgresStore,
  type PostgresStore,
} from '../../../src/store/postgres/postgres-store.ts';
import type { ReadProgress, WatchlistStore } from '../../../src/store/store.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { eventually } from '../../support/eventually.ts';
import { someThursday } from '../../support/fake-clock.ts';
import { startCuttingProxy } from '../../support/postgres/cutting-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { realClock } from '../../support/real-clock.ts';
import { checkpointOf } from '../../support/records.ts';
import { put, remove, writeAndRead, writeWithRetry } from '../store-contract.ts';
import { failureOf, trackNos } from '../store-folder.ts';
import { makeTables, newAccount, openDatabase } from './test-database.ts';

let tables: TestDatabase;
beforeAll(async () => {
  tables = await createTestDatabase();
  await makeTables(tables.address);
});

const [first, second] = [parcelOf('RB1CN'), parcelOf('RB2CN')];
const quickTimings = { shortestBackOffMs: 5, longestBackOffMs: 20, heartbeatMs: 50, newsMs: 20 };

async function createWatchlist(): Promise<{ account: Account; database: Database; store: WatchlistStore }> {
  const database = openDatabase(tables.address);
  const account = await newAccount(database);
  return { account, database, store: createPostgresStore({ database, account }) };
}

const changesOf = async (store: WatchlistStore): Promise<readonly string[]> =>
  (await store.changeLogAfter(0)).map(({ change, seq }) => `${seq} ${change}`);

describe('a watchlist in a database', () => {
  it('notifies other hosts of changes to their own account only', async () => {
    const { account, store } = await createWatchlist();
    const other = createPostgresStore({ database: openDatabase(tables.address), account });
    const otherAccount = await createWatchlist();
    const notifications: string[] = [];
    onTestFinished(other.onNews(() => notifications.push('news')));
    await eventually(() => expect(notifications).toHaveLength(1));
    await writeWithRetry(otherAccount.store, () => put(first));
    await writeWithRetry(store, () => put(first));
    await eventually(() => expect(notifications).toHaveLength(2));
    expect(trackNos(await other.read())).toEqual(['RB1CN']);
  });

  it('is not shared with a different account', async () => {
    const [ours, theirs] = [await createWatchlist(), await createWatchlist()];
    await writeWithRetry(ours.store, () => put(first, second));
    await ours.store.updateHistory(first.id, (history) => ({
      ...history,
      checkpoints: [checkpointOf('Arrived', null)],
    }));
    await writeWithRetry(ours.store, () => remove(second.id));
    expect((await theirs.store.read()).parcels).toEqual([]);
    expect((await theirs.store.read(['RB1CN'])).parcels).toEqual([]);
    expect((await theirs.store.readHistory(first.id)).checkpoints).toEqual([]);
    expect(await theirs.store.changeLogAfter(0)).toEqual([]);
    expect(
      await createPostgresRecovery({ ...theirs, store: createPostgresStore(theirs), clock: realClock }).trashed(),
    ).toEqual([]);
    await writeWithRetry(theirs.store, () => put({ ...first, label: 'theirs' }));
    expect((await ours.store.read()).parcels.map(({ label }) => label)).toEqual([null]);
  });

  it('returns only the parcels with the given numbers, and their later changes', async () => {
    const { account, database, store: other } = await createWatchlist();
    await writeWithRetry(other, () => put(first, second));
    const store = createPostgresStore({ database, account });
    const readAll = vi.spyOn(ParcelRows.prototype, 'readAll');
    const part = await store.read(['rb1cn', 'RB9CN']);
    expect(trackNos(part)).toEqual(['RB1CN']);
    expect(await store.newer(part)).toBe(null);
    await writeWithRetry(other, () => put({ ...first, label: 'theirs' }));
    readAll.mockClear();
    const [found] = part.parcels;
    const refused = await store.write(put({ ...(found ?? first), label: 'ours' }), part, someThursday);
    expect(refused).toEqual({ isWritten: false });
    await writeWithRetry(other, () => remove(first.id));
    readAll.mockClear();
    expect((await store.newer(part))?.parcels).toEqual([]);
    expect(readAll).not.toHaveBeenCalled();
    expect(trackNos(await store.read())).toEqual(['RB2CN']);
  });

  it('reads a full trash page by page, newest first', async () => {
    const { account, database, store } = await createWatchlist();
    await database.query(
      `insert into parcel_monitor.removed (account_id, id, revision, removed_at, body)
       select $1, 'id-' || n, 0, to_timestamp(1000000 + (n * 7919) % 10007), replace($2::text, '${first.id}', 'id-' || n)::json
       from generate_series(1, 2500) n`,
      [account.id, JSON.stringify(first)],
    );
    const queries = vi.spyOn(database, 'query');
    const recovery = createPostgresRecovery({ account, database, store: store as PostgresStore, clock: realClock });
    const times = (await recovery.trashed()).map(({ removedAt }) => removedAt);
    expect(new Set(times).size).toBe(2_500);
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    expect(queries).toHaveBeenCalledTimes(3);
  });

  it('is read in order and page by page, with progress reports', async () => {
    const { account, store } = await createWatchlist();
    const parcels = Array.from({ length: 2_100 }, (_, index) => parcelOf(`N${index}`, { label: `${index}` }));
    await writeWithRetry(store, () => put(first));
    await writeWithRetry(store, () => put(...parcels));
    const other = createPostgresStore({ database: openDatabase(tables.address), account });
    const reports: ReadProgress[] = [];
    onTestFinished(other.onReading((progress) => reports.push(progress)));
    expect(trackNos(await other.read())).toEqual(['RB1CN', ...parcels.map(({ trackNo }) => trackNo)]);
    expect(reports).toEqual([1_024, 2_048, 2_101].map((read) => ({ read, total: 2_101 })));
  });

  it('returns more than a page of changes in one call, in order', async () => {
    const { account, store } = await createWatchlist();
    const other = createPostgresStore({ database: openDatabase(tables.address), account });
    const known = await other.read();
    const parcels = Array.from({ length: 1_500 }, (_, index) => parcelOf(`N${index}`));
    await writeWithRetry(store, () => put(...parcels));
    await writeWithRetry(store, () => remove('n3'));
    await writeWithRetry(store, () => put({ ...(parcels[4] ?? first), label: 'Lamp' }));
    const newer = await other.newer(known);
    expect(newer?.parcels).toHaveLength(1_499);
    expect(newer?.parcels[3]).toMatchObject({ id: 'n4', label: 'Lamp' });
    expect(newer === null ? newer : await other.newer(newer)).toBeNull();
  });

  it('refuses to write for a poller whose lease another host has taken', async () => {
    const { account, database, store } = await createWatchlist();
    const known = await store.read();
    await database.query(
      `insert into parcel_monitor.lease (account_id, holder, host, pid, fence, renewed_at, expires_at)
       values ($1, 'a', 'nas', 1, 7, now(), now())`,
      [account.id],
    );
    expect(await store.write(put(first), known, someThursday, { fence: 6 })).toMatchObject({
      isWritten: false,
      isFenced: true,
    });
    expect((await store.write(put(first), known, someThursday, { fence: 7 })).isWritten).toBe(true);
  });

  it('keeps working after an older copy of the database was restored', async () => {
    const { account, database, store } = await createWatchlist();
    await writeWithRetry(store, () => put(first));
    await writeWithRetry(store, () => put(second));
    const known = await store.read();
    await database.query('delete from parcel_monitor.parcel where account_id = $1 and id = $2', [
      account.id,
      second.id,
    ]);
    await database.query('update parcel_monitor.account set revision = 1, seq = 1 where id = $1', [account.id]);
    expect(await store.newer(known)).toMatchObject({ revision: 1, parcels: [{ id: first.id }] });
    expect((await store.write(put({ ...first, label: 'mine' }), known, someThursday)).isWritten).toBe(false);
    expect(trackNos(await store.read())).toEqual(['RB1CN']);
  });

  it('permanently deletes old data once a day, and brings readers that missed a change up to date', async () => {
    const { account, database, store } = await createWatchlist();
    const other = createPostgresStore({ database: openDatabase(tables.address), account });
    await writeWithRetry(store, () => put(first, second));
    await store.updateHistory(first.id, (history) => ({ ...history, checkpoints: [checkpointOf('Arrived', null)] }));
    const known = await other.read();
    await writeWithRetry(store, () => remove(first.id));
    const backdate = (table: string, column: string, days: number) =>
      database.query(
        `update parcel_monitor.${table} set ${column} = clock_timestamp() - interval '${days} days' where account_id = $1`,
        [account.id],
      );
    await backdate('removed', 'removed_at', 31);
    await backdate('history', 'removed_at', 31);
    await database.query(
      `update parcel_monitor.change set noticed_at = now() - interval '91 days' where account_id = $1 and seq <= 2`,
      [account.id],
    );
    await writeWithRetry(store, () => put({ ...second, label: 'Lamp' }));
    const recovery = createPostgresRecovery({
      account,
      database,
      store: createPostgresStore({ account, database }),
      clock: realClock,
    });
    expect(await recovery.trashed()).toHaveLength(1);
    await database.query(`update parcel_monitor.account set pruned_at = now() - interval '25 hours' where id = $1`, [
      account.id,
    ]);
    await writeWithRetry(store, () => put({ ...second, label: 'Desk' }));
    expect(await recovery.trashed()).toEqual([]);
    // As if the server's clock was set back since, or a different program wrote this row.
    await database.query(`update parcel_monitor.account set pruned_at = 'infinity' where id = $1`, [account.id]);
    await writeWithRetry(store, () => put({ ...second, label: 'Floor' }));
    expect(
      await database.query('select isfinite(pruned_at) as isfinite from parcel_monitor.account where id = $1', [
        account.id,
      ]),
    ).toEqual([{ isfinite: true }]);
    expect(await changesOf(store)).toEqual(['3 removed']);
    expect(await database.query('select id from parcel_monitor.history where account_id = $1', [account.id])).toEqual(
      [],
    );
    expect(await other.newer(known)).toMatchObject({
      parcels: [{ id: second.id, label: 'Floor' }],
    });
    expect((await other.write(remove(first.id), known, someThursday)).isWritten).toBe(false);
  });

  it('skips damaged rows, and reports them once', async () => {
    const { account, database, store } = await createWatchlist();
    await writeWithRetry(store, () => put(first, second));
    await database.query(`update parcel_monitor.parcel set body = '[]' where account_id = $1 and id = $2`, [
      account.id,
      first.id,
    ]);
    const fresh = createPostgresStore({ database, account });
    expect(trackNos(await fresh.read())).toEqual(['RB2CN']);
    await fresh.read([first.trackNo]);
    expect(fresh.takeNotices()).toMatchObject([expect.stringContaining(first.id)]);
    await writeWithRetry(fresh, () => put({ ...second, label: 'Lamp' }));
    expect(
      await database.query('select body from parcel_monitor.parcel where account_id = $1 and id = $2', [
        account.id,
        first.id,
      ]),
    ).toEqual([{ body: '[]' }]);
  });

  it('refuses an invalid id', async () => {
    const { store } = await createWatchlist();
    const known = await store.read();
    const error = await failureOf(store.write(put({ ...first, id: 'a\u0000b' }), known, someThursday));
    expect(error.message).toMatch(/not a valid parcel id/);
  });

  it('is written in a few statements, however many parcels change', async () => {
    const { account } = await createWatchlist();
    const proxy = await startCuttingProxy(tables.address);
    onTestFinished(() => proxy.close());
    const store = createPostgresStore({ database: openDatabase(proxy.through(tables.address)), account });
    const parcels = Array.from({ length: 100 }, (_, index) => parcelOf(`N${index}`));
    const read = await writeAndRead(store, put(...parcels), await store.read(), someThursday);
    const before = proxy.statements.length;
    const arrived = read.current.parcels.map((parcel) => ({ ...parcel, lastEvent: checkpointOf('Arrived', null) }));
    await Promise.all([
      store.write(put(...arrived), read.current, someThursday),
      ...parcels.map(({ id }) =>
        store.updateHistory(id, (history) => ({ ...history, checkpoints: [checkpointOf('Arrived', null)] })),
      ),
    ]);
    expect(proxy.statements.length - before).toBeLessThanOrEqual(15);
    expect(await store.changeLogAfter(100)).toHaveLength(100);
  });
});

describe('a connection that breaks', () => {
  it.each(['before', 'after'] as const)(
    '%s any statement of a write neither loses nor duplicates anything',
    async (fate) => {
      for (let cutAt = 1; ; cutAt += 1) {
        const { account, store: observer } = await createWatchlist();
        const proxy = await startCuttingProxy(tables.address);
        onTestFinished(() => proxy.close());
        const store = createPostgresStore({ database: openDatabase(proxy.through(tables.address)), account });
        await writeWithRetry(store, () => put(first, second));
        const writes = [...put({ ...first, archivedAt: first.addedAt }), ...remove(second.id)];
        const known = await store.read();
        const from = proxy.statements.length;
        proxy.decide(({ number }) => (number === from + cutAt ? fate : 'pass'));
        const error = await store.write(writes, known, someThursday).then(
          () => null,
          (reason: unknown) => reason,
        );
        if (proxy.statements.length < from + cutAt) return;
        if (error !== null) {
          expect(error).toMatchObject({ kind: 'cut-off' });
          const isCommit = proxy.statements[from + cutAt - 1]?.text === 'commit';
          expect(trackNos(await observer.read())).toEqual(
            isCommit && fate === 'after' ? ['RB1CN'] : ['RB1CN', 'RB2CN'],
          );
          // As in the program, decides again with the current data.
          await writeWithRetry(store, (parcels) =>
            writes.filter(({ id }) => parcels.some((parcel) => parcel.id === id)),
          );
        }
        expect(await changesOf(observer)).toEqual(['1 added', '2 added', '3 archived', '4 removed']);
        expect((await store.read()).parcels).toEqual((await observer.read()).parcels);
      }
    },
  );

  it('is noticed even without an error, then reported and replaced', async () => {
    const { account, store: other } = await createWatchlist();
    const proxy = await startCuttingProxy(tables.address);
    onTestFinished(() => proxy.close());
    const timings = { ...quickTimings, heartbeatAnswerMs: 300, connectMs: 300, responseMs: 300 };
    const database = openDatabase(proxy.through(tables.address), { timings });
    const store = createPostgresStore({ database, account });
    let news = 0;
    onTestFinished(
      store.onNews(() => {
        news += 1;
      }),
    );
    await store.read();
    proxy.silence(true);
    await eventually(async () =>
      expect((await failureOf(store.newer({ revision: 0, parcels: [], changeSeq: 0 }))).kind).toBe('cut-off'),
    );
    await writeWithRetry(other, () => put(first));
    news = 0;
    proxy.silence(false);
    await eventually(() => expect(news).toBeGreaterThan(0));
    expect(trackNos(await store.read())).toEqual(['RB1CN']);
  });
});

describe("the user's role", () => {
  async function connectAsRole(
    grants: (role: string) => readonly string[],
  ): Promise<{ account: Account; database: Database }> {
    const own = await createTestDatabase({ template: tables.name });
    const role = `role_${own.name}`;
    await own.query(`create role ${role} login`);
    for (const statement of grants(role)) await own.query(statement);
    onTestFinished(async () => {
      await own.query(`drop owned by ${role}`);
      await own.query(`drop role ${role}`);
    });
    const account = await newAccount(openDatabase(own.address));
    const database = openDatabase(own.address, { user: role });
    return { account, database };
  }

  it('gets an error that says who can grant privileges if it has none', async () => {
    const { database } = await connectAsRole(() => []);
    const error = await failureOf(migrate(database));
    expect(error.kind).toBe('no-permission');
    expect(error.message).toMatch(/the manual|The manual/i);
  });

  it('can read if it is read-only, and gets an error that says why it cannot write', async () => {
    const { account, database } = await connectAsRole((role) => [
      `grant usage on schema parcel_monitor to ${role}`,
      `grant select on all tables in schema parcel_monitor to ${role}`,
    ]);
    await migrate(database);
    const store = createPostgresStore({ database, account });
    const known = await store.read();
    expect(known.parcels).toEqual([]);
    expect(store.readOnly).toMatch(/read access only/);
    const error = await failureOf(store.write(put(first), known, someThursday));
    expect(error).toMatchObject({ kind: 'read-only', message: store.readOnly });
    expect((await failureOf(findAccount(database, 'new', 'https://api.example.com/'))).kind).toBe('read-only');
  });

  it('does not have to own the tables if it may use them', async () => {
    const { account, database } = await connectAsRole((role) => [
      `grant usage on schema parcel_monitor to ${role}`,
      `grant select, insert, update, delete on all tables in schema parcel_monitor to ${role}`,
    ]);
    await migrate(database);
    const store = createPostgresStore({ database, account });
    await writeWithRetry(store, () => put(first));
    await writeWithRetry(store, () => remove(first.id));
    expect(await changesOf(store)).toEqual(['1 added', '2 removed']);
  });
});
