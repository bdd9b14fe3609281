import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { grantStatements } from '../../../src/commands/store/grants.ts';
import { UsageError } from '../../../src/settings/errors.ts';
import { createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';

describe('the statements for roles', () => {
  let database: TestDatabase;
  const mark = Math.random().toString(36).slice(2, 8);
  const names = { owner: `Owner "${mark}"`, user: `user_${mark}`, reader: `reader-${mark}` };
  const as = (role: string): string => {
    const url = new URL(database.address);
    url.username = encodeURIComponent(role);
    return url.href;
  };
  const query = async (role: string, statement: string): Promise<unknown> => {
    const client = new Client(as(role));
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    const [roles = '', , rights = ''] = grantStatements({ ...names, database: database.name }).split(/^(?=-- [23]\.)/m);
    const client = new Client(database.address);
    await client.connect();
    await client.query(roles);
    const owner = await createCliUser({ environment: { PARCEL_MONITOR_STORE: as(names.owner) } });
    expect(await owner.run(['store'])).toMatchObject({ exitCode: 0 });
    await owner.remove();
    await client.query(rights);
    // Whoever runs them again, or has the roles already, is not stopped.
    await client.query(roles);
    await client.query(rights);
    await client.end();
  });

  it('let a user work, and not touch what is the owner’s', async () => {
    const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: as(names.user) } });
    expect(await user.run(['add', 'RB100000005CN'])).toMatchObject({ exitCode: 0 });
    expect((await user.run(['doctor', '--offline', '--verbose'])).stdout).toContain('for their owner to make');
    await user.remove();
    await expect(query(names.user, 'delete from parcel_monitor.migration')).rejects.toThrow('permission denied');
    await expect(query(names.user, "update parcel_monitor.installation set salt = ''")).rejects.toThrow(
      'permission denied',
    );
    await expect(query(names.user, 'drop table parcel_monitor.parcel')).rejects.toThrow('must be owner');
    await expect(query(names.user, 'create table parcel_monitor.other ()')).rejects.toThrow('permission denied');
  });

  it('let a reader read, and nothing else: commands that write say why', async () => {
    const reader = await createCliUser({ environment: { PARCEL_MONITOR_STORE: as(names.reader) } });
    expect((await reader.run(['list'])).stdout).toContain('RB100000005CN');
    expect(await reader.run(['edit', 'RB100000005CN', '--label', 'Mine'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('right to read only'),
    });
    expect((await reader.run(['store'])).stdout).toContain('right to read only');
    await reader.remove();
    await expect(query(names.reader, 'delete from parcel_monitor.parcel')).rejects.toThrow('permission denied');
  });

  it('keep from a reader what is kept of keys: the watchlist is found by its name or as the only one', async () => {
    const own = await createTestDatabase();
    const roles = { owner: `o${mark}`, user: `u${mark}`, reader: `r${mark}` };
    const statements = grantStatements({ ...roles, database: own.name });
    const addressOf = (role: string): string => Object.assign(new URL(own.address), { username: role }).href;
    const run = async (role: string, words: readonly string[], environment: Readonly<Record<string, string>>) => {
      const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: addressOf(role), ...environment } });
      try {
        return await user.run(words);
      } finally {
        await user.remove();
      }
    };
    const ask = async (role: string, statement: string): Promise<unknown> => {
      const client = new Client(addressOf(role));
      await client.connect();
      try {
        return (await client.query(statement)).rows;
      } finally {
        await client.end();
      }
    };
    const key = { PARCEL_MONITOR_API_KEY: 'one-key', PARCEL_MONITOR_BASE_URL: 'https://service.example/' };
    // What another role has made is not run by whoever administers the server.
    await own.query(
      `create function public.format(text, text) returns text language plpgsql as $$ begin raise 'ran'; end $$`,
    );
    await own.query(statements);
    expect(await run(roles.owner, ['store'], key)).toMatchObject({ exitCode: 0 });
    for (const again of [false, true]) {
      if (again) {
        // As an older version has given it.
        await own.query(`grant select on all tables in schema parcel_monitor to ${roles.reader}`);
        await own.query(statements);
      }
      for (const secret of [
        'select salt from parcel_monitor.installation',
        'select key_marks from parcel_monitor.account',
      ])
        await expect(ask(roles.reader, secret)).rejects.toThrow('permission denied');
      expect(await ask(roles.user, 'select key_marks from parcel_monitor.account')).not.toEqual([]);
      for (const words of [['list'], ['store'], ['changes'], ['status']])
        expect(await run(roles.reader, words, key)).toMatchObject({ exitCode: 0 });
      expect((await run(roles.reader, ['doctor', '--offline', '--verbose'], key)).stdout).toMatch(
        /^ok {4}damaged rows +none$/m,
      );
    }
    await own.query(`insert into parcel_monitor.account (name, service) values ('shop', 'https://service.example/')`);
    const several = await run(roles.reader, ['list'], key);
    expect(several).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/Name yours with storeAccount\.$/m) });
    expect(await run(roles.reader, ['list'], { ...key, PARCEL_MONITOR_STORE_ACCOUNT: 'shop' })).toMatchObject({
      exitCode: 0,
    });
    expect(await run(roles.user, ['list'], key)).toMatchObject({ exitCode: 0 });
    // Without the salt a short key could be guessed from what is kept of it.
    const marks = 'select key_marks from parcel_monitor.account order by id';
    const kept = await own.query(marks);
    await own.query(`revoke select on parcel_monitor.installation from ${roles.user}`);
    const other = { ...key, PARCEL_MONITOR_API_KEY: 'another-key', PARCEL_MONITOR_STORE_ACCOUNT: 'shop' };
    expect(await run(roles.user, ['refresh'], other)).toMatchObject({ exitCode: 1 });
    expect(await own.query(marks)).toEqual(kept);
  });

  it('can be run in one go, before there are tables as after', async () => {
    const other = await createTestDatabase();
    const roles = { owner: `owner ${mark}`, user: `user ${mark}`, reader: `reader ${mark}` };
    const addressOf = (role: string): string =>
      Object.assign(new URL(other.address), { username: encodeURIComponent(role) }).href;
    const run = async (role: string, ...words: readonly string[]) => {
      const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: addressOf(role) } });
      try {
        return await user.run(words);
      } finally {
        await user.remove();
      }
    };
    const mayWrite = async (role: string): Promise<unknown> =>
      await other.query(
        `select table_name from information_schema.tables
         where table_schema = 'parcel_monitor'
           and has_table_privilege($1, quote_ident(table_schema) || '.' || table_name, 'insert, update, delete')
         order by table_name`,
        [role],
      );
    const worked = ['account', 'change', 'client', 'document', 'history', 'lease', 'parcel', 'removed'];
    const client = new Client(other.address);
    await client.connect();
    const statements = grantStatements({ ...roles, database: other.name });
    await client.query(statements);
    expect(await run(roles.owner, 'store')).toMatchObject({ exitCode: 0 });
    expect(await run(roles.user, 'add', 'RB100000005CN')).toMatchObject({ exitCode: 0 });
    for (const again of [false, true]) {
      if (again) await client.query(statements);
      expect(await mayWrite(roles.user)).toEqual(worked.map((name) => ({ table_name: name })));
      expect(await mayWrite(roles.reader)).toEqual([]);
      expect((await run(roles.reader, 'list')).stdout).toContain('RB100000005CN');
    }
    await client.end();
  });

  it('stop where another role has made the schema beforehand, and so does the owner: nothing of that role is run', async () => {
    const other = await createTestDatabase();
    const roles = { owner: `so${mark}`, user: `su${mark}`, reader: `sr${mark}` };
    const client = new Client(other.address);
    await client.connect();
    const statements = grantStatements({ ...roles, database: other.name });
    await client.query(statements);
    await client.query(`
      create role stranger_${mark};
      grant create on database "${other.name}" to stranger_${mark};
      drop schema parcel_monitor;
      set role stranger_${mark};
      create schema parcel_monitor;
      grant all on schema parcel_monitor to public;
      create table parcel_monitor.migration (version int primary key, applied_at timestamptz);
      grant all on parcel_monitor.migration to public;
      create function parcel_monitor.run() returns trigger language plpgsql as $$ begin raise exception 'run'; end $$;
      create trigger run before insert on parcel_monitor.migration for each row execute function parcel_monitor.run();
      reset role`);
    await expect(client.query(statements)).rejects.toThrow(`belongs to the role stranger_${mark}`);
    await client.query('rollback');
    await client.end();
    const address = new URL(other.address);
    address.username = roles.owner;
    const owner = await createCliUser({ environment: { PARCEL_MONITOR_STORE: address.href } });
    const made = await owner.run(['store']);
    await owner.remove();
    expect(made.exitCode).not.toBe(0);
    expect(made.stderr).toContain(`belongs to the role stranger_${mark}, who could have statements of others run.`);
  });

  it('have later tables come along', async () => {
    await query(names.owner, 'create table parcel_monitor.later (one int)');
    await query(names.user, 'insert into parcel_monitor.later values (1)');
    expect(await query(names.reader, 'select one from parcel_monitor.later')).toEqual([{ one: 1 }]);
  });

  it('are for three different roles, whose names can be names', () => {
    const usual = { owner: 'a', user: 'b', reader: 'c', database: 'd' };
    expect(() => grantStatements({ ...usual, user: 'a' })).toThrow(UsageError);
    expect(() => grantStatements({ ...usual, user: '' })).toThrow(UsageError);
    expect(() => grantStatements({ ...usual, user: 'x'.repeat(64) })).toThrow(UsageError);
    expect(() => grantStatements({ ...usual, user: 'x\ny' })).toThrow(UsageError);
    expect(grantStatements({ ...usual, user: 'Robert"; drop' })).toContain(`'Robert"; drop'`);
    expect(grantStatements({ ...usual, user: "O'Neil" })).toContain(`array['a', 'O''Neil', 'c']`);
    expect(grantStatements({ ...usual, user: '$roles$' })).toContain('do $roles1$');
  });
});
