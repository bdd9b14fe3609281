import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { type Clock, secondMs } from '../lib/clock.ts';
import { systemWords } from '../lib/error-text.ts';
import { isHeaderName } from '../service/address.ts';
import { defaultKeyHeader } from '../service/port.ts';
import type { WebhookSignature } from '../service/webhook-rules.ts';
import { courierCatalogue } from './couriers.ts';
import { SandboxStartError, unusableOption } from './errors.ts';
import { concerns, type FaultName, type FaultRule } from './faults/fault-rule.ts';
import { createFaultSwitch, type FaultSwitch } from './faults/fault-switch.ts';
import { Credit } from './http/answers.ts';
import { isThisMachine } from './http/request.ts';
import { createRoutes } from './http/routes.ts';
import { createPostCallback, startWebhookSender } from './webhook.ts';
import { openAccount } from './world/account.ts';
import { type PlanKeeping, punctual } from './world/lookups.ts';
import type { JourneyPoint, PreRegistration } from './world/parcel-lives.ts';

const defaultLagMs = 30 * secondMs;
const defaultIntervalMs = secondMs;
const defaultSkewMs = 90 * secondMs;

/** Plans are on whole seconds. */
const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / secondMs) * secondMs;

/** How the service keeps its plan for a number while these rules are in force. The last rule of a name counts. */
export function keepingOf(rules: readonly FaultRule[], trackNo: string): PlanKeeping {
  const find = (name: FaultName): FaultRule | undefined =>
    rules.findLast((rule) => rule.name === name && concerns(rule, trackNo));
  const [lag, interval] = [find('lag'), find('interval')];
  const leastLagMs = lag === undefined ? 0 : toSeconds(lag.delayMs ?? defaultLagMs);
  const everyMs = interval === undefined ? null : Math.max(secondMs, toSeconds(interval.delayMs ?? defaultIntervalMs));
  return {
    ...punctual,
    lagMs: [leastLagMs, Math.max(leastLagMs, toSeconds(lag?.longestMs ?? 0))],
    everyMs,
    isLookedUp: find('never-looked-up') === undefined,
  };
}

/** How far the service's own clock is ahead while these rules are in force, in milliseconds. */
export function skewOf(rules: readonly FaultRule[]): number {
  const skew = rules.findLast(({ name }) => name === 'skew');
  return skew === undefined ? 0 : (skew.delayMs ?? defaultSkewMs);
}

export interface SandboxOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** How many times faster than the wall clock parcels move; above 0. */
  readonly speed: number;
  /** The same seed gives every number the same life. */
  readonly seed: number;
  readonly clock: Clock;
  /** The key that calls have to carry; {@link defaultSandboxKey} when left out. */
  readonly apiKey?: string;
  /** The header that carries the key; `Service-Api-Secret` when left out. */
  readonly header?: string;
  /** Path below which everything is served, as `/gateway/open-api`; none when left out. */
  readonly basePath?: string;
  readonly registered?: readonly PreRegistration[];
  /** Where parcels are when their numbers are first looked up, by number in capitals; the numbers decide for others. */
  readonly startingPoints?: ReadonlyMap<string, JourneyPoint>;
  /** Faults that are on from the start; see `parseFault`. They can be changed at `/sandbox/faults`. */
  readonly faults?: readonly FaultRule[];
  /** Who is called back on every visible change, on this machine only; nobody when left out. */
  readonly webhook?: string;
  /** How callbacks are signed; as `hmac` when left out. */
  readonly webhookSignature?: WebhookSignature;
  /** How many registrations and instant calls the account has left; without a limit when left out. */
  readonly credit?: number;
  /** Whether it refuses calls that are more in a second than the service allows; it does when left out. */
  readonly limitsCalls?: boolean;
  /** Get Carriers lists at least so many rows; the simulated couriers and a few odd rows when left out. */
  readonly couriers?: number;
}

/** The key of a sandbox that was given none. It protects nothing: the sandbox holds invented parcels only. */
export const defaultSandboxKey = 'sandbox-key';

/** The address to call back. Throws a `SandboxStartError` for anything that is not http on this machine. */
export function readWebhookUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && isThisMachine(url.host)) return url;
  throw unusableOption({
    what: 'The sandbox calls back on this machine only.',
    advice: 'Use an address such as http://127.0.0.1:8080/webhook.',
  });
}

const basePathPattern = /^(?:\/[A-Za-z0-9._~-]+)*$/;

/**
 * The base path as the routes take it: empty, or with a slash before it and none behind. Throws a
 * `SandboxStartError`.
 */
export function readBasePath(text: string): string {
  const path = `/${text}`.replace(/^\/+/, '/').replace(/\/+$/, '');
  if (basePathPattern.test(path)) return path;
  throw unusableOption(
    `"${text}" cannot be the base path of the sandbox; write it like /gateway/open-api, in letters, digits, ".", "_", "~" and "-".`,
  );
}

/** The name of the header that carries the key. Throws a `SandboxStartError` for what can be none. */
export function readHeader(name: string): string {
  if (isHeaderName(name)) return name;
  throw unusableOption(`"${name}" cannot be the name of a header; the usual one is ${defaultKeyHeader}.`);
}

export interface Sandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Name of the header that carries the key. */
  readonly headerName: string;
  /** What goes wrong, as at `/sandbox/faults`. */
  readonly faults: FaultSwitch;
  /** What the account may still have tracked, as at `/sandbox/credit`. */
  readonly credit: Credit;
  /** Stops listening and drops open connections; resolves when the port is free. May be called again. */
  close(): Promise<void>;
}

/** The sandbox is for this machine only. */
const host = '127.0.0.1';

function listen(server: ServerType, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        cause.code === 'EADDRINUSE'
          ? new SandboxStartError(
              'port-taken',
              {
                what: `Port ${port} is taken by another program.`,
                advice: 'Choose another one, or 0 for any free one.',
              },
              {
                cause,
              },
            )
          : new SandboxStartError(
              'listen-failed',
              {
                what: `The sandbox cannot listen on port ${port}${systemWords(cause.code)}.`,
                advice: 'Choose another one, or 0 for any free one.',
              },
              { cause },
            ),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** Stops a server even while clients keep connections open; a server that is stopped already is fine. */
function stop(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}

/**
 * Starts the embedded service: the tracking service's interface on a loopback port, with simulated couriers.
 * Rejects with a {@link SandboxStartError}.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, speed, seed, apiKey = defaultSandboxKey, startingPoints = new Map(), webhook } = options;
  const { webhookSignature: signature = 'hmac' } = options;
  const headerName = readHeader(options.header ?? defaultKeyHeader);
  const basePath = readBasePath(options.basePath ?? '');
  const webhookUrl = webhook === undefined ? null : readWebhookUrl(webhook);
  const couriers = courierCatalogue(options.couriers ?? 0);
  const faults = createFaultSwitch(seed, options.faults ?? []);
  const clock: Clock = {
    now: () => options.clock.now() + skewOf(faults.rules()),
    setTimer: (delayMs, callback) => options.clock.setTimer(delayMs, callback),
  };
  const settings = { seed, speed, startingPoints, couriers: couriers.byCode };
  const keepsPlans = { keepingOf: (trackNo: string) => keepingOf(faults.rules(), trackNo) };
  const account = openAccount({ ...settings, ...keepsPlans }, clock.now(), options.registered);
  faults.listen(() => account.keepPlans(clock.now()));
  const credit = new Credit(options.credit ?? null);
  const sender =
    webhookUrl === null
      ? null
      : startWebhookSender({
          account,
          clock,
          signing: { apiKey, signature },
          speed,
          post: createPostCallback(webhookUrl),
        });
  const app = createRoutes({
    account,
    clock,
    seed,
    apiKey,
    headerName,
    basePath,
    courierRows: couriers.rows,
    credit,
    limitsCalls: options.limitsCalls ?? true,
    calls: new Map(),
    faults,
    webhookCounts: () => sender?.counts() ?? null,
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  const boundPort = await listen(server, port).catch((error: unknown) => {
    sender?.close();
    throw error;
  });
  return {
    baseUrl: `http://${host}:${boundPort}${basePath}`,
    apiKey,
    headerName,
    faults,
    credit,
    close: () => {
      sender?.close();
      return stop(server);
    },
  };
}
