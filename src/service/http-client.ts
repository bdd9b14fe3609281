import { isIP, type Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import methods from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import DispatcherBase from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { ProxyFailure } from './address.ts';

/** `100 Continue`, `103 Early Hints` and others. We never request a 101. */
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const interimLength = 'HTTP/1.1 100'.length;
const headEnd = '\r\n\r\n';
/** The parser refuses longer interim responses. */
const maxHeldBytes = 16 * 1024;

/** Skips interim responses: undici closes the connection at a `100 Continue` and has no option for it. */
function passOverInterim<Connection extends Socket>(socket: Connection): Connection {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let isResponseNext = true;
  let held: Buffer | null = null;

  socket.write = (...given: unknown[]): boolean => {
    // A request is written before its response is read.
    isResponseNext = true;
    return write(...given);
  };
  socket.read = (size?: number): Buffer | null => {
    const piece = read(size);
    if (!isResponseNext || piece === null) return piece;
    held = withoutInterim(held === null ? piece : Buffer.concat([held, piece]));
    if (mayBeInterim(held)) return null;
    const rest = held;
    held = null;
    isResponseNext = false;
    return rest;
  };
  return socket;
}

const startOf = (bytes: Buffer): string => bytes.toString('latin1', 0, interimLength);

function withoutInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  while (interim.test(startOf(rest))) {
    const end = rest.indexOf(headEnd);
    if (end === -1) return rest;
    rest = rest.subarray(end + headEnd.length);
  }
  return rest;
}

/** Whether more bytes are needed to decide. */
function mayBeInterim(bytes: Buffer): boolean {
  if (bytes.length > maxHeldBytes) return false;
  const start = startOf(bytes);
  return interim.test(start + 'HTTP/1.1 100'.slice(start.length)) && !start.startsWith('HTTP/1.1 101');
}

export interface HttpClientOptions {
  /** Maximum time to connect and between two chunks of a response, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly proxy: URL | null;
}

// As in undici's entry module.
Object.assign(DispatcherBase.prototype, methods);

/** Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off. */
const strictTls = { rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;

/** The proxy only gets a tunnel and cannot see requests. */
export function openDispatcher({ timeoutMs, maxResponseBytes, proxy }: HttpClientOptions): Dispatcher {
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxResponseSize: maxResponseBytes };
  // We only speak HTTP/1.1 to the service.
  const connection = { ...strictTls, timeout: timeoutMs, allowH2: false };
  const pooled = { ...limits, connections: 2, allowH2: false };
  if (proxy === null) return new Agent({ ...pooled, connect: patiently(buildConnector(connection)) });
  return new ProxyAgent({
    ...pooled,
    uri: proxy.href,
    proxyTunnel: true,
    connectTimeout: timeoutMs,
    proxyTls: connection,
    requestTls: connection,
    factory: (origin, options) => new Pool(origin, throughTunnel(options)),
    clientFactory: (origin) => proxyConnections(origin, { ...limits, connect: toProxy(buildConnector(connection)) }),
  });
}

function patiently(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) =>
      result[0] === null ? callback(null, passOverInterim(result[1])) : callback(...result),
    );
}

function throughTunnel(options: Pool.Options): Pool.Options {
  const { connect } = options;
  return typeof connect === 'function' ? { ...options, connect: patiently(connect) } : options;
}

/** TLS does not accept an IP address as a server name, and Node would print a warning. */
function toProxy(connect: buildConnector.connector): buildConnector.connector {
  return ({ servername, ...options }, callback) =>
    connect(isIP(options.hostname) === 0 && servername !== undefined ? { ...options, servername } : options, callback);
}

/** Returns a dispatcher for connections to the proxy, whose failures are reported as the proxy's. */
function proxyConnections(origin: URL, options: Pool.Options): Pool {
  const pool = new Pool(origin, options);
  const open = (wanted: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> =>
    new Promise((resolve, reject) => {
      Pool.prototype.connect.call(pool, wanted, (cause, tunnel) => {
        if (cause === null) resolve(tunnel);
        else reject(new ProxyFailure(null, { cause }));
      });
    });
  const connect = async (wanted: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const tunnel = await open(wanted);
    if (tunnel.statusCode === 200) return tunnel;
    tunnel.socket.on('error', () => {
      // We close it ourselves.
    });
    tunnel.socket.destroy();
    throw new ProxyFailure(tunnel.statusCode);
  };
  return Object.assign(pool, { connect });
}
