import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Clock } from '../../service/clock.ts';
import type { JsonValue } from '../../service/json.ts';
import { courierRows } from '../data/couriers.ts';
import type { Account } from '../world/account.ts';
import { badFormat, createTraceIds, failure, notFoundPage, RefusedCallError, success } from './answers.ts';
import { queryTrackings } from './query-trackings.ts';
import { createRateLimit } from './rate-limit.ts';
import { registerTrackings } from './register-trackings.ts';

/** What the routes answer from. */
export interface RoutesOptions {
  readonly account: Account;
  readonly clock: Clock;
  readonly seed: number;
  readonly apiKey: string;
  /** Header that carries the key (interface section 5). */
  readonly headerName: string;
}

/** One operation of the interface. */
interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Answers `data`; the body is null for GET. */
  readonly answer: (body: JsonValue) => unknown;
}

/** 100 items with every field filled stay far below. */
const largestBody = 256 * 1024;
/** Calls in a second, for each operation by itself. */
const callsPerSecond = 5;

/** A call over the rate, with the time after which the next one is let through. */
class TooManyCallsError extends RefusedCallError {
  readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    super(429, 'A0706', 'too many requests');
    this.name = 'TooManyCallsError';
    this.retryAfterSeconds = Math.ceil(waitMs / 1000);
  }
}

async function readBody(context: Context): Promise<JsonValue> {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw badFormat();
  try {
    return await context.req.json<JsonValue>();
  } catch (cause) {
    // Only JSON's own complaint is a bad body; a body over the size limit has its own answer.
    if (cause instanceof SyntaxError) throw badFormat();
    throw cause;
  }
}

function operationsOf({ account, clock }: RoutesOptions): readonly Operation[] {
  const register = (body: JsonValue): unknown => registerTrackings(account, body, clock.now());
  return [
    { method: 'POST', path: '/tk/v2/track/import', answer: register },
    { method: 'POST', path: '/tk/v2.1/track/import', answer: register },
    {
      method: 'POST',
      path: '/tk/v2/track/query',
      answer: (body) => queryTrackings(account, 'v2', body, clock.now()),
    },
    {
      method: 'POST',
      path: '/tk/v2.1/track/query',
      answer: (body) => queryTrackings(account, 'v2.1', body, clock.now()),
    },
    { method: 'GET', path: '/tk/v2/courier/list', answer: () => courierRows },
    { method: 'GET', path: '/tk/v2.1/courier/list', answer: () => courierRows },
  ];
}

/**
 * The interface over HTTP: paths and shapes of sections 4.1 to 4.4, authentication of section 5, errors as the public
 * service gives them. Everything else it serves comes from the account.
 */
export function createRoutes(options: RoutesOptions): Hono {
  const { clock, apiKey, headerName } = options;
  const nextTraceId = createTraceIds(options.seed);
  const app = new Hono();

  const checkKey = (context: Context): void => {
    const key = context.req.header(headerName);
    if (key === undefined || key === '') throw new RefusedCallError(401, 'A0301', 'unauthorized: API key is missing');
    if (key !== apiKey) throw new RefusedCallError(401, 'A0230', 'token is invalid or has expired');
  };

  for (const { method, path, answer } of operationsOf(options)) {
    const limit = createRateLimit(clock, callsPerSecond);
    app.on(
      method,
      path,
      async (context, next) => {
        checkKey(context);
        const waitMs = limit.admit();
        if (waitMs > 0) throw new TooManyCallsError(waitMs);
        await next();
      },
      bodyLimit({
        maxSize: largestBody,
        onError: () => {
          throw new RefusedCallError(413, 'A0400', 'the request body is too large');
        },
      }),
      async (context) => {
        const body = method === 'POST' ? await readBody(context) : null;
        return context.json(success(answer(body), nextTraceId()));
      },
    );
    app.all(path, () => {
      throw badFormat();
    });
  }

  app.notFound((context) => context.json(notFoundPage(context.req.path, clock.now()), 404));
  app.onError((error, context) => {
    const refusal =
      error instanceof RefusedCallError ? error : new RefusedCallError(500, 'B0001', `system error: ${error.message}`);
    if (refusal instanceof TooManyCallsError) context.header('Retry-After', String(refusal.retryAfterSeconds));
    return context.json(failure(refusal, nextTraceId()), refusal.httpStatus);
  });
  return app;
}
