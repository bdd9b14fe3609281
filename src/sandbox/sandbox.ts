import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Clock } from '../service/clock.ts';
import { defaultKeyHeader } from '../service/operations.ts';
import { ListenFailedError, PortTakenError, UnusableOptionError } from './errors.ts';
import { createRoutes } from './http/routes.ts';
import { openAccount, type PreRegistration } from './world/account.ts';
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
  /** The header that carries the key; the interface's when left out. */
  readonly headerName?: string;
  /** Numbers that are registered from the start. */
  readonly registered?: readonly PreRegistration[];
}

/** A running sandbox. */
export interface Sandbox {
  /** `{base_url}` of the interface. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Stops listening and drops open connections; resolves when the port is free. May be called again. */
  close(): Promise<void>;
}

/** The key of a sandbox that was given none. It protects nothing: the sandbox holds invented parcels only. */
export const defaultSandboxKey = 'sandbox-key';

const loopbackHosts = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;

function checkOptions({ port, host, speed }: SandboxOptions): void {
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
  const headerName = options.headerName ?? defaultKeyHeader;
  const account = openAccount({ seed, speed, zoneOffsets: createZoneOffsets() }, clock.now(), registered);
  const app = createRoutes({ account, clock, seed, apiKey, headerName });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  const boundPort = await listen(server, port, host);
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    apiKey,
    close: () => stop(server),
  };
}
