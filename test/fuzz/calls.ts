import { createTrackingService, type HttpTrackingService } from '../../src/service/client.ts';
import type { TrackKey } from '../../src/service/record.ts';
import type { TransportOptions } from '../../src/service/transport.ts';
import type { baseAnswers } from './base-responses.ts';
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
  /** Numbers of the request, or null if it has none. */
  readonly requested: readonly TrackKey[] | null;
  /** Names of responses that fit, or nearly fit. */
  readonly answers: readonly (keyof typeof baseAnswers)[];
  readonly versions: Versions;
  readonly run: (service: HttpTrackingService) => Promise<unknown>;
}

const items = requestedKeys.map((key) => ({ ...key, postalCode: null, phoneSuffix: null }));
const older: Versions = { queryVersion: 'v2', registerVersion: 'v2' };
const newer: Versions = { queryVersion: 'v2.1', registerVersion: 'v2.1' };
const one = { requested: [onlyKey], versions: newer };
const many = { requested: requestedKeys, versions: newer };

/** Every operation of the client. */
export const fuzzedCalls = {
  query: { ...many, answers: ['query', 'query', 'fullPage'], run: (service) => service.query(requestedKeys) },
  queryV2: { ...many, answers: ['query'], versions: older, run: (service) => service.query(requestedKeys) },
  search: {
    requested: null,
    answers: ['query'],
    versions: newer,
    run: (service) => service.search({ createTimeStart: '2026-11-01 00:00:00' }, ''),
  },
  register: { ...many, answers: ['register'], versions: older, run: (service) => service.register(items) },
  registerV21: { ...many, answers: ['register'], run: (service) => service.register(items) },
  couriers: { requested: null, answers: ['couriers'], versions: newer, run: (service) => service.couriers() },
  delete: { ...many, answers: ['rejections'], run: (service) => service.delete(requestedKeys) },
  edit: { ...one, answers: ['done', 'rejections'], run: (service) => service.edit({ ...onlyKey, remark: 'gift' }) },
  changeCourier: {
    ...one,
    answers: ['done', 'rejections'],
    run: (service) => service.changeCourier(onlyKey, 'china-post'),
  },
  retrackOne: {
    ...one,
    answers: ['refreshed', 'refreshedAnother', 'refreshedBatch'],
    run: (service) => service.retrack([onlyKey]),
  },
  retrackMany: { ...many, answers: ['refreshedBatch', 'rejections'], run: (service) => service.retrack(requestedKeys) },
  instant: {
    ...one,
    answers: ['instant', 'query'],
    run: (service) => service.instant({ ...onlyKey, postalCode: null, phoneSuffix: null }),
  },
} as const satisfies Record<string, FuzzedCall>;

export type CallName = keyof typeof fuzzedCalls;

/** How to reach the fuzzed service. */
export type Reach = Pick<TransportOptions, 'baseUrl'> & Partial<TransportOptions>;

/** The client as the program creates it, on a clock that jumps, so that the rate limit causes no delay. */
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
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown };

/** Runs a call. An error is also an outcome. */
export async function outcomeOf(name: CallName, reach: Reach): Promise<Outcome> {
  const call = fuzzedCalls[name];
  const service = fuzzedService(reach, call.versions);
  try {
    return { kind: 'answered', value: await call.run(service) };
  } catch (error) {
    return { kind: 'threw', error };
  } finally {
    await service.close();
  }
}
