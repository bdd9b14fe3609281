/** A proxy in front of a PostgreSQL server that uses a different connection for each transaction, as poolers do. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createMessageReader } from './wire-messages.ts';

/** A pooler that listens on loopback. */
export interface TransactionPooler {
  /** An address of the server, changed to point to this pooler. */
  through(address: string): string;
  close(): Promise<void>;
}

/** A connection to the server. Its messages, mainly notifications, are lost while no client uses it. */
interface ServerSide {
  readonly socket: Socket;
  client: Socket | null;
}

/** Number of connections to the server. With more than one, a client's session state is soon on a different one. */
const poolSize = 3;
const message = (letter: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(letter, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const authenticated = message('R', Buffer.alloc(4));
/** The status of a `ReadyForQuery` outside of a transaction. */
const idle = 'I'.charCodeAt(0);

/**
 * Starts a pooler in front of the server at an address `postgres://…`, which must accept its user without a password.
 * Transactions use the server's connections in turn. A client's session settings are lost; a real pooler preserves the
 * few settings that servers report.
 */
export async function startTransactionPooler(address: string): Promise<TransactionPooler> {
  const { hostname, pathname, port, username } = new URL(address);
  const sockets = new Set<Socket>();
  const free: ServerSide[] = [];
  const waiting: ((side: ServerSide) => void)[] = [];
  /** The settings that a server reports for a new connection. */
  let settings: Buffer = Buffer.alloc(0);
  let processes = 0;

  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const release = (side: ServerSide): void => {
    side.client = null;
    const next = waiting.shift();
    if (next === undefined) free.push(side);
    else next(side);
  };
  const take = async (): Promise<ServerSide> =>
    free.shift() ?? (await new Promise<ServerSide>((resolve) => waiting.push(resolve)));

  const openSide = async (): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port === '' ? 5432 : port) });
    track(socket);
    const side: ServerSide = { socket, client: null };
    const first = Promise.withResolvers<void>();
    const read = createMessageReader('server');
    const greeting: Buffer[] = [];
    let isOpen = false;
    socket.on('data', (chunk) => {
      for (const { bytes, isReady } of read(chunk)) {
        if (isOpen) side.client?.write(bytes);
        else if (bytes[0] === 'S'.charCodeAt(0)) greeting.push(Buffer.from(bytes));
        if (!isReady) continue;
        if (!isOpen) {
          isOpen = true;
          settings = Buffer.concat(greeting);
          first.resolve();
        }
        if (bytes[5] === idle) release(side);
      }
    });
    socket.on('close', () => {
      first.reject(new Error('The server rejected the connection of the pooler.'));
      side.client?.destroy();
    });
    const pairs = { user: decodeURIComponent(username), database: decodeURIComponent(pathname.slice(1)) };
    const text = `${Object.entries(pairs)
      .map(([name, value]) => `${name}\0${value}\0`)
      .join('')}\0`;
    // Protocol 3.0, whose first message has no letter.
    const version = Buffer.from([0, 3, 0, 0]);
    socket.write(message(' ', Buffer.concat([version, Buffer.from(text)])).subarray(1));
    await first.promise;
  };

  const serve = (client: Socket): void => {
    track(client);
    const read = createMessageReader('client');
    let isFirst = true;
    let side: ServerSide | null = null;
    let last: Promise<void> = Promise.resolve();
    const greet = (bytes: Buffer): void => {
      // A request for TLS is refused, and followed by the real first message.
      if (bytes.length === 8) {
        client.write('N');
        return;
      }
      isFirst = false;
      processes += 1;
      const key = Buffer.alloc(8);
      key.writeInt32BE(-processes);
      client.write(Buffer.concat([authenticated, settings, message('K', key), message('Z', Buffer.from('I'))]));
    };
    const pass = async (bytes: Buffer): Promise<void> => {
      if (client.destroyed) return;
      if (side?.client !== client) {
        side = await take();
        side.client = client;
      }
      side.socket.write(bytes);
    };
    client.on('data', (chunk) => {
      for (const { bytes } of read(chunk)) {
        if (isFirst) greet(bytes);
        else if (bytes[0] === 'X'.charCodeAt(0)) client.end();
        else last = last.then(() => pass(bytes));
      }
    });
    // If a client disconnects during a transaction, its server connection is useless.
    client.on('close', () => {
      if (side?.client !== client) return;
      side.client = null;
      side.socket.destroy();
      void openSide().then(
        () => undefined,
        () => undefined,
      );
    });
  };

  for (let count = 0; count < poolSize; count += 1) await openSide();
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the pooler has no port');
  return {
    through(serverAddress) {
      const url = new URL(serverAddress);
      url.hostname = '127.0.0.1';
      url.port = String(bound.port);
      return url.href;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
