/** Databases for tests, on the one server of a test run. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client, type QueryResultRow } from 'pg';
import { inject } from 'vitest';

/** An empty database for one test only. */
export interface TestDatabase {
  /** `postgres://…`, for its administrator. */
  readonly address: string;
  /** Its name on the server, for `createTestDatabase({ template })`. */
  readonly name: string;
  /** Runs one statement on a separate connection. */
  query<Row extends QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/**
 * Creates a database: an empty one, or a copy of one that has no connections. It is removed after the test run. For a
 * database that all tests of a file share, call this in `beforeAll`.
 */
export async function createTestDatabase(options: { readonly template?: string } = {}): Promise<TestDatabase> {
  const socket = connect({ port: inject('postgresBroker'), host: '127.0.0.1', allowHalfOpen: true });
  socket.end(options.template ?? '');
  const reply: { address?: string; error?: string } = JSON.parse(await text(socket));
  const { address } = reply;
  if (address === undefined) throw new Error(reply.error ?? 'the database broker did not reply');
  return {
    address,
    name: new URL(address).pathname.slice(1),
    async query<Row extends QueryResultRow>(statement: string, values: readonly unknown[] = []) {
      const client = new Client(address);
      await client.connect();
      try {
        return (await client.query<Row>(statement, [...values])).rows;
      } finally {
        await client.end();
      }
    },
  };
}
