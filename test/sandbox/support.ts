import { type Dispatcher, request } from 'undici';
import { onTestFinished } from 'vitest';
import type { Clock, EpochMs } from '../../src/lib/clock.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Account, isRefusal, openAccount, type RegistrationRequest } from '../../src/sandbox/world/account.ts';
import type { Registration } from '../../src/sandbox/world/registration.ts';
import type { WireCheckpoint, WireRecord } from '../../src/service/wire.ts';

/** A Saturday afternoon in Europe, on a whole second. */
export const noon: EpochMs = Date.UTC(2026, 10, 21, 12, 0, 0);

/** A clock that only a test advances. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
}

export function manualClock(start: EpochMs = noon): ManualClock {
  let now = start;
  return {
    now: () => now,
    setTimer: () => {
      throw new Error('The sandbox needs no timers.');
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

export interface SandboxResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

export interface TestSandbox extends Sandbox {
  readonly clock: ManualClock;
  post(path: string, body: unknown): Promise<SandboxResponse>;
  get(path: string): Promise<SandboxResponse>;
  put(path: string, body: unknown): Promise<SandboxResponse>;
  /** A call that returns the response body as text, without parsing it. */
  raw(path: string, body: unknown): Promise<RawResponse>;
  /** Queries these numbers, and returns their records. */
  records(...trackNos: readonly string[]): Promise<readonly WireRecord[]>;
  /** A call in which the method, headers and body may be wrong. */
  call(
    path: string,
    options: { method?: Dispatcher.HttpMethod; headers?: Record<string, string>; body?: string },
  ): Promise<SandboxResponse>;
}

/** Starts a sandbox for one test, and closes it after the test. */
export async function runSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const clock = manualClock();
  const sandbox = await startSandbox({ port: 0, speed: 360, seed: 7, clock, ...options });
  onTestFinished(() => sandbox.close());
  const callRaw = async (
    path: string,
    { method = 'POST', headers = {}, body }: Parameters<TestSandbox['call']>[1],
  ): Promise<RawResponse> => {
    const response = await request(`${sandbox.baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  };
  const call: TestSandbox['call'] = async (path, options) => {
    const { text, ...response } = await callRaw(path, options);
    return { ...response, body: JSON.parse(text) };
  };
  const headers = {
    'Service-Api-Secret': sandbox.apiKey,
    'Content-Type': 'application/json',
    accept: 'application/json',
  };
  const post: TestSandbox['post'] = (path, body) => call(path, { headers, body: JSON.stringify(body) });
  return {
    ...sandbox,
    clock,
    call,
    post,
    put: (path, body) => call(path, { method: 'PUT', headers, body: JSON.stringify(body) }),
    raw: (path, body) => callRaw(path, { headers, body: JSON.stringify(body) }),
    records: async (...trackNos) => {
      const response = await post(queryPath, { trackNoInfos: trackNos.map((trackNo) => ({ trackNo })) });
      return response.body.data.accepted.content;
    },
    get: (path) => call(path, { method: 'GET', headers }),
  };
}

export const importPath = '/tk/v2/track/import';
export const queryPath = '/tk/v2.1/track/query';
export const instantPath = '/tk/v2.1/track/query-realtime';
export const faultsPath = '/sandbox/faults';
export const queryV2Path = '/tk/v2/track/query';

/** Returns the checkpoints of both couriers of a record, each event once, newest first. */
export function checkpointsOf({ localLogisticsInfo, lastMileInfo }: WireRecord): readonly WireCheckpoint[] {
  const local = lastMileInfo?.openApiWayBillInfo.trackingDetails ?? [];
  const reported = new Set(local.map(({ eventTimeZeroUTC, eventDetail }) => `${eventTimeZeroUTC} ${eventDetail}`));
  const others = (localLogisticsInfo?.trackingDetails ?? []).filter(
    ({ eventTimeZeroUTC, eventDetail }) => !reported.has(`${eventTimeZeroUTC} ${eventDetail}`),
  );
  return [...local, ...others].sort(
    (left, right) => Date.parse(right.eventTimeZeroUTC) - Date.parse(left.eventTimeZeroUTC),
  );
}

/** A UPS number that differs from test to test. */
export const upsNumber = (index: number): string => `1Z${String(index).padStart(16, '0')}`;

export const registrationRequest = (trackNo: string, courierCode: string | null = null): RegistrationRequest => ({
  trackNo,
  courierCode,
  merchant: {},
  extra: { postalCode: null, phoneSuffix: null },
});

/** Opens an account without HTTP. */
export function testAccount(seed = 7, speed = 360): Account {
  return openAccount({ seed, speed }, noon);
}

/** Registers a number. The test fails if it is rejected. */
export function registerParcel(account: Account, request: RegistrationRequest, at: EpochMs = noon): Registration {
  const outcome = account.register(request, at);
  if (isRefusal(outcome)) throw new Error(`${request.trackNo} was rejected: ${outcome.kind}`);
  return outcome;
}
