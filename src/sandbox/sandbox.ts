import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { type Clock, dayMs, hourMs, minuteMs, secondMs } from '../lib/clock.ts';
import { systemText } from '../lib/error-text.ts';
import { isHeaderName } from '../service/connection.ts';
import { defaultKeyHeader } from '../service/port.ts';
import type { WebhookSignature } from '../service/webhook.ts';
import { courierCatalogue } from './couriers.ts';
import { createFaultSwitch, type FaultSwitch } from './faults/active-faults.ts';
import { appliesTo, type FaultName, type FaultRule, SandboxStartError, unusableOption } from './faults/fault-rule.ts';
import { isThisMachine } from './http/request.ts';
import { Credit } from './http/responses.ts';
import { createRoutes } from './http/routes.ts';
import { createPostCallback, startWebhookSender } from './webhook.ts';
import { openAccount } from './world/account.ts';
import { type LookupRules, withoutLag } from './world/lookups.ts';
import type { JourneyPoint, PreRegistration } from './world/registration.ts';

const defaultLagMs = 30 * secondMs;
const defaultIntervalMs = secondMs;
const defaultSkewMs = 90 * secondMs;

const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / secondMs) * secondMs;

/** If several rules have the same name, the last one applies. */
export function lookupRulesFor(rules: readonly FaultRule[], trackNo: string): LookupRules {
  const find = (name: FaultName): FaultRule | undefined =>
    rules.findLast((rule) => rule.name === name && appliesTo(rule, trackNo));
  const [lag, interval] = [find('lag'), find('interval')];
  const minLagMs = lag === undefined ? 0 : toSeconds(lag.delayMs ?? defaultLagMs);
  const everyMs = interval === undefined ? null : Math.max(secondMs, toSeconds(interval.delayMs ?? defaultIntervalMs));
  return {
    ...withoutLag,
    lagMs: [minLagMs, Math.max(minLagMs, toSeconds(lag?.longestMs ?? 0))],
    everyMs,
    isLookedUp: find('never-looked-up') === undefined,
  };
}

export interface SandboxOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** How many times faster than real time the parcels move. Must be above 0. */
  readonly speed: number;
  /** The same seed always gives each number the same journey. */
  readonly seed: number;
  readonly clock: Clock;
  /** Defaults to {@link defaultSandboxKey}. */
  readonly apiKey?: string;
  /** Defaults to `Service-Api-Secret`. */
  readonly header?: string;
  /** For example `/gateway/open-api`. Empty by default. */
  readonly basePath?: string;
  readonly registered?: readonly PreRegistration[];
  /** Where parcels are on their journeys at their first lookup, by number in upper case. */
  readonly startingPoints?: ReadonlyMap<string, JourneyPoint>;
  /** The initial faults. They can be changed at `/sandbox/faults`. */
  readonly faults?: readonly FaultRule[];
  /** A URL on this machine that receives a callback for every visible change. */
  readonly webhook?: string;
  /** Defaults to `hmac`. */
  readonly webhookSignature?: WebhookSignature;
  /** How many registrations and instant calls the account has left. Defaults to no limit. */
  readonly credit?: number;
  /** Defaults to true. */
  readonly enforcesRateLimit?: boolean;
  /** Minimum number of rows in the response to Get Carriers. */
  readonly couriers?: number;
}

/** Not a secret, because the sandbox contains only fictional parcels. */
export const defaultSandboxKey = 'sandbox-key';

/** Throws a `SandboxStartError` unless the URL is an HTTP or HTTPS address on this machine. */
function readWebhookUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && isThisMachine(url.host)) return url;
  throw unusableOption({
    what: 'The sandbox only sends callbacks to this machine.',
    advice: 'Use an address such as http://127.0.0.1:8080/webhook.',
  });
}

const basePathPattern = /^(?:\/[A-Za-z0-9._~-]+)*$/;

/** Returns an empty string, or a path with a leading slash and no trailing one. Throws a `SandboxStartError`. */
function readBasePath(text: string): string {
  const path = `/${text}`.replace(/^\/+/, '/').replace(/\/+$/, '');
  if (basePathPattern.test(path)) return path;
  throw unusableOption(
    `"${text}" is not a valid base path. Write it like /gateway/open-api, with letters, digits, ".", "_", "~" and "-".`,
  );
}

/** Throws a `SandboxStartError` for an invalid name. */
function readHeader(name: string): string {
  if (isHeaderName(name)) return name;
  throw unusableOption(`"${name}" is not a valid header name. The default is ${defaultKeyHeader}.`);
}

export interface Sandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headerName: string;
  readonly faults: FaultSwitch;
  readonly credit: Credit;
  /** Drops open connections and resolves when the port is free. Can be called more than once. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

function listen(server: ServerType, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isPortInUse = cause.code === 'EADDRINUSE';
      const what = isPortInUse
        ? `Port ${port} is already in use.`
        : `The sandbox cannot listen on port ${port}${systemText(cause.code)}.`;
      const text = { what, advice: 'Choose a different port, or 0 for any free port.' };
      reject(new SandboxStartError(isPortInUse ? 'port-taken' : 'listen-failed', text, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function stop(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}

/** Serves the tracking service's API on a loopback port. Throws a {@link SandboxStartError}. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, speed, seed, apiKey = defaultSandboxKey, startingPoints = new Map(), webhook } = options;
  const { webhookSignature: signature = 'hmac' } = options;
  const headerName = readHeader(options.header ?? defaultKeyHeader);
  const basePath = readBasePath(options.basePath ?? '');
  const webhookUrl = webhook === undefined ? null : readWebhookUrl(webhook);
  const couriers = courierCatalogue(options.couriers ?? 0);
  const faults = createFaultSwitch(seed, options.faults ?? []);
  const clock: Clock = {
    now: () => {
      const skew = faults.rules().findLast(({ name }) => name === 'skew');
      return options.clock.now() + (skew === undefined ? 0 : (skew.delayMs ?? defaultSkewMs));
    },
    setTimer: (delayMs, callback) => options.clock.setTimer(delayMs, callback),
  };
  const settings = { seed, speed, startingPoints, couriers: couriers.byCode };
  const schedule = { lookupRulesFor: (trackNo: string) => lookupRulesFor(faults.rules(), trackNo) };
  const account = openAccount({ ...settings, ...schedule }, clock.now(), options.registered);
  faults.listen(() => account.applyLookupRules(clock.now()));
  const credit = new Credit(options.credit ?? null);
  const post = webhookUrl === null ? null : createPostCallback(webhookUrl);
  const signing = { apiKey, signature };
  const sender = post === null ? null : startWebhookSender({ account, clock, signing, speed, post });
  const app = createRoutes({
    account,
    clock,
    seed,
    apiKey,
    headerName,
    basePath,
    courierRows: couriers.rows,
    credit,
    enforcesRateLimit: options.enforcesRateLimit ?? true,
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

interface DemoParcel extends PreRegistration {
  readonly label: string | null;
}

export const demoSeed = 1;

/** A second equals six minutes of a journey, so a day takes four minutes. */
export const demoSpeed = 360;

/** The point may shift by up to half a day, so that past events happen at plausible hours. */
const after = (subStatus: string, byMs: number): JourneyPoint => ({ subStatus, side: 'after', byMs, mayShift: true });
const before = (subStatus: string, byMs: number): JourneyPoint => ({
  subStatus,
  side: 'before',
  byMs,
  mayShift: false,
});

const parcel = (
  trackNo: string,
  label: string | null,
  courierCode: string | null,
  registeredAgoMs: number,
  startAt: JourneyPoint,
): DemoParcel => ({ trackNo, label, courierCode, registeredAgoMs, startAt });

/**
 * At {@link demoSpeed}, the desk lamp is delivered within ten seconds of the start, and the birthday book, which is out
 * for delivery, after 45 to 90 seconds. The numbers were found by trial and error: if the journeys change, a test names the
 * numbers to replace.
 */
export const demoParcels: readonly DemoParcel[] = [
  parcel('1Z8H72P67332825847', 'Headphones', 'ups', 6 * dayMs, after('ABNORMAL_02', 30 * hourMs)),
  parcel('00340434355717797605', 'Birthday book', 'dhl-germany', 2 * dayMs, before('DELIVERED_01', 4.5 * hourMs)),
  parcel('9400293185155886623692', null, 'usps', 5 * dayMs, after('WAITING_DELIVERY_01', hourMs)),
  parcel('H6764229089207066800', 'Kettle', 'hermes', 4 * dayMs, after('WAITING_DELIVERY_02', 16 * hourMs)),
  parcel('UH848087293YP', 'Desk lamp', 'yanwen', 9 * dayMs, before('IN_TRANSIT_06', 10 * minuteMs)),
  parcel('RR450656815KR', null, 'korea-post', 4 * dayMs, after('IN_TRANSIT_04', 2 * hourMs)),
  parcel('EE503025963TH', 'Spices', 'thailand-post', 3 * dayMs, after('IN_TRANSIT_02', hourMs)),
  parcel('50596807367', null, 'aramex', 5 * dayMs, after('IN_TRANSIT_02', hourMs)),
  parcel('FQ210512954GB', 'Running shoes', 'royal-mail', 6 * hourMs, after('INFO_RECEIVED_01', 4 * hourMs)),
  parcel('RB848719115CN', null, null, 3 * hourMs, before('INFO_RECEIVED_01', 12 * hourMs)),
  parcel('6A92510893705', 'Vinyl records', 'la-poste', 8 * dayMs, after('DELIVERED_03', 15 * hourMs)),
  parcel('07176373107377', 'Rain jacket', 'dpd', 11 * dayMs, after('ABNORMAL_07', 14 * hourMs)),
  parcel('290026427795', 'Camera strap', 'fedex', 7 * dayMs, after('DELIVERY_FAILED_01', 12 * hourMs)),
];
