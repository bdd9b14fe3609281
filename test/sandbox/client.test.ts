import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { operationsOf } from '../../src/sandbox/http/operations.ts';
import { Credit } from '../../src/sandbox/http/responses.ts';
import { createTrackingService, type HttpTrackingService } from '../../src/service/client.ts';
import {
  BadResponseError,
  defaultKeyHeader,
  defaultOperations,
  KeyRefusedError,
  OperationMissingError,
  QuotaExhaustedError,
  RateLimitedError,
  RequestRefusedError,
  ResponseTooLargeError,
  ServiceTimeoutError,
  ServiceTroubleError,
  UnreachableError,
} from '../../src/service/port.ts';
import { realClock } from '../support/real-clock.ts';
import { noon, runSandbox, type TestSandbox, testAccount, upsNumber } from './support.ts';

/** The machine's clock, on which tests can skip time instead of waiting for lookups. */
function skippingClock(): Clock & { skip(ms: number): void } {
  let skipped = 0;
  return {
    ...realClock,
    now: () => realClock.now() + skipped,
    skip: (ms) => {
      skipped += ms;
    },
  };
}

let clock: ReturnType<typeof skippingClock>;
let sandbox: TestSandbox;
let service: HttpTrackingService;

/** Connects a client to the sandbox, with a timeout that is long enough for a busy machine. */
function connect(timeoutMs = 60_000): HttpTrackingService {
  const { baseUrl, apiKey } = sandbox;
  const connected = createTrackingService({
    baseUrl: new URL(baseUrl),
    apiKey,
    header: defaultKeyHeader,
    clock: realClock,
    timeoutMs,
  });
  onTestFinished(() => connected.close());
  return connected;
}

beforeEach(async () => {
  clock = skippingClock();
  sandbox = await runSandbox({ clock, speed: 360 });
  service = connect();
});

const key = { trackNo: '3SABCD1234567', courierCode: 'postnl' };
const item = { ...key, postalCode: null, phoneSuffix: null };

it('serves every operation that the client knows, at the same path and with the same method', () => {
  const served = operationsOf({
    account: testAccount(),
    credit: new Credit(null),
    clock: { ...realClock, now: () => noon },
    courierRows: [],
  });
  for (const [name, { method, path, callsPerSecond }] of Object.entries(defaultOperations)) {
    expect(served).toContainEqual(expect.objectContaining({ name, method, path, callsPerSecond }));
  }
});

describe('the client', () => {
  it('registers, edits, refreshes, moves, looks up and deletes a number', async () => {
    expect(await service.register([item])).toMatchObject({ accepted: [key], known: [], rejected: [] });
    expect(await service.register([item])).toMatchObject({ accepted: [], known: [key] });
    clock.skip(3_600_000);
    const status = async () => (await service.query([key])).records[0]?.transitStatus;
    expect(await status()).toBe('NO_RECORD');
    await service.edit({ ...key, postalCode: '1012 AB', remark: 'gift' });
    expect(await service.retrack([key])).toMatchObject([{ ...key, accepted: true }]);
    expect(await service.retrack([key])).toMatchObject([{ ...key, accepted: false }]);
    expect(await status()).not.toBe('NO_RECORD');
    await service.changeCourier(key, 'bpost');
    const [moved] = (await service.query([{ ...key, courierCode: 'bpost' }])).records;
    expect(moved?.received).toMatchObject({ remark: 'gift' });
    const instant = await service.instant({ ...item, courierCode: 'bpost' });
    expect(instant).toMatchObject({ kind: 'record', record: { trackNo: key.trackNo } });
    expect(await service.delete([key, { ...key, courierCode: 'bpost' }])).toMatchObject([{ trackNo: key.trackNo }]);
    expect((await service.query([key])).unregistered).toMatchObject([{ trackNo: key.trackNo }]);
  });

  it('refreshes several numbers, some of them not registered', async () => {
    const keys = [0, 1, 2].map((index) => ({ trackNo: upsNumber(index), courierCode: 'ups' }));
    await service.register(keys.slice(0, 2).map((named) => ({ ...named, postalCode: null, phoneSuffix: null })));
    const outcomes = await service.retrack(keys);
    expect(outcomes.map(({ accepted }) => accepted)).toEqual([true, true, false]);
  });
});

describe('the client during faults', () => {
  it.each([
    ['rate-limit-429', RateLimitedError],
    ['rate-limit-200', RateLimitedError],
    ['error-500', ServiceTroubleError],
    ['html-502', ServiceTroubleError],
    ['html-200', BadResponseError],
    ['not-found-404', OperationMissingError],
    ['forbidden-403', KeyRefusedError],
    ['missing-operation', OperationMissingError],
    ['out-of-credit', QuotaExhaustedError],
    ['key-revoked', KeyRefusedError],
    ['message-only', BadResponseError],
    ['hang', ServiceTimeoutError],
    ['reset', UnreachableError],
    ['truncated-json', BadResponseError],
    ['empty-body', BadResponseError],
    ['giant-answer', ResponseTooLargeError],
    ['missing-data', BadResponseError],
  ])('throws the matching error for %s', async (name, expected) => {
    await service.register([{ ...item, trackNo: upsNumber(1), courierCode: 'ups' }]);
    await sandbox.put('/sandbox/faults', [name]);
    // Only this call must reach the timeout.
    const client = name === 'hang' ? connect(100) : service;
    await expect(client.query([{ trackNo: upsNumber(1), courierCode: null }])).rejects.toBeInstanceOf(expected);
  });

  it('throws the matching error for a rejected edit', async () => {
    await expect(service.edit({ ...key, remark: 'x' })).rejects.toBeInstanceOf(RequestRefusedError);
  });

  it.each([
    'repeating-page',
    'wrong-order',
    'duplicate-records',
    'unknown-status',
    'hostile-text',
    'every-optional-missing',
    'wrong-content-type',
  ])('reads every record exactly once despite %s', async (name) => {
    const keys = [0, 1, 2].map((index) => ({ trackNo: upsNumber(index), courierCode: null }));
    await service.register(keys.map((named) => ({ ...named, postalCode: null, phoneSuffix: null })));
    await sandbox.put('/sandbox/faults', [name]);
    const { records } = await service.query(keys);
    expect(records.map(({ trackNo }) => trackNo).toSorted()).toEqual(keys.map(({ trackNo }) => trackNo));
  });
});
