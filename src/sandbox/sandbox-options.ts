import type { Clock } from '../service/clock/clock.ts';
import { isHeaderName } from '../service/http/header-text.ts';
import { defaultKeyHeader } from '../service/operations.ts';
import type { WebhookSignature } from '../service/webhook/signature-methods.ts';
import { unusableOption } from './errors.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import { isThisMachine } from './http/from-this-machine.ts';
import type { PreRegistration } from './world/parcel-lives.ts';
import type { JourneyPoint } from './world/starting-point.ts';

/** How to start the sandbox. */
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
  /** Numbers that are registered from the start. */
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
  throw unusableOption(
    'The sandbox calls back on this machine only. Use an address such as http://127.0.0.1:8080/webhook.',
  );
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
