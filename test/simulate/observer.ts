import type { Clock, EpochMs } from '../../src/lib/clock.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { recordStage } from '../../src/parcels/parcel-state.ts';
import type { TrackingService } from '../../src/service/port.ts';
import { parseServiceTime, type ServiceClock } from '../../src/service/service-clock.ts';
import type { CallReason, NewsWatch } from './news.ts';

/** What an observer between the poller and the client saw. */
export interface Observations {
  calls: { register: number; query: number };
  /** The number of parcels in these calls. */
  numbers: { register: number; query: number };
  /** When each of these parcels was due. */
  readonly due: { readonly register: EpochMs[]; readonly query: EpochMs[] };
  /** How long after its record's `nextUpdateTime` each number was checked, in milliseconds. */
  readonly staleness: number[];
  /** Queries before their due time. */
  early: number;
  /** Calls that failed. */
  failed: number;
}

/** What the program knows at the moment. */
export interface ProgramState {
  readonly parcels: () => readonly Parcel[];
  readonly serviceClock: () => ServiceClock;
}

/** Wraps a service so that calls to it are observed. */
export function observe(
  service: TrackingService,
  clock: Pick<Clock, 'now'>,
  state: ProgramState,
  news: NewsWatch | null = null,
): { readonly service: TrackingService; readonly seen: Observations } {
  const seen: Observations = {
    calls: { register: 0, query: 0 },
    numbers: { register: 0, query: 0 },
    due: { register: [], query: [] },
    staleness: [],
    early: 0,
    failed: 0,
  };
  const positions = new Map<string, number>();
  const find = (trackNo: string): Parcel => {
    const parcels = state.parcels();
    if (positions.size === 0)
      for (const [position, parcel] of parcels.entries()) positions.set(parcel.trackNo, position);
    const parcel = parcels[positions.get(trackNo) ?? -1];
    if (parcel?.trackNo !== trackNo) throw new Error(`${trackNo} was queried but is not watched.`);
    return parcel;
  };
  const record = (operation: 'register' | 'query', keys: readonly { readonly trackNo: string }[]): void => {
    const now = clock.now();
    seen.calls[operation] += 1;
    seen.numbers[operation] += keys.length;
    for (const { trackNo } of keys) {
      const parcel = find(trackNo);
      const due = Date.parse(parcel.nextPollAt ?? '');
      seen.due[operation].push(due);
      if (due > now) seen.early += 1;
      const isFollowing = parcel.fruitlessPolls === 0 && recordStage(parcel) !== 'delivered';
      const nextUpdate = isFollowing
        ? parseServiceTime(parcel.record?.nextUpdateTime ?? null, state.serviceClock())
        : null;
      if (nextUpdate !== null) seen.staleness.push(now - nextUpdate);
    }
  };
  const countFailures = async <Response>(call: Promise<Response>, failure: CallReason): Promise<Response> => {
    try {
      return await call;
    } catch (error) {
      seen.failed += 1;
      news?.count(failure);
      throw error;
    }
  };
  return {
    seen,
    service: {
      batchLimits: service.batchLimits,
      couriers: (signal) => service.couriers(signal),
      register: async (items, signal) => {
        record('register', items);
        const response = await countFailures(service.register(items, signal), 'registration failed');
        news?.count('to register');
        return response;
      },
      query: async (keys, signal) => {
        record('query', keys);
        const response = await countFailures(service.query(keys, signal), 'query failed');
        news?.onResponse(response);
        return response;
      },
    },
  };
}
