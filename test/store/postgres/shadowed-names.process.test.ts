import { Client } from 'pg';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { findAccount } from '../../../src/store/postgres/database.ts';
import { createPostgresStore, prune } from '../../../src/store/postgres/postgres-store.ts';
import { createDatabaseState } from '../../../src/store/postgres/shared-state.ts';
import { createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { startTransactionPooler } from '../../support/postgres/transaction-pooler.ts';
import { realClock } from '../../support/real-clock.ts';
import { openDatabase } from './test-database.ts';

/** The server's operators and functions that the program's statements may use. */
const operators = ['*', '/', '+', '-', '=', '<>', '<', '>', '<=', '>=', '||', '~~'];
const functions =
  `array_append clock_timestamp count current_database current_setting extract date_part has_database_privilege
  has_schema_privilege has_table_privilege max now pg_advisory_xact_lock pg_backend_pid pg_has_role pg_is_in_recovery pg_notify
  pg_total_relation_size quote_ident set_config sum to_regclass to_regproc to_timestamp unnest version`.split(/\s+/);
const types = ['int2', 'int4', 'int8', 'numeric', 'float8', 'text', 'name', 'oid', 'timestamptz', 'interval', 'json'];

/**
 * Acting as a different role, creates functions and operators with these names for all types, so that they are found
 * before the server's.
 */
async function shadow({ address, name }: TestDatabase): Promise<void> {
  const role = `mallory_${name}`;
  const sqlArray = (values: readonly string[]): string => `array[${values.map((value) => `'${value}'`).join(', ')}]`;
  const body = `$body$ begin perform pg_catalog.nextval('public.ran'); raise exception 'mallory ran'; end $body$`;
  const client = new Client(address);
  await client.connect();
  await client.query(`
    create role ${role};
    grant create on schema public to public;
    set role ${role};
    create sequence public.ran;
    grant all on sequence public.ran to public;
    do $do$
    declare one record; made int := 0;
    begin
      for one in
        select proname as name, pg_get_function_arguments(oid) as arguments, pg_get_function_result(oid) as result
        from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname = any(${sqlArray(functions)})
      loop
        begin
          execute format($f$create function public.%I(%s) returns %s language plpgsql as ${body}$f$, one.name, one.arguments, one.result);
        exception when others then null; -- Only functions in C can take arguments of any type.
        end;
      end loop;
      for one in
        select distinct operator, coalesce(result, case when operator in ('*', '/', '+', '-', '||') then l else 'bool' end) as result, l, r
        from unnest(${sqlArray(operators)}) as operator
        cross join unnest(${sqlArray(types)}) as l cross join unnest(${sqlArray(types)}) as r
        left join lateral (
          select o.oprresult::regtype::text as result from pg_operator o where o.oprname = operator
            and o.oprleft = l::regtype and o.oprright = r::regtype) as known on true
      loop
        made := made + 1;
        execute format($f$create function public.shadow_%s(%s, %s) returns %s language plpgsql as ${body}$f$, made, one.l, one.r, one.result);
        execute format('create operator public.%s (leftarg = %s, rightarg = %s, function = public.shadow_%s)', one.operator, one.l, one.r, made);
      end loop;
    end $do$;
    reset role;
    alter database "${name}" set search_path = public, pg_catalog`);
  await client.end();
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await shadow(database);
});

const hasRun = async (): Promise<boolean> => {
  const [row] = await database.query<{ is_called: boolean }>('select is_called from public.ran');
  return row?.is_called === true;
};

/** Runs every part of the program that queries a database. */
async function useEverything(address: string): Promise<void> {
  const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: address } });
  onTestFinished(() => user.remove());
  const run = async (...words: readonly string[]) => {
    const { exitCode, stderr, stdout } = await user.run(words);
    expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return stdout;
  };
  await run('store');
  await run('add', 'RB100000005CN', 'LX123456789CN', '1Z999AA10123456784');
  await run('edit', 'RB100000005CN', '--label', 'Mine');
  await run('remove', 'LX123456789CN');
  await run('restore', '--parcel', 'LX123456789CN');
  await run('remove', '1Z999AA10123456784');
  expect(await run('list')).toContain('Mine');
  expect(await run('changes')).not.toBe('');
  await run('store', 'copy', 'file', '--dry-run');
  expect((await user.run(['doctor', '--offline', '--verbose'])).stdout).toMatch(/^ok {4}account/m);

  const opened = openDatabase(address, { timings: { newsMs: 20, heartbeatMs: 40 } });
  const account = await findAccount(opened, null, '');
  const context = { database: opened, accountId: account.id, clock: realClock };
  const notified = Promise.withResolvers<void>();
  onTestFinished(opened.onNews(() => notified.resolve()));
  await notified.promise;
  const state = createDatabaseState({
    ...context,
    holder: 'one',
    host: 'nas',
    kind: 'board',
    version: '1.0.0',
    processes: null,
  });
  expect(await state.lease.hold()).toBe(true);
  expect(await state.presence.heartbeat()).toMatchObject({ boards: 1 });
  for (const paused of [true, false]) await state.memory.update((known) => ({ ...known, paused }));
  await state.meter.add(() => ({ calls: 1, queries: 1, numbers: 1, registrations: 0 }), state.lease.fence());
  const store = createPostgresStore({ database: opened, account });
  const { parcels, ...known } = await store.read();
  expect((await store.newer({ ...known, parcels, revision: known.revision - 1 }))?.parcels).toEqual(parcels);
  expect((await store.read(parcels.map(({ trackNo }) => trackNo))).parcels.length).toBe(parcels.length);
  await store.updateHistory('one', (history) => ({ ...history, checkpoints: [...history.checkpoints] }));
  await store.changeLogAfter(0);
  await opened.query("update parcel_monitor.account set pruned_at = clock_timestamp() - interval '2 days'");
  await prune(opened, account);
  await opened.query(`update parcel_monitor.document set body = '7' where name = 'polling'`);
  await state.presence.leave();
  await state.lease.release();
}

it("never runs a different role's functions and operators instead of the server's", async () => {
  await expect(database.query('select 1 = 1')).rejects.toThrow('mallory ran');
  await database.query('alter sequence public.ran restart');
  await useEverything(database.address);
  expect(await hasRun()).toBe(false);
});

it("never runs a different role's functions behind a pooler either, where session settings have no effect", async () => {
  const pooler = await startTransactionPooler(database.address);
  onTestFinished(() => pooler.close());
  await useEverything(pooler.through(database.address));
  expect(await hasRun()).toBe(false);
});
