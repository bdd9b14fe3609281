import type { MiddlewareHandler } from 'hono';
import { Hono } from 'hono/quick';
import type { Clock, EpochMs } from '../../lib/clock.ts';
import type { JsonValue } from '../../lib/json.ts';
import type { OperationName } from '../../service/port.ts';
import {
  createFaultMiddleware,
  createSlowIndex,
  type FaultSwitch,
  type SandboxEnvironment,
} from '../faults/active-faults.ts';
import { faults as faultDescriptions, readFaultRule, SandboxStartError } from '../faults/fault-rule.ts';
import type { WebhookCounts } from '../webhook.ts';
import { type OperationSources, operationsOf } from './operations.ts';
import { readBody, rejectOtherMachines } from './request.ts';
import {
  badFormat,
  badParameter,
  createTraceIds,
  failure,
  notFoundPage,
  RefusedCallError,
  rateLimited,
  success,
} from './responses.ts';

const windowMs = 1000;

/** Uses a sliding window of one second. Rejected calls do not count. */
export function createRateLimit(clock: Clock, callsPerSecond: number) {
  const admitted: EpochMs[] = [];
  return {
    /** Returns how long to wait, in milliseconds, or 0 if the call was admitted and counted. */
    admit: (): number => {
      const now = clock.now();
      const oldest = admitted[0];
      if (oldest !== undefined && admitted.length >= callsPerSecond) {
        // If the clock was set back, admit the call so that the operation does not stay blocked.
        const waitMs = Math.min(windowMs, oldest + windowMs - now);
        if (waitMs > 0 && now >= oldest) return waitMs;
        admitted.shift();
      }
      admitted.push(now);
      return 0;
    },
  };
}

interface RoutesOptions extends OperationSources {
  /** Number of calls per operation, including failed ones. Operations that were never called have no entry. */
  readonly calls: Map<OperationName, number>;
  readonly faults: FaultSwitch;
  /** Null without a webhook. */
  readonly webhookCounts: () => WebhookCounts | null;
  readonly seed: number;
  readonly apiKey: string;
  readonly headerName: string;
  /** May be empty. */
  readonly basePath: string;
  readonly enforcesRateLimit: boolean;
}

function keyCheck({ apiKey, headerName }: RoutesOptions): MiddlewareHandler<SandboxEnvironment> {
  return async (context, next) => {
    const key = context.req.header(headerName);
    if (key === undefined || key === '') throw new RefusedCallError(401, 'A0301', 'unauthorized: API key is missing');
    if (key !== apiKey) throw new RefusedCallError(401, 'A0230', 'token is invalid or has expired');
    await next();
  };
}

function rateCheck(
  { clock, enforcesRateLimit }: RoutesOptions,
  callsPerSecond: number,
): MiddlewareHandler<SandboxEnvironment> {
  const limit = enforcesRateLimit ? createRateLimit(clock, callsPerSecond) : null;
  return async (_context, next) => {
    const waitMs = limit?.admit() ?? 0;
    if (waitMs > 0) throw rateLimited(waitMs);
    await next();
  };
}

function readRules(body: JsonValue) {
  if (!Array.isArray(body)) throw badFormat();
  try {
    return body.map(readFaultRule);
  } catch (cause) {
    if (cause instanceof SandboxStartError) throw badParameter(cause.message);
    throw cause;
  }
}

/**
 * Adds our own paths below `root`, for faults, credit and counts. They require the key, return plain JSON without an
 * envelope, and are not subject to the rate limit or faults.
 */
function addControlRoutes(
  app: Hono<SandboxEnvironment>,
  root: string,
  { account, credit, calls, faults, webhookCounts }: RoutesOptions,
): void {
  app.get(`${root}/faults`, (context) => context.json(faults.rules()));
  app.put(`${root}/faults`, async (context) => {
    faults.set(readRules(await readBody(context)));
    return context.json(faults.rules());
  });
  app.delete(`${root}/faults`, (context) => {
    faults.set([]);
    return context.json(faults.rules());
  });
  app.put(`${root}/credit`, async (context) => {
    const left = await readBody(context);
    if (left !== null && !(Number.isSafeInteger(left) && Number(left) >= 0))
      throw badParameter('The credit must be a whole number, or null for no limit.');
    credit.left = left === null ? null : Number(left);
    return context.json({ creditLeft: credit.left });
  });
  app.get(`${root}/fault-names`, (context) => context.json(faultDescriptions));
  app.get(`${root}/state`, (context) =>
    context.json({
      calls: Object.fromEntries(calls),
      creditLeft: credit.left,
      webhook: webhookCounts(),
      registeredCount: account.size,
      registered: account.all().map(({ trackNo, courier }) => ({ trackNo, courierCode: courier.code })),
    }),
  );
}

/** Serves the API described in `service/README.md`. */
export function createRoutes(options: RoutesOptions): Hono<SandboxEnvironment> {
  const { account, basePath, calls, clock, faults } = options;
  const slowIndex = createSlowIndex(account, clock);
  const nextTraceId = createTraceIds(options.seed);
  const app = new Hono<SandboxEnvironment>();
  const checkKey = keyCheck(options);
  app.use(rejectOtherMachines());

  app.use(async (context, next) => {
    await next();
    // Node would send the local time, but clients compare this header with the times in the records.
    if (!context.res.headers.has('date')) context.header('Date', new Date(clock.now()).toUTCString());
    // Tells the client that queries are free, so that it can keep up when time runs fast.
    context.header('Server', 'parcel-monitor-sandbox');
  });
  for (const { name, method, path: operationPath, callsPerSecond, handle } of operationsOf(options)) {
    const path = `${basePath}${operationPath}`;
    app.on(
      method,
      path,
      async (context, next) => {
        calls.set(name, (calls.get(name) ?? 0) + 1);
        slowIndex.restore();
        let body: Promise<JsonValue> | null = null;
        context.set('body', () => {
          body ??= readBody(context);
          return body;
        });
        await next();
      },
      checkKey,
      rateCheck(options, callsPerSecond),
      createFaultMiddleware({ faults, clock, slowIndex }, name),
      async (context) => {
        const body = method === 'POST' ? await context.var.body() : null;
        return context.json(success(handle(body), nextTraceId()));
      },
    );
    app.all(path, () => {
      throw badFormat();
    });
  }
  app.use(`${basePath}/sandbox/*`, checkKey);
  addControlRoutes(app, `${basePath}/sandbox`, options);

  app.notFound((context) => context.json(notFoundPage(context.req.path, clock.now()), 404));
  app.onError((error, context) => {
    const refusal =
      error instanceof RefusedCallError ? error : new RefusedCallError(500, 'B0001', `system error: ${error.message}`);
    if (refusal.retryAfter !== null) context.header('Retry-After', String(refusal.retryAfter));
    return context.json(failure(refusal, nextTraceId()), refusal.httpStatus);
  });
  return app;
}
