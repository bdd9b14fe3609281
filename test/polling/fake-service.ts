import type { EpochMs } from '../../src/lib/clock.ts';
import {
  CancelledError,
  type QueryResponse,
  type RegisterResponse,
  type RegistrationItem,
  type Rejection,
  type TrackingService,
  type TrackKey,
} from '../../src/service/port.ts';
import type { TrackingRecord } from '../../src/service/record.ts';
import { formatServiceTime } from '../../src/service/service-clock.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { recordOf } from '../support/records.ts';

export interface SeenCall {
  readonly operation: 'register' | 'query';
  readonly at: EpochMs;
  readonly trackNos: readonly string[];
  readonly keys: readonly (RegistrationItem | TrackKey)[];
}

/** Null omits the number from the response. */
export type Reply = Partial<TrackingRecord> | { readonly rejected: string } | null;

/** An in-memory service with scripted responses. */
export interface FakeService extends TrackingService {
  readonly calls: SeenCall[];
  /** The times of one operation's calls, relative to the start. */
  timesOf(operation: SeenCall['operation']): number[];
  /** The response to a query of a registered number. */
  reply: (key: TrackKey) => Reply | readonly Reply[];
  /** Returns why a registration is rejected, or null if it is accepted. */
  refuse: (item: RegistrationItem) => string | null;
  /** Thrown instead of sending a response. A function decides per call. */
  failure: Error | ((call: SeenCall) => Error | null) | null;
  /** Registered numbers, in upper case. */
  readonly registered: Set<string>;
  /** Whether queries do not return a registered number yet. It can then be registered again. */
  isUnindexed: (trackNo: string) => boolean;
}

/** The fake service's clock. */
export const serviceClock = { offsetMinutes: 8 * 60, source: 'configured' } as const;

/** A time on the service clock. */
export const onServiceClock = (at: EpochMs): string => formatServiceTime(at, serviceClock);

/** Creates a {@link FakeService}. By default it accepts everything, and the next update is in an hour. */
export function createFakeService(clock: FakeClock, batchLimit = 100): FakeService {
  const start = clock.now();
  const registered = new Set<string>();

  const recordCall = async (operation: SeenCall['operation'], keys: readonly TrackKey[], signal?: AbortSignal) => {
    const call: SeenCall = { operation, at: clock.now(), trackNos: keys.map(({ trackNo }) => trackNo), keys };
    service.calls.push(call);
    await Promise.resolve();
    if (signal?.aborted) throw new CancelledError('The request was ended.');
    const failure = typeof service.failure === 'function' ? service.failure(call) : service.failure;
    if (failure !== null) throw failure;
  };
  const rejection = (index: number, key: TrackKey, message: string): Rejection => ({
    index,
    trackNo: key.trackNo,
    courierCode: null,
    code: 'A0400',
    message,
  });

  const service: FakeService = {
    calls: [],
    registered,
    batchLimits: { register: batchLimit, query: batchLimit },
    failure: null,
    refuse: () => null,
    isUnindexed: () => false,
    reply: () => ({ nextUpdateTime: onServiceClock(clock.now() + 3_600_000) }),
    timesOf: (operation) => service.calls.filter((call) => call.operation === operation).map((call) => call.at - start),

    async register(items, signal): Promise<RegisterResponse> {
      await recordCall('register', items, signal);
      const accepted: TrackKey[] = [];
      const known: TrackKey[] = [];
      const rejected: Rejection[] = [];
      for (const [index, item] of items.entries()) {
        const reason = service.refuse(item);
        const number = item.trackNo.toUpperCase();
        if (reason !== null) rejected.push(rejection(index, item, reason));
        else
          (registered.has(number) && !service.isUnindexed(number) ? known : accepted).push({
            trackNo: item.trackNo,
            courierCode: item.courierCode,
          });
        if (reason === null) registered.add(number);
      }
      return { accepted, known, rejected, traceId: 'trace-register' };
    },

    async query(keys, signal): Promise<QueryResponse> {
      await recordCall('query', keys, signal);
      const records: TrackingRecord[] = [];
      const unregistered: Rejection[] = [];
      const rejected: Rejection[] = [];
      for (const [index, key] of keys.entries()) {
        const number = key.trackNo.toUpperCase();
        if (!registered.has(number) || service.isUnindexed(number)) {
          unregistered.push(rejection(index, key, 'trackNo not registered'));
          continue;
        }
        const replies = [service.reply(key)].flat();
        for (const reply of replies) {
          if (reply === null) continue;
          if ('rejected' in reply) rejected.push(rejection(index, key, reply.rejected));
          else records.push(recordOf({ trackNo: key.trackNo, courierCode: key.courierCode, ...reply }));
        }
      }
      // Never in the order of the request.
      return { records: records.reverse(), unregistered, rejected, traceId: 'trace-query' };
    },

    couriers: async () => [],
  };
  return service;
}
