import type { Clock } from '../service/clock/clock.ts';
import { defaultKeyHeader } from '../service/operations.ts';
import { unusableOption } from './errors.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import type { PreRegistration } from './world/account.ts';
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

/** The key of a sandbox that was given none. It protects nothing: the sandbox holds invented parcels only. */
export const defaultSandboxKey = 'sandbox-key';

const loopbackHosts = /^(?:127(?:\.\d{1,3}){3}|::1|\[::1\]|localhost)$/;
const mostCourierRows = 100_000;

/** The address to call back. Throws a `SandboxStartError` for anything that is not http on this machine. */
function parseWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !loopbackHosts.test(url.hostname)) {
    throw unusableOption(
      'The sandbox calls back on this machine only. Use an address such as http://127.0.0.1:8080/webhook.',
    );
  }
  return url;
}

const headerNamePattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const basePathPattern = /^(?:\/[A-Za-z0-9._~-]+)*$/;

/**
 * The base path as the routes take it: empty, or with a slash before it and none behind. Throws a
 * `SandboxStartError`.
 */
function readBasePath(text: string): string {
  const path = `/${text}`.replace(/^\/+/, '/').replace(/\/+$/, '');
  if (!basePathPattern.test(path)) {
    throw unusableOption(
      `"${text}" cannot be the base path of the sandbox; write it like /gateway/open-api, in letters, digits, ".", "_", "~" and "-".`,
    );
  }
  return path;
}

function checkHeaderName(name: string): string {
  if (headerNamePattern.test(name)) return name;
  throw unusableOption(`"${name}" cannot be the name of a header; the usual one is ${defaultKeyHeader}.`);
}

function checkCount(name: string, value: number | undefined, most: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0 && value <= most)) return;
  throw unusableOption(`The ${name} of the sandbox must be a whole number from 0 to ${most}.`);
}

/** Checks the options and fills in what was left out. Throws a `SandboxStartError`. */
export function completeOptions(options: SandboxOptions) {
  const { port, speed, seed, clock, credit, couriersPadding = 0 } = options;
  checkCount('credit', credit, Number.MAX_SAFE_INTEGER);
  checkCount('number of courier rows', couriersPadding, mostCourierRows);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw unusableOption(`The port ${port} does not exist. Use one from 1 to 65535, or 0 for any free one.`);
  }
  if (!Number.isFinite(speed) || speed <= 0) {
    throw unusableOption('The speed of the sandbox must be a number above 0; 1 is natural speed.');
  }
  return {
    port,
    speed,
    seed,
    clock,
    couriersPadding,
    /** Null for no limit. */
    credit: credit ?? null,
    apiKey: options.apiKey ?? defaultSandboxKey,
    headerName: checkHeaderName(options.headerName ?? defaultKeyHeader),
    basePath: readBasePath(options.basePath ?? ''),
    registered: options.registered ?? [],
    startingPoints: options.startingPoints ?? new Map<string, JourneyPoint>(),
    faults: options.faults ?? [],
    /** Null when nobody is called back. */
    webhookUrl: options.webhookUrl === undefined ? null : parseWebhookUrl(options.webhookUrl),
  };
}
