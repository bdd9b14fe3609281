import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { KeyAndCertificate } from './scripted-server.ts';

/** What a proxy does with a CONNECT request. */
export type ProxyBehaviour =
  /** Connects every host name to this local port. */
  | { readonly kind: 'tunnel'; readonly port: number }
  /** Responds with this status. */
  | { readonly kind: 'refuse'; readonly status: number }
  /** Does not respond. */
  | { readonly kind: 'silence' }
  /** Disconnects. */
  | { readonly kind: 'reset' };

/** A real HTTP proxy on a loopback port, which records everything that it sees unencrypted. */
export interface ConnectProxy {
  /** Without a user name. */
  readonly url: URL;
  /** The targets of its tunnels, `name:port`. */
  readonly targets: readonly string[];
  /** Every byte that a client sent outside of TLS, as text, and every request line and header. */
  cleartext(): string;
  /** The number of open tunnels. */
  tunnels(): number;
  setBehaviour(behaviour: ProxyBehaviour): void;
  close(): Promise<void>;
}

/** Starts a proxy. With a certificate it uses TLS itself; with credentials (`user:password`) it requires them. */
export async function startConnectProxy(
  initial: ProxyBehaviour,
  options: { readonly tls?: KeyAndCertificate; readonly credentials?: string } = {},
): Promise<ConnectProxy> {
  let behaviour = initial;
  const targets: string[] = [];
  const sockets = new Set<Duplex>();
  let cleartext = '';
  let tunnels = 0;
  const { tls, credentials } = options;
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  const track = (socket: Duplex): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  server.on('connection', track);
  const record = ({ method, url, rawHeaders }: IncomingMessage): void => {
    cleartext += `${method} ${url}\n${rawHeaders.join('\n')}\n`;
  };
  const isAuthorised = ({ headers }: IncomingMessage): boolean =>
    credentials === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(credentials).toString('base64')}`;
  // An unencrypted request always fails, because we must not send any.
  server.on('request', (request: IncomingMessage, response) => {
    record(request);
    request.on('data', (piece: Buffer) => {
      cleartext += piece.toString('latin1');
    });
    response.writeHead(500).end();
  });
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    record(request);
    targets.push(request.url ?? '');
    client.on('error', () => client.destroy());
    const status = isAuthorised(request) ? (behaviour.kind === 'refuse' ? behaviour.status : null) : 407;
    if (status !== null) {
      client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    } else if (behaviour.kind === 'reset') {
      client.destroy();
    } else if (behaviour.kind === 'tunnel') {
      const upstream = connect({ host: '127.0.0.1', port: behaviour.port }, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.on('data', (piece: Buffer) => {
          cleartext += piece.toString('latin1');
        });
        upstream.write(head);
        upstream.pipe(client);
        client.pipe(upstream);
      });
      tunnels += 1;
      track(upstream);
      client.on('close', () => {
        tunnels -= 1;
        upstream.destroy();
      });
      upstream.on('close', () => client.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`),
    targets,
    cleartext: () => cleartext,
    tunnels: () => tunnels,
    setBehaviour: (next) => {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
