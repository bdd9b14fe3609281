import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Clock } from '../service/clock/clock.ts';
import { defaultKeyHeader } from '../service/operations.ts';
import { courierCatalogue } from './data/courier-catalogue.ts';
import { ListenFailedError, PortTakenError, UnusableOptionError } from './errors.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import { createFaultSwitch } from './faults/fault-switch.ts';
import { createCallCounts } from './http/call-counts.ts';
import { createCredit } from './http/credit.ts';
import { createRoutes } from './http/routes.ts';
import { createPostCallback } from './webhook/callback.ts';
import { startWebhookSender } from './webhook/webhook-sender.ts';
import { openAccount, type PreRegistration } from './world/account.ts';
import type { JourneyPoint } from './world/starting-point.ts';
import { createZoneOffsets } from './zone-offsets.ts';

/** How to start the sandbox. */
export interface SandboxOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Only a loopback address is allowed; 127.0.0.1 when left out. */
  readonly host?: string;
  /** How many times faster than the wall clock parcels move; above 0. */
  readonly speed: number;
  /** The same seed gives every number the same life. */
  readonly seed: number;
  readonly clock: Clock;
  /** The key that calls have to carry; {@link defaultSandboxKey} when left out. */
  readonly apiKey?: string;
  /** The header that carries the key; `Service-Api-Secret` when left out. */
  readonly headerName?: string;
  /** Path below which everything is served, as `/gateway/open-api`; none when left out. */
  readonly basePath?: string;
  /** Numbers that are registered from the start. */
  readonly registered?: readonly PreRegistration[];
  /** Where parcels are when their numbers are first looked up, by number in capitals; the numbers decide for others. */
  readonly startingPoints?: ReadonlyMap<string, JourneyPoint>;
  /** Faults that are on from the start; see `parseFault`. They can be changed at `/sandbox/faults`. */
  readonly faults?: readonly FaultRule[];
  /** Who is called back on every visible change, on this machine only; nobody when left out. */
  readonly webhookUrl?: string;
  /** How many registrations and instant calls the account has left; without a limit when left out. */
  readonly credit?: number;
  /** Get Carriers lists at least so many rows; the simulated couriers and a few odd rows when left out. */
  readonly couriersPadding?: number;
}

/** A running sandbox. */
export interface Sandbox {
  /** The base URL for clients. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Name of the header that carries the key. */
  readonly headerName: string;
  /** Stops listening and drops open connections; resolves when the port is free. May be called again. */
  close(): Promise<void>;
}

/** The key of a sandbox that was given none. It protects nothing: the sandbox holds invented parcels only. */
export const defaultSandboxKey = 'sandbox-key';

const loopbackHosts = /^(?:127(?:\.\d{1,3}){3}|::1|\[::1\]|localhost)$/;
const mostCourierRows = 100_000;

/** The address to call back. Throws an {@link UnusableOptionError} for anything that is not http on this machine. */
function parseWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !loopbackHosts.test(url.hostname)) {
    throw new UnusableOptionError(
      'The sandbox calls back on this machine only. Use an address such as http://127.0.0.1:8080/webhook.',
    );
  }
  return url;
}

const headerNamePattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const basePathPattern = /^(?:\/[A-Za-z0-9._~-]+)*$/;

/** The base path as the routes take it: empty, or with a slash before it and none behind. Throws an {@link UnusableOptionError}. */
function readBasePath(text: string): string {
  const path = `/${text}`.replace(/^\/+/, '/').replace(/\/+$/, '');
  if (!basePathPattern.test(path)) {
    throw new UnusableOptionError(
      `"${text}" cannot be the base path of the sandbox; write it like /gateway/open-api, in letters, digits, ".", "_", "~" and "-".`,
    );
  }
  return path;
}

function checkHeaderName(name: string): string {
  if (headerNamePattern.test(name)) return name;
  throw new UnusableOptionError(`"${name}" cannot be the name of a header; the usual one is ${defaultKeyHeader}.`);
}

function checkCount(name: string, value: number | undefined, most: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0 && value <= most)) return;
  throw new UnusableOptionError(`The ${name} of the sandbox must be a whole number from 0 to ${most}.`);
}

function checkOptions({ port, host, speed, credit, couriersPadding }: SandboxOptions): void {
  checkCount('credit', credit, Number.MAX_SAFE_INTEGER);
  checkCount('number of courier rows', couriersPadding, mostCourierRows);
  if (host !== undefined && !loopbackHosts.test(host)) {
    throw new UnusableOptionError(`The sandbox listens on this machine only. Use 127.0.0.1 instead of ${host}.`);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UnusableOptionError(`The port ${port} does not exist. Use one from 1 to 65535, or 0 for any free one.`);
  }
  if (!Number.isFinite(speed) || speed <= 0) {
    throw new UnusableOptionError('The speed of the sandbox must be a number above 0; 1 is natural speed.');
  }
}

function listen(server: ServerType, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        cause.code === 'EADDRINUSE'
          ? new PortTakenError(`Port ${port} is taken by another program. Choose another one, or 0 for any free one.`, {
              cause,
            })
          : new ListenFailedError(`The sandbox cannot listen on ${host}, port ${port}: ${cause.message}.`, { cause }),
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
 * Rejects with an {@link UnusableOptionError}, a {@link PortTakenError} or a {@link ListenFailedError}.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  checkOptions(options);
  const { port, host = '127.0.0.1', speed, seed, clock, apiKey = defaultSandboxKey, registered = [] } = options;
  const startingPoints = options.startingPoints ?? new Map<string, JourneyPoint>();
  const webhookUrl = options.webhookUrl === undefined ? null : parseWebhookUrl(options.webhookUrl);
  const headerName = checkHeaderName(options.headerName ?? defaultKeyHeader);
  const basePath = readBasePath(options.basePath ?? '');
  const couriers = courierCatalogue(options.couriersPadding ?? 0);
  const settings = { seed, speed, startingPoints, zoneOffsets: createZoneOffsets(), couriers: couriers.byCode };
  const account = openAccount(settings, clock.now(), registered);
  const sender =
    webhookUrl === null
      ? null
      : startWebhookSender({ account, clock, apiKey, speed, post: createPostCallback(webhookUrl) });
  const app = createRoutes({
    account,
    clock,
    seed,
    apiKey,
    headerName,
    basePath,
    courierRows: couriers.rows,
    credit: createCredit(options.credit ?? null),
    calls: createCallCounts(),
    faults: createFaultSwitch(seed, options.faults ?? []),
    webhookCounts: () => sender?.counts() ?? null,
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  const boundPort = await listen(server, port, host).catch((error: unknown) => {
    sender?.close();
    throw error;
  });
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}${basePath}`,
    apiKey,
    headerName,
    close: () => {
      sender?.close();
      return stop(server);
    },
  };
}
