import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { KeyAndCertificate } from '../scripted-server.ts';

/** A proxy that adds TLS to a PostgreSQL server. */
export interface TlsFront {
  readonly port: number;
  close(): Promise<void>;
}

/** A client's TLS request: a length of 8 and a code. */
const tlsRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Starts a TLS proxy with this certificate in front of the server at an address `postgres://…`. */
export async function startTlsFront(address: string, { cert, key }: KeyAndCertificate): Promise<TlsFront> {
  const { hostname, port } = new URL(address);
  const sockets = new Set<Socket>();
  const serve = async (client: Socket): Promise<void> => {
    sockets.add(client);
    client.on('error', () => {});
    const [first] = (await once(client, 'data')) as [Buffer];
    if (!first.equals(tlsRequest)) {
      client.destroy();
      return;
    }
    client.write('S');
    const encrypted = new TLSSocket(client, { isServer: true, cert, key });
    const server = connect({ host: hostname, port: Number(port) });
    sockets.add(server);
    for (const [from, to] of [
      [encrypted, server],
      [server, encrypted],
    ] as const) {
      // A client that does not trust the certificate disconnects. If one side ends, so does the other.
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  };
  const listening = createServer((client) => void serve(client).catch(() => client.destroy())).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const bound = listening.address();
  if (bound === null || typeof bound === 'string') throw new Error('the proxy has no port');
  return {
    port: bound.port,
    async close() {
      const closed = once(listening, 'close');
      listening.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
