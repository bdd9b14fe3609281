import { Agent, type Dispatcher, errors, request } from 'undici';
import { operationUrl } from './base-url.ts';
import type { Clock, EpochMs } from './clock.ts';
import { decodeEnvelope, type Envelope } from './decode-answer.ts';
import {
  AnswerTooLargeError,
  BadAnswerError,
  CancelledError,
  RedirectRefusedError,
  ServiceError,
  ServiceTimeoutError,
  UnreachableError,
} from './errors.ts';
import { failureOf, successCode } from './failures.ts';
import type { JsonValue } from './json.ts';
import type { Operation } from './operations.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { parseJson } from './parse-json.ts';
import { parseRetryAfter } from './retry-after.ts';

/** How calls reach the service. */
export interface TransportOptions {
  /** Checked by `parseBaseUrl`. */
  readonly baseUrl: URL;
  readonly apiKey: string;
  /** Name of the header that carries the key (interface section 5). */
  readonly header: string;
  readonly clock: Clock;
  /** Limit of one whole call in milliseconds; 10 seconds unless told. */
  readonly timeoutMs?: number;
  /** Largest answer in bytes; 8 MiB unless told. */
  readonly largestAnswer?: number;
  /** Carries the calls in place of connections of our own, and stays open on close; then both limits above are its. */
  readonly dispatcher?: Dispatcher;
}

/** One call at a time per connection, at the permitted rate, never to another host, never twice. */
export interface Transport {
  /** Sends one call and answers the envelope of a success; rejects with a {@link ServiceError} for anything else. */
  call(operation: Operation, body: JsonValue | undefined, signal: AbortSignal | undefined): Promise<Envelope>;
  /** How far the service's clock is ahead of ours by the Date header of the newest answer, in milliseconds; null before the first. */
  clockSkew(): number | null;
  /** Ends all calls and connections. */
  close(): Promise<void>;
}

const defaultTimeoutMs = 10_000;
const defaultLargestAnswer = 8 * 1024 * 1024;

/** A transport over undici. Its retry and redirect features stay unused: the poller owns retries (design.md, decision 7). */
export function createTransport(options: TransportOptions): Transport {
  const { apiKey, baseUrl, clock, header } = options;
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const dispatcher = options.dispatcher ?? createAgent(timeoutMs, options.largestAnswer ?? defaultLargestAnswer);
  const pacers = new Map<string, Pacer>();
  const pacerFor = (operation: Operation): Pacer => {
    const known = pacers.get(operation.path);
    if (known !== undefined) return known;
    const pacer = createPacer(clock, operation.callsPerSecond);
    pacers.set(operation.path, pacer);
    return pacer;
  };
  /** Some services repeat the key that they refuse; it must not reach an error. */
  const withoutKey = (text: string): string => (apiKey === '' ? text : text.replaceAll(apiKey, '[key]'));
  const redacted = (envelope: Envelope): Envelope => ({
    ...envelope,
    message: envelope.message === null ? null : withoutKey(envelope.message),
    data: typeof envelope.data === 'string' ? withoutKey(envelope.data) : envelope.data,
  });

  let skew: number | null = null;
  const noteServerTime = (sentAt: EpochMs, serverDate: string | null): void => {
    const serverNow = serverDate === null ? Number.NaN : Date.parse(serverDate);
    // The header was written at some instant between the question and the answer.
    if (!Number.isNaN(serverNow)) skew = Math.round(serverNow - (sentAt + clock.now()) / 2);
  };

  async function send(operation: Operation, body: JsonValue | undefined, signal: AbortSignal): Promise<Envelope> {
    const sentAt = clock.now();
    const answer = await request(operationUrl(baseUrl, operation.path), {
      method: operation.method,
      dispatcher,
      signal,
      headers: { [header]: apiKey, accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    noteServerTime(sentAt, headerText(answer.headers['date']));
    // Always read to the end, so that the connection can be used again.
    const text = await answer.body.text();
    return readEnvelope(operation, answer, text);
  }

  function readEnvelope(operation: Operation, answer: Dispatcher.ResponseData, text: string): Envelope {
    const httpStatus = answer.statusCode;
    if (httpStatus >= 300 && httpStatus < 400) {
      throw new RedirectRefusedError(
        `The service sent us to another address (HTTP ${httpStatus}), which is refused, because the API key goes only to ${baseUrl.host}. Check the base URL.`,
        { httpStatus },
      );
    }
    const { envelope, problem } = parseEnvelope(text);
    if (envelope?.code === successCode && httpStatus < 300) return envelope;
    if (envelope === null && httpStatus < 300) {
      throw new BadAnswerError(
        `The answer to "${operation.title}" is ${describeBody(text)}, not the service's JSON. Check the base URL; the last good data stays.`,
        { httpStatus, cause: problem },
      );
    }
    const retryAfterMs = parseRetryAfter(
      headerText(answer.headers['retry-after']),
      headerText(answer.headers['date']),
      clock.now(),
    );
    throw failureOf({ operation, httpStatus, envelope: envelope && redacted(envelope), retryAfterMs });
  }

  return {
    async call(operation, body, signal) {
      const deadline = new AbortController();
      const all = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
      let cancelDeadline = (): void => undefined;
      try {
        await pacerFor(operation).turn(all);
        cancelDeadline = clock.setTimer(timeoutMs, () => deadline.abort(new Error('time limit')));
        return await send(operation, body, all);
      } catch (error) {
        throw nameTheFailure(error, {
          baseUrl,
          timeoutMs,
          cancelled: signal?.aborted === true,
          late: deadline.signal.aborted,
        });
      } finally {
        cancelDeadline();
      }
    },
    clockSkew: () => skew,
    close: () => (options.dispatcher === undefined ? dispatcher.destroy() : Promise.resolve()),
  };
}

function createAgent(timeoutMs: number, largestAnswer: number): Dispatcher {
  return new Agent({
    connections: 2,
    // HTTP/1.1 is what the service is known to speak.
    allowH2: false,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: largestAnswer,
  });
}

function parseEnvelope(text: string): { readonly envelope: Envelope | null; readonly problem: unknown } {
  try {
    return { envelope: decodeEnvelope(parseJson(text)), problem: undefined };
  } catch (error) {
    return { envelope: null, problem: error };
  }
}

function describeBody(text: string): string {
  const start = text.trimStart().slice(0, 200).toLowerCase();
  if (start === '') return 'empty';
  if (start.startsWith('<')) return 'a web page';
  return start.startsWith('{') || start.startsWith('[') ? 'damaged or cut off' : 'plain text';
}

const headerText = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null;

interface FailureContext {
  readonly baseUrl: URL;
  readonly timeoutMs: number;
  readonly cancelled: boolean;
  readonly late: boolean;
}

/** Codes of Node and OpenSSL for a certificate that does not verify. */
const certificateCode = /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY))/;

function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** The named error for whatever undici, the network or the abort signals threw. */
function nameTheFailure(error: unknown, context: FailureContext): ServiceError {
  if (error instanceof ServiceError) return error;
  const { baseUrl } = context;
  const code = codeOf(error);
  const details = { code, cause: error };
  if (context.cancelled) return new CancelledError('The call was ended.', details);
  const isTimeout =
    context.late ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError;
  if (isTimeout) {
    return new ServiceTimeoutError(
      `The service at ${baseUrl.host} gave no answer within ${Math.round(context.timeoutMs / 1000)} seconds. The last good data stays; the next try follows by itself.`,
      details,
    );
  }
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return new AnswerTooLargeError(
      `The answer of ${baseUrl.host} is larger than the limit and was refused. Check the base URL.`,
      details,
    );
  }
  if (code !== null && certificateCode.test(code)) {
    return new UnreachableError(
      `The certificate of ${baseUrl.host} does not verify (${code}), so nothing was sent. Check the base URL, the clock and the network.`,
      details,
    );
  }
  return new UnreachableError(
    `The service at ${baseUrl.host} cannot be reached${code === null ? '' : ` (${code})`}. Check the network and the base URL; the last good data stays.`,
    details,
  );
}
