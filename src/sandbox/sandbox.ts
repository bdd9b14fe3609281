import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Clock } from '../service/clock/clock.ts';
import { systemWords } from '../service/failures/system-words.ts';
import { defaultKeyHeader } from '../service/operations.ts';
import { courierCatalogue } from './data/courier-catalogue.ts';
import { SandboxStartError } from './errors.ts';
import { createFaultSwitch, type FaultSwitch } from './faults/fault-switch.ts';
import { keepingOf, skewOf } from './faults/planning.ts';
import { Credit } from './http/credit.ts';
import { createRoutes } from './http/routes.ts';
import { defaultSandboxKey, readBasePath, readHeader, readWebhookUrl, type SandboxOptions } from './sandbox-options.ts';
import { createPostCallback } from './webhook/callback.ts';
import { startWebhookSender } from './webhook/webhook-sender.ts';
import { openAccount } from './world/account.ts';

/** A running sandbox. */
export interface Sandbox {
  /** The base URL for clients. */
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
              `Port ${port} is taken by another program. Choose another one, or 0 for any free one.`,
              {
                cause,
              },
            )
          : new SandboxStartError(
              'listen-failed',
              `The sandbox cannot listen on port ${port}${systemWords(cause.code)}. Choose another one, or 0 for any free one.`,
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
