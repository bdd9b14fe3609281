import { createTrackingService, type HttpTrackingService } from '../../src/service/client.ts';
import type { TrackKey } from '../../src/service/port.ts';
import type { TransportOptions } from '../../src/service/transport.ts';
import type { baseResponses } from './base-responses.ts';
import { fuzzKey, numbers } from './odd-values.ts';

/** The numbers of every fuzzed call: one number under two couriers, one with a courier, one without. */
export const requestedKeys: readonly TrackKey[] = [
  { trackNo: numbers.twin, courierCode: 'yanwen' },
  { trackNo: numbers.plain, courierCode: 'ups' },
  { trackNo: numbers.detected, courierCode: null },
  { trackNo: numbers.twin, courierCode: 'china-post' },
];
const onlyKey = { trackNo: numbers.twin, courierCode: 'yanwen' };

type Versions = { readonly queryVersion: 'v2' | 'v2.1'; readonly registerVersion: 'v2' | 'v2.1' };

interface FuzzedCall {
  /** The requested numbers, or null if the request has none. */
  readonly requested: readonly TrackKey[] | null;
  /** Names of responses that match the call, or nearly do. */
  readonly responses: readonly (keyof typeof baseResponses)[];
  readonly versions: Versions;
  readonly run: (service: HttpTrackingService) => Promise<unknown>;
}

const items = requestedKeys.map((key) => ({ ...key, postalCode: null, phoneSuffix: null }));
const older: Versions = { queryVersion: 'v2', registerVersion: 'v2' };
const newer: Versions = { queryVersion: 'v2.1', registerVersion: 'v2.1' };
const oneKey = { requested: [onlyKey], versions: newer };
const severalKeys = { requested: requestedKeys, versions: newer };

/** Every operation of the client. */
export const fuzzedCalls = {
  query: { ...severalKeys, responses: ['query', 'query', 'fullPage'], run: (service) => service.query(requestedKeys) },
  queryV2: { ...severalKeys, responses: ['query'], versions: older, run: (service) => service.query(requestedKeys) },
  search: {
    requested: null,
    responses: ['query'],
    versions: newer,
    run: (service) => service.search({ createTimeStart: '2026-11-01 00:00:00' }, ''),
  },
  register: { ...severalKeys, responses: ['register'], versions: older, run: (service) => service.register(items) },
  registerV21: { ...severalKeys, responses: ['register'], run: (service) => service.register(items) },
  couriers: { requested: null, responses: ['couriers'], versions: newer, run: (service) => service.couriers() },
  delete: { ...severalKeys, responses: ['rejections'], run: (service) => service.delete(requestedKeys) },
  edit: {
    ...oneKey,
    responses: ['done', 'rejections'],
    run: (service) => service.edit({ ...onlyKey, remark: 'gift' }),
  },
  changeCourier: {
    ...oneKey,
    responses: ['done', 'rejections'],
    run: (service) => service.changeCourier(onlyKey, 'china-post'),
  },
  retrackOne: {
    ...oneKey,
    responses: ['refreshed', 'refreshedOther', 'refreshedBatch'],
    run: (service) => service.retrack([onlyKey]),
  },
  retrackMany: {
    ...severalKeys,
    responses: ['refreshedBatch', 'rejections'],
    run: (service) => service.retrack(requestedKeys),
  },
  instant: {
    ...oneKey,
    responses: ['instant', 'query'],
    run: (service) => service.instant({ ...onlyKey, postalCode: null, phoneSuffix: null }),
  },
} as const satisfies Record<string, FuzzedCall>;

export type CallName = keyof typeof fuzzedCalls;

/** How to reach the fuzzed service. */
export type Reach = Pick<TransportOptions, 'baseUrl'> & Partial<TransportOptions>;

/** Creates the client as the program does, on a clock that jumps, so that the rate limit causes no delay. */
export function fuzzedService(reach: Reach, versions: Versions): HttpTrackingService {
  let now = Date.UTC(2026, 10, 21, 12);
  const clock = {
    now: () => {
      now += 1000;
      return now;
    },
    setTimer: () => () => undefined,
  };
  return createTrackingService({ apiKey: fuzzKey, header: 'Service-Api-Secret', clock, ...versions, ...reach });
}

/** The outcome of a call. */
export type Outcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

/** Runs a call. An error is an outcome too. */
export async function runCall(name: CallName, reach: Reach): Promise<Outcome> {
  const call = fuzzedCalls[name];
  const service = fuzzedService(reach, call.versions);
  try {
    return { kind: 'returned', value: await call.run(service) };
  } catch (error) {
    return { kind: 'threw', error };
  } finally {
    await service.close();
  }
}
