import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toDatabaseError } from '../../../src/store/postgres/server-errors.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { failureOf } from '../store-folder.ts';
import { makeTables, type OpenOptions, openDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeTables(database.address);
});

/** Returns the error from a statement that fails. */
async function errorFrom(
  statement: string,
  { address = database.address, ...options }: OpenOptions & { readonly address?: string } = {},
): Promise<{ readonly kind: string; readonly message: string; readonly code: unknown }> {
  const { cause, kind, message } = await failureOf(openDatabase(address, options).query(statement));
  return { kind, message, code: cause instanceof Error && 'code' in cause ? cause.code : null };
}

/** Creates a role that no other test uses, because a reused server keeps its roles. */
async function createRole(options: string): Promise<string> {
  const role = `role_${Math.random().toString(36).slice(2, 10)}`;
  await database.query(`create role ${role} ${options}`);
  onTestFinished(async () => void (await database.query(`drop role ${role}`)));
  return role;
}

describe('the message for a server error', () => {
  it.each([
    [
      'a user that does not exist',
      async () => ({ user: 'nobody_at_all' }),
      'select 1',
      '28000',
      'the user does not exist',
    ],
    [
      'a user who may not log in',
      async () => ({ user: await createRole('nologin') }),
      'select 1',
      '28000',
      'may not log in',
    ],
    [
      'more connections than the user may have',
      async () => ({ user: await createRole('login connection limit 0') }),
      'select 1',
      '53300',
      'not accepting any more connections',
    ],
    [
      'a database that does not exist',
      async () => ({ address: database.address.replace(/[^/]+$/, 'none') }),
      'select 1',
      '3D000',
      'createdb',
    ],
    [
      'a missing privilege',
      async () => ({ user: await createRole('login') }),
      'select 1 from parcel_monitor.parcel',
      '42501',
      'For the SQL that',
    ],
    [
      'a connection that an administrator terminated',
      async () => ({}),
      'select pg_terminate_backend(pg_backend_pid())',
      '57P01',
      'closed the connection',
    ],
  ])('gives advice about %s', async (_, options, statement, code, sentence) => {
    expect(await errorFrom(statement, await options())).toMatchObject({
      code,
      message: expect.stringContaining(sentence),
    });
  });

  it('gives advice about a database that does not allow connections', async () => {
    const closed = await createTestDatabase();
    await database.query(`alter database "${closed.name}" allow_connections false`);
    onTestFinished(async () => void (await database.query(`alter database "${closed.name}" allow_connections true`)));
    expect(await errorFrom('select 1', { address: closed.address })).toMatchObject({
      code: '55000',
      message: expect.stringContaining('does not allow connections'),
    });
  });

  // Tests cannot cause these errors, because they affect the whole server.
  it.each([
    ['53100', 'disk-full', 'Free some space'],
    ['53200', 'failed', 'out of memory'],
    ['53300', 'cut-off', 'max_connections'],
    ['53400', 'failed', 'temp_file_limit'],
    ['53000', 'failed', 'ran out of a resource'],
    ['57P02', 'cut-off', 'a server process crashed'],
    ['57P03', 'cut-off', 'starting, recovering or shutting down'],
    ['57P04', 'cut-off', 'the database was dropped'],
    ['57P05', 'cut-off', 'idle_session_timeout'],
    ['28P01', 'no-permission', 'password'],
    ['22003', 'failed', 'a number that is too large'],
    ['22P02', 'failed', 'a value that is not valid for its column'],
  ])('gives advice about code %s', (code, kind, sentence) => {
    const error = Object.assign(new Error('server error'), { code, severity: 'FATAL' });
    expect(toDatabaseError(error, 'postgres://ann@nas/parcels')).toMatchObject({
      kind,
      message: expect.stringContaining(sentence),
    });
  });
});
