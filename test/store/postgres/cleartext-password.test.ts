import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ListenOptions, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../../../src/store/postgres/database.ts';
import type { ServerAddress } from '../../../src/store/postgres/server-facts.ts';
import { realClock } from '../../support/real-clock.ts';
import { createTestFolder } from '../../support/test-folder.ts';
import { failureOf } from '../store-folder.ts';

const pemOf = (kind: 'cert' | 'key'): string =>
  readFileSync(
    fileURLToPath(new URL(`../../fixtures/self-signed-for-tests-only.${kind}.pem`, import.meta.url)),
    'utf8',
  );

/** Server messages that ask for a password. */
const cleartext = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const md5 = Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]);

/** A fake server that asks for passwords and does nothing else. */
interface PasswordServer {
  readonly port: number;
  /** Everything that the server received. */
  received(): string;
}

/** Starts a {@link PasswordServer} that sends these requests, one after the other. */
async function startPasswordServer(where: ListenOptions, requests: readonly Buffer[]): Promise<PasswordServer> {
  const received: Buffer[] = [];
  const ask = (socket: Socket): void => {
    const waiting = [...requests];
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received.push(chunk);
      const next = waiting.shift();
      if (next === undefined) socket.destroy();
      else socket.write(next);
    });
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      // A TLS request is eight bytes long.
      if (chunk.length === 8) {
        socket.write('S');
        ask(new TLSSocket(socket, { isServer: true, cert: pemOf('cert'), key: pemOf('key') }));
        return;
      }
      ask(socket);
      socket.unshift(chunk);
    });
  }).listen(where);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received: () => Buffer.concat(received).toString('latin1'),
  };
}

const loopback = { port: 0, host: '127.0.0.1' };
const password = 'swordfish in the clear';
async function openingError(address: Pick<ServerAddress, 'host' | 'port' | 'tls'>) {
  const database = createDatabase({
    address: {
      ...address,
      place: 'postgres://ann@localhost/parcels',
      database: 'parcels',
      user: 'ann',
      password: async () => password,
    },
    clock: realClock,
    random: Math.random,
    applicationName: 'parcel-monitor test',
  });
  onTestFinished(() => database.close());
  const { kind, message } = await failureOf(database.open());
  return { kind, message };
}

it.each([
  ['immediately', [cleartext]],
  ['after an MD5 request that got a reply', [md5, cleartext]],
])('does not send a password to a local port that asks for it in cleartext %s', async (_, requests) => {
  const { received, port } = await startPasswordServer(loopback, requests);
  expect(await openingError({ host: '127.0.0.1', port, tls: null })).toEqual({
    kind: 'no-permission',
    message: expect.stringMatching(/in cleartext .* was not sent\. .*scram-sha-256.*socket.*TLS/),
  });
  expect(received()).toContain('parcels');
  expect(received()).not.toContain(password);
});

it('sends a password in cleartext through a local socket or over an encrypted connection', async () => {
  const folder = await createTestFolder();
  const bySocket = await startPasswordServer({ path: join(folder, '.s.PGSQL.5432') }, [cleartext]);
  await openingError({ host: folder, port: 5432, tls: null });
  expect(bySocket.received()).toContain(password);

  const encrypted = await startPasswordServer(loopback, [cleartext]);
  const tls = { rejectUnauthorized: true, ca: pemOf('cert') };
  await openingError({ host: 'localhost', port: encrypted.port, tls });
  expect(encrypted.received()).toContain(password);
});
