import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock, EpochMs } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { TrackingRecord } from '../../service/record.ts';
import { assumedServiceClock, type ServiceClock } from '../../service/service-clock.ts';
import { createReplayGuard, defaultWebhookMaxAgeMs, readWebhook, type SignatureMethod } from '../../service/webhook.ts';
import type { Monitor } from '../monitor.ts';
import {
  ConnectionLimiter,
  createPathCheck,
  formatHostPort,
  type ListenAddress,
  toWebhookListenError,
} from './callers.ts';

const mebibyte = 1024 * 1024;

/** Each callback has a single parcel, but the service may send updates for all of an account's parcels at once. */
const defaultWebhookLimits = {
  /** Maximum size of a body, in bytes. */
  bodyBytes: mebibyte,
  headersMs: 5_000,
  requestMs: 10_000,
  keepAliveMs: 2_000,
  connections: 1_000,
  unfinishedBytes: 32 * mebibyte,
  /** Maximum size of the updates that are waiting to be saved, in bytes. Further updates are refused with 503. */
  waitingBytes: 64 * mebibyte,
};

type WebhookLimits = Readonly<typeof defaultWebhookLimits>;

const backlog = 1_024;

export type WebhookProtection =
  | { readonly signature: SignatureMethod; readonly path?: string | null }
  | { readonly signature: 'none'; readonly path: string };

export interface WebhookReceiverOptions extends ListenAddress {
  readonly apiKey: string;
  /** Defaults to a hexadecimal HMAC and any path. */
  readonly protection?: WebhookProtection;
  readonly clock: Clock;
  /** The clock that timestamps without a zone refer to. */
  readonly serviceClock?: () => ServiceClock;
  /** How far the service's clock runs ahead of ours, in milliseconds. */
  readonly skewMs?: () => number;
  /** Maximum age of a callback, in milliseconds. Defaults to five minutes. */
  readonly maxAgeMs?: number;
  readonly monitor: Pick<Monitor, 'receive'>;
  readonly onFault: (error: unknown) => void;
  readonly onRefused?: (reason: string, advice: string) => void;
  readonly limits?: Partial<WebhookLimits>;
}

export interface WebhookReceiver {
  readonly address: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/**
 * Listens for callbacks over plain HTTP, so put a TLS proxy in front of it. Replies with 200 if the update was saved or
 * the parcel is not on the watchlist, and with 503 if the update could not be saved, so that the service sends it again.
 * Throws a `WebhookListenError`.
 */
export async function startWebhookReceiver(options: WebhookReceiverOptions): Promise<WebhookReceiver> {
  const { host, port } = options;
  const limits: WebhookLimits = { ...defaultWebhookLimits, ...options.limits };
  const receive = createReceiver(options, limits);
  const limiter = new ConnectionLimiter(limits);
  const isOurPath = createPathCheck(options.protection?.path ?? null);
  const pending = new Set<Promise<void>>();
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => {
      if (!isOurPath(request.url ?? '')) {
        refuse(response, { status: 404, text: 'Not found.' });
        return;
      }
      receiveBody(request, response, { limits, limiter }, (body) => {
        const markReplied = limiter.finish(request.socket);
        const exchange = receive(body).then((result) => reply(response, result));
        pending.add(exchange);
        void exchange.finally(() => {
          markReplied();
          pending.delete(exchange);
        });
      });
    },
  );
  server.on('connection', (socket) => limiter.enter(socket));
  const boundAddress = await listen(server, { host, port });
  let closing: Promise<void> | null = null;
  return {
    address: formatHostPort(boundAddress),
    close: () => {
      closing ??= (async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        await Promise.all(pending);
        server.closeAllConnections();
        await closed;
      })();
      return closing;
    },
  };
}

function createReceiver(
  options: WebhookReceiverOptions,
  { waitingBytes }: WebhookLimits,
): (body: Buffer) => Promise<Reply> {
  const { apiKey, clock, monitor, onFault, onRefused, maxAgeMs = defaultWebhookMaxAgeMs } = options;
  const { protection = { signature: 'hmac' }, serviceClock = () => assumedServiceClock, skewMs = () => 0 } = options;
  const replayGuard = createReplayGuard(maxAgeMs);
  const pendingStores = new Map<string, Promise<Reply>>();
  let pendingBytes = 0;
  const store = async (record: TrackingRecord, timestamp: EpochMs | null, size: number): Promise<Reply> => {
    pendingBytes += size;
    try {
      const outcome = await monitor.receive(record, timestamp);
      return { status: 200, text: outcome === 'stored' ? 'Stored.' : 'Not watched here.' };
    } finally {
      pendingBytes -= size;
    }
  };
  const handle = async (body: Buffer): Promise<Reply> => {
    // Callbacks carry the time of the service's clock.
    const now = clock.now() + skewMs();
    const check = { apiKey, signature: protection.signature, serviceClock: serviceClock(), now, maxAgeMs };
    const parsed = readWebhook(body.toString('utf8'), check);
    if (!parsed.ok) {
      onRefused?.(parsed.reason, parsed.advice);
      return { status: parsed.status, text: parsed.reason };
    }
    const { fingerprint, record } = parsed;
    // Convert the timestamp to our clock.
    const timestamp = parsed.timestamp === null ? null : parsed.timestamp - skewMs();
    if (fingerprint !== null && replayGuard.has(fingerprint)) return { status: 200, text: 'Already received.' };
    if (pendingBytes + body.length > waitingBytes) {
      return { status: 503, text: 'Too many updates are being saved. Send this one again later.' };
    }
    if (fingerprint === null) return await store(record, timestamp, body.length);
    const pending = pendingStores.get(fingerprint) ?? store(record, timestamp, body.length);
    pendingStores.set(fingerprint, pending);
    try {
      const result = await pending;
      replayGuard.add(fingerprint, clock.now());
      return result;
    } finally {
      pendingStores.delete(fingerprint);
    }
  };
  return async (body) => {
    try {
      return await handle(body);
    } catch (error) {
      if (!(error instanceof StoreError)) onFault(error);
      return { status: 503, text: 'The update could not be saved. Send it again later.' };
    }
  };
}

function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limits: { bodyBytes }, limiter }: { readonly limits: WebhookLimits; readonly limiter: ConnectionLimiter },
  onBody: (body: Buffer) => void,
): void {
  // The provider's portal requests the address when the user enters it there.
  if (request.method === 'GET' || request.method === 'HEAD') {
    response.writeHead(204, { connection: 'close' }).end();
    return;
  }
  if (request.method !== 'POST') {
    response.setHeader('allow', 'GET, HEAD, POST');
    refuse(response, { status: 405, text: 'Send webhook callbacks with POST.' });
    return;
  }
  const tooLarge: Reply = { status: 413, text: `A callback can have at most ${bodyBytes} bytes.` };
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) {
    refuse(response, tooLarge);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= bodyBytes) {
      chunks.push(chunk);
      limiter.addBodyBytes(request.socket, chunk.length);
      return;
    }
    request.off('data', onData);
    request.off('end', onEnd);
    chunks.length = 0;
    limiter.addBodyBytes(request.socket, chunk.length - size);
    refuse(response, tooLarge);
  };
  const onEnd = (): void => onBody(Buffer.concat(chunks));
  request.on('data', onData);
  request.on('end', onEnd);
  // An incomplete request can be ignored.
  request.on('error', () => {});
}

function refuse(response: ServerResponse, refusal: Reply): void {
  response.setHeader('connection', 'close');
  void reply(response, refusal);
}

function reply(response: ServerResponse, { status, text }: Reply): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) {
      resolve();
      return;
    }
    response.once('close', resolve);
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`${text}\n`, () => resolve());
  });
}

async function listen(server: Server, { host, port }: ListenAddress): Promise<ListenAddress> {
  server.listen({ port, host, backlog });
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    throw toWebhookListenError(cause, formatHostPort({ host, port }));
  });
  const { address, port: boundPort } = server.address() as AddressInfo;
  return { host: address, port: boundPort };
}
