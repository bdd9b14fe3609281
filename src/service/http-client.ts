import { isIP, type Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import methods from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import DispatcherBase from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { ProxyFailure } from './connection.ts';

/** `100 Continue`, `103 Early Hints` and so on, but not `101 Switching Protocols`, which we never request. */
const interimStatusLine = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const interimLength = 'HTTP/1.1 100'.length;
const headerEnd = '\r\n\r\n';
/** The parser rejects longer interim responses anyway. */
const maxPendingBytes = 16 * 1024;

/** Skips interim responses: undici closes the connection on `100 Continue`, and there is no option to change that. */
function skipInterimResponses<Connection extends Socket>(socket: Connection): Connection {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isResponseNext = true;
  let pending: Buffer | null = null;

  socket.write = (...args: unknown[]): boolean => {
    // We have written a request, so a response comes next.
    isResponseNext = true;
    return write(...args);
  };
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (!isResponseNext || chunk === null) return chunk;
    pending = withoutInterim(pending === null ? chunk : Buffer.concat([pending, chunk]));
    if (mayBeInterim(pending)) return null;
    const response = pending;
    pending = null;
    isResponseNext = false;
    return response;
  };
  return socket;
}

const startOf = (bytes: Buffer): string => bytes.toString('latin1', 0, interimLength);

function withoutInterim(bytes: Buffer): Buffer {
  let remaining = bytes;
  while (interimStatusLine.test(startOf(remaining))) {
    const end = remaining.indexOf(headerEnd);
    if (end === -1) return remaining;
    remaining = remaining.subarray(end + headerEnd.length);
  }
  return remaining;
}

/** Whether this could be the start of an interim response, so that more bytes are needed. */
function mayBeInterim(bytes: Buffer): boolean {
  if (bytes.length > maxPendingBytes) return false;
  const start = startOf(bytes);
  return interimStatusLine.test(start + 'HTTP/1.1 100'.slice(start.length)) && !start.startsWith('HTTP/1.1 101');
}

export interface HttpClientOptions {
  /** Timeout for connecting, for the response headers, and between two chunks of the body, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly proxy: URL | null;
}

// undici's main entry, which we do not load, does the same.
Object.assign(DispatcherBase.prototype, methods);

/** Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn the check off. */
const strictTls = { rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;

/** Requests are tunnelled, so the proxy never sees them. */
export function openDispatcher({ timeoutMs, maxResponseBytes, proxy }: HttpClientOptions): Dispatcher {
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxResponseSize: maxResponseBytes };
  // Skipping interim responses works only for HTTP/1.1.
  const connection = { ...strictTls, timeout: timeoutMs, allowH2: false };
  const poolOptions = { ...limits, connections: 2, allowH2: false };
  if (proxy === null) return new Agent({ ...poolOptions, connect: skippingInterim(buildConnector(connection)) });
  return new ProxyAgent({
    ...poolOptions,
    uri: proxy.href,
    proxyTunnel: true,
    connectTimeout: timeoutMs,
    proxyTls: connection,
    requestTls: connection,
    factory: (origin, options) => new Pool(origin, throughTunnel(options)),
    clientFactory: (origin) =>
      createProxyPool(origin, { ...limits, connect: withoutIpServerName(buildConnector(connection)) }),
  });
}

function skippingInterim(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) =>
      result[0] === null ? callback(null, skipInterimResponses(result[1])) : callback(...result),
    );
}

function throughTunnel(options: Pool.Options): Pool.Options {
  const { connect } = options;
  return typeof connect === 'function' ? { ...options, connect: skippingInterim(connect) } : options;
}

/** Drops a server name that is an IP address: TLS does not allow it, and Node would print a warning. */
function withoutIpServerName(connect: buildConnector.connector): buildConnector.connector {
  return ({ servername, ...options }, callback) =>
    connect(isIP(options.hostname) === 0 && servername !== undefined ? { ...options, servername } : options, callback);
}

/** Returns the pool of connections to the proxy. It fails with a {@link ProxyFailure}. */
function createProxyPool(origin: URL, options: Pool.Options): Pool {
  const pool = new Pool(origin, options);
  const openTunnel = (target: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> =>
    new Promise((resolve, reject) => {
      Pool.prototype.connect.call(pool, target, (cause, tunnel) => {
        if (cause === null) resolve(tunnel);
        else reject(new ProxyFailure(null, { cause }));
      });
    });
  const connect = async (target: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const tunnel = await openTunnel(target);
    if (tunnel.statusCode === 200) return tunnel;
    tunnel.socket.on('error', () => {
      // Expected: we destroy the socket ourselves.
    });
    tunnel.socket.destroy();
    throw new ProxyFailure(tunnel.statusCode);
  };
  return Object.assign(pool, { connect });
}
