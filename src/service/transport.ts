import { TextDecoder } from 'node:util';
import type { Dispatcher } from 'undici';
import { orAborted } from '../lib/async.ts';
import { type Clock, type EpochMs, sleep } from '../lib/clock.ts';
import { createSkewMeter, type SkewBounds } from '../lib/clock-skew.ts';
import { parseInstant } from '../lib/date-time.ts';
import { jsonCause } from '../lib/error-text.ts';
import { isJsonObject, type JsonValue, parseJson } from '../lib/json.ts';
import { isLoopback, networkFailure, operationUrl, type ServiceProxy } from './connection.ts';
import { dataKeptClause, decodeEnvelope, type Envelope, successCode, toServiceError } from './failures.ts';
import type { HttpClientOptions } from './http-client.ts';
import { BadResponseError, maxRetryAfterMs, type Operation, RedirectRefusedError, ServiceError } from './port.ts';
import { createRedaction, type Redaction } from './redaction.ts';

interface ResponseBody {
  readonly text: string;
  readonly description: string;
}

const unreadableBody = (description: string): ResponseBody => ({ text: '', description });

function readBody(bytes: Uint8Array, contentType: string | null, contentEncoding: string | null): ResponseBody {
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity' && bytes.length > 0)
    return unreadableBody('compressed, which was not requested');
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  const decoder = createDecoder(charset);
  if (decoder === null) return unreadableBody('in an unknown character set');
  const text = decoder.decode(bytes);
  return { text, description: describeBody(text) };
}

function createDecoder(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    // A RangeError: the character set is unknown.
    return null;
  }
}

function describeBody(text: string): string {
  const start = text.trimStart().slice(0, 200).toLowerCase();
  if (start === '') return 'empty';
  if (start.startsWith('<')) return 'a web page';
  return start.startsWith('{') || start.startsWith('[') ? 'damaged or cut off' : 'plain text';
}

/** Longer than the service's second: it counts calls on arrival, and the first call of a burst takes longer to arrive. */
const windowMs = 1200;

/** Grants at most `callsPerSecond` turns in any 1.2 seconds, in order. */
export function createPacer(clock: Clock, callsPerSecond: number) {
  const limit = Math.max(1, Math.floor(callsPerSecond));
  const granted: EpochMs[] = [];
  let lastRequestedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Resolves when the next call may be sent. Throws the signal's reason if it is aborted first. */
    async turn(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      const now = clock.now();
      // If the clock was set back, do not wait for it to catch up.
      if (now < lastRequestedAt) granted.length = 0;
      lastRequestedAt = now;
      const at = granted.length < limit ? now : Math.max(now, (granted[0] ?? now) + windowMs);
      granted.push(at);
      if (granted.length > limit) granted.shift();
      if (at <= now) return;
      await sleep(clock, at - now, signal);
      signal.throwIfAborted();
    },
  };
}

/** Returns milliseconds, or null. A date is compared with the server's own Date header, because clocks differ. */
function parseRetryAfter(header: string | null, serverDate: string | null, now: EpochMs): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs);
  const until = parseInstant(text);
  return until === null ? null : Math.min(Math.max(0, until - (parseInstant(serverDate) ?? now)), maxRetryAfterMs);
}

export interface TransportOptions {
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly header: string;
  readonly clock: Clock;
  /** Timeout of a whole call, in milliseconds. Defaults to 10 seconds. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
  /** Ignored for plain http, which would expose the key to the proxy. */
  readonly proxy?: ServiceProxy | null;
  readonly dispatcher?: Dispatcher;
  /** Program and version, such as `parcel-monitor/1.2.0`. */
  readonly userAgent?: string;
  /** Called after each request. The report does not contain any bodies. */
  readonly onCall?: (report: CallReport) => void;
}

export interface CallReport extends Pick<Operation, 'method' | 'path'> {
  readonly milliseconds: number;
  /** Null without a response. */
  readonly httpStatus: number | null;
  /** The code in the service's envelope. */
  readonly code: string | null;
  readonly traceId: string | null;
  /** The kind of error, or null after a success. */
  readonly failure: string | null;
}

const sandboxServer = 'parcel-monitor-sandbox';
const defaultTimeoutMs = 10_000;
const defaultMaxResponseBytes = 8 * 1024 * 1024;

export type Transport = ReturnType<typeof createTransport>;

/**
 * Neither retries nor follows redirects: retries are up to the caller, and a redirect would send the key to a different
 * host.
 */
export function createTransport(options: TransportOptions) {
  const { apiKey, baseUrl, clock, header } = options;
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const maxResponseBytes = options.maxResponseBytes ?? defaultMaxResponseBytes;
  const proxy = baseUrl.protocol === 'https:' ? (options.proxy ?? null) : null;
  let connection: Promise<Dispatcher> | null = null;
  const connect = (): Promise<Dispatcher> => {
    connection ??= openConnection(options.dispatcher, { timeoutMs, maxResponseBytes, proxy: proxy?.url ?? null });
    return connection;
  };
  const pacers = new Map<string, ReturnType<typeof createPacer>>();
  const shutdown = new AbortController();

  const mayBeSandbox = isLoopback(baseUrl.hostname);
  let isSandbox = false;
  const skewMeter = createSkewMeter(clock);

  async function send(operation: Operation, content: JsonValue | undefined, signal: AbortSignal): Promise<Envelope> {
    const dispatcher = await connect();
    const sentAt = clock.now();
    const { origin, pathname, search } = operationUrl(baseUrl, operation.path);
    const response = await dispatcher.request({
      ...{ origin, path: pathname + search, method: operation.method },
      signal,
      headers: {
        [header]: apiKey,
        accept: 'application/json',
        // Refuse compression, so that the size limit applies to what we read.
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        ...(options.userAgent === undefined ? {} : { 'user-agent': options.userAgent }),
      },
      ...(content === undefined ? {} : { body: JSON.stringify(content) }),
    });
    skewMeter.note(sentAt, headerText(response.headers['date']));
    isSandbox = mayBeSandbox && headerText(response.headers['server']) === sandboxServer;
    // Read the body completely, so that the connection can be reused.
    const bytes = await response.body.bytes();
    const { headers } = response;
    const body = readBody(bytes, headerText(headers['content-type']), headerText(headers['content-encoding']));
    return readEnvelope(operation, response, body, createRedaction(apiKey, content));
  }

  function readEnvelope(
    operation: Operation,
    response: Dispatcher.ResponseData,
    body: ResponseBody,
    redaction: Redaction,
  ): Envelope {
    const httpStatus = response.statusCode;
    if (httpStatus >= 300 && httpStatus < 400) {
      throw new RedirectRefusedError(
        {
          what: `The service redirects to a different address (HTTP ${httpStatus}). This is refused because the API key is only for ${baseUrl.host}.`,
          advice: 'Check the base URL.',
        },
        { httpStatus },
      );
    }
    const { envelope, problem } = parseEnvelope(body.text, httpStatus < 300, redaction);
    if (envelope?.code === successCode && httpStatus < 300) return envelope;
    if (envelope === null && httpStatus < 300) {
      throw new BadResponseError(
        {
          what: `The response to "${operation.title}" is ${body.description}, not the service's JSON.`,
          advice: 'Check the base URL.',
          consequence: dataKeptClause,
        },
        { httpStatus, cause: problem },
      );
    }
    const { date, 'retry-after': retryAfter } = response.headers;
    const retryAfterMs = parseRetryAfter(headerText(retryAfter), headerText(date), clock.now());
    throw toServiceError({ operation, httpStatus, envelope, retryAfterMs });
  }

  return {
    /** Resolves with the envelope of a successful response. Throws a {@link ServiceError}. */
    async call(operation: Operation, body: JsonValue | undefined, signal: AbortSignal | undefined): Promise<Envelope> {
      const deadline = new AbortController();
      const signals = [shutdown.signal, deadline.signal, ...(signal === undefined ? [] : [signal])];
      const callSignal = AbortSignal.any(signals);
      let cancelDeadline = (): void => undefined;
      let sentAt: EpochMs | null = null;
      const report = (details: Pick<CallReport, 'code' | 'failure' | 'httpStatus' | 'traceId'>): void => {
        if (sentAt === null) return;
        const { method, path } = operation;
        options.onCall?.({ method, path, milliseconds: clock.now() - sentAt, ...details });
      };
      try {
        const pacer = pacers.get(operation.path) ?? createPacer(clock, operation.callsPerSecond);
        pacers.set(operation.path, pacer);
        await pacer.turn(callSignal);
        sentAt = clock.now();
        cancelDeadline = clock.setTimer(timeoutMs, () => deadline.abort(new Error('time limit')));
        // undici checks the signal only once it is connected.
        const envelope = await orAborted(send(operation, body, callSignal), callSignal);
        report({ httpStatus: 200, code: envelope.code, traceId: envelope.traceId, failure: null });
        return envelope;
      } catch (error) {
        const failure = networkFailure(error, {
          baseUrl,
          proxy,
          timeoutMs,
          isCancelled: shutdown.signal.aborted || signal?.aborted === true,
          isLate: deadline.signal.aborted,
        });
        if (failure instanceof ServiceError) {
          const { code, httpStatus, kind, traceId } = failure;
          report({ httpStatus, code, traceId, failure: kind });
        }
        throw failure;
      } finally {
        cancelDeadline();
      }
    },
    clockSkew: (): number | null => {
      const bounds = skewMeter.bounds();
      return bounds === null ? null : Math.round((bounds.min + bounds.max) / 2);
    },
    skewBounds: (): SkewBounds | null => skewMeter.bounds(),
    /** Whether the last response came from the embedded sandbox, on a loopback address. */
    isSandbox: (): boolean => isSandbox,
    /** Returns the later of our time and the service's, because our clock may be years behind. */
    latestNow: (): EpochMs => clock.now() + Math.max(0, skewMeter.bounds()?.max ?? 0),
    close: async (): Promise<void> => {
      shutdown.abort(new Error('closed'));
      if (connection !== null && options.dispatcher === undefined) await (await connection).destroy();
    },
  };
}

/** Loads undici only for the first request, because it is slow to load. */
async function openConnection(dispatcher: Dispatcher | undefined, options: HttpClientOptions): Promise<Dispatcher> {
  const { openDispatcher } = await import('./http-client.ts');
  return dispatcher ?? openDispatcher(options);
}

function parseEnvelope(
  text: string,
  isSuccess: boolean,
  redaction: Redaction,
): { readonly envelope: Envelope | null; readonly problem?: unknown } {
  try {
    const response = redaction.response(parseJson(text));
    const envelope = decodeEnvelope(response);
    if (envelope === null) return { envelope };
    if (!isSuccess || envelope.code !== successCode) return { envelope: decodeEnvelope(redaction.failure(response)) };
    const { data } = envelope;
    const rejected = isJsonObject(data) ? data['rejected'] : undefined;
    if (!isJsonObject(data) || rejected === undefined) return { envelope };
    return { envelope: { ...envelope, data: { ...data, rejected: redaction.failure(rejected) } } };
  } catch (error) {
    return { envelope: null, problem: jsonCause(error) };
  }
}

const headerText = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null;
