/**
 * Creates databases for the test files of one run. Vitest starts it once, before the workers. The server itself starts
 * when the first test needs a database, so that a run without such tests does not wait for it.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port of the broker. The reply to a line with the name of a template (possibly empty) is an address. */
    postgresBroker: number;
  }
}

interface Administration {
  /** Addresses of the databases with the given names. */
  address(database: string): string;
  readonly client: Client;
  /** The fastest way to copy a database. Empty before PostgreSQL 15, which has only one way. */
  readonly strategy: 'strategy wal_log' | '';
  readonly server: PostgresServer | null;
}

/** Starts the broker. Vitest calls the returned function when all tests have ended. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let administration: Promise<Administration> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const created: string[] = [];
  const create = async (template: string): Promise<string> => {
    administration ??= connectAsAdministrator();
    const { address, client, strategy } = await administration;
    const name = `test_${process.pid}_${created.length + 1}`;
    created.push(name);
    const from = template === '' ? 'template0' : `"${template.replaceAll('"', '""')}"`;
    await client.query(`create database "${name}" template ${from} ${strategy}`);
    return address(name);
  };
  const handle = async (socket: Socket): Promise<void> => {
    const template = (await text(socket)).trim();
    // One at a time, because a template cannot be copied twice at the same time.
    const creation = last.then(() => create(template));
    last = creation.catch(() => {});
    socket.end(
      await creation.then(
        (address) => JSON.stringify({ address }),
        (error: unknown) => JSON.stringify({ error: String(error) }),
      ),
    );
  };
  const broker = createServer({ allowHalfOpen: true }, (socket) => {
    handle(socket).catch((error: unknown) => socket.destroy(error instanceof Error ? error : new Error(String(error))));
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const listening = broker.address();
  if (listening === null || typeof listening === 'string') throw new Error('the broker has no port');
  project.provide('postgresBroker', listening.port);
  return async () => {
    broker.close();
    if (administration === null) return;
    const { client, server } = await administration;
    if (server === null) {
      for (const name of created) await client.query(`drop database if exists "${name}" with (force)`);
    }
    await client.end();
    await server?.stop();
  };
}

async function connectAsAdministrator(): Promise<Administration> {
  const named = process.env['PARCEL_MONITOR_TEST_POSTGRES'] ?? '';
  const server = named === '' ? await startPostgresServer() : null;
  const client = new Client(server?.address() ?? named);
  // If the connection is lost, the next query fails.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  const strategy = (rows[0]?.version ?? 0) < 150_000 ? '' : 'strategy wal_log';
  const address = (database: string): string => {
    if (server !== null) return server.address(database);
    const url = new URL(named);
    url.pathname = `/${database}`;
    return url.href;
  };
  return { address, client, server, strategy };
}
