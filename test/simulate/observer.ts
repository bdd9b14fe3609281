import type { Clock, EpochMs } from '../../src/lib/clock.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { recordStage } from '../../src/parcels/parcel-stage.ts';
import type { TrackingService } from '../../src/service/port.ts';
import { parseServiceTime, type ServiceClock } from '../../src/service/service-clock.ts';
import type { CallReason, NewsWatch } from './news.ts';

/** The poller's calls, observed between it and the client. */
export interface Observations {
  calls: { register: number; query: number };
  /** Numbers in these calls. */
  numbers: { register: number; query: number };
  /** When each of these numbers was due. */
  readonly due: { readonly register: EpochMs[]; readonly query: EpochMs[] };
  /** How long after its record's `nextUpdateTime` each number was checked, in milliseconds. */
  readonly staleness: number[];
  /** Queries before their due time. */
  early: number;
  /** Calls that failed. */
  failed: number;
}

/** The known data of parcels at this moment. */
export interface Knowledge {
  readonly parcels: () => readonly Parcel[];
  readonly serviceClock: () => ServiceClock;
}

/** Puts an observer between the poller and a service. */
export function observe(
  service: TrackingService,
  clock: Pick<Clock, 'now'>,
  knowledge: Knowledge,
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
    const parcels = knowledge.parcels();
    if (positions.size === 0)
      for (const [position, parcel] of parcels.entries()) positions.set(parcel.trackNo, position);
    const parcel = parcels[positions.get(trackNo) ?? -1];
    if (parcel?.trackNo !== trackNo) throw new Error(`${trackNo} was asked about and is not watched.`);
    return parcel;
  };
  const note = (operation: 'register' | 'query', keys: readonly { readonly trackNo: string }[]): void => {
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
        ? parseServiceTime(parcel.record?.nextUpdateTime ?? null, knowledge.serviceClock())
        : null;
      if (nextUpdate !== null) seen.staleness.push(now - nextUpdate);
    }
  };
  const counting = async <Answer>(call: Promise<Answer>, failure: CallReason): Promise<Answer> => {
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
        note('register', items);
        const answer = await counting(service.register(items, signal), 'registration failed');
        news?.count('to register');
        return answer;
      },
      query: async (keys, signal) => {
        note('query', keys);
        const answer = await counting(service.query(keys, signal), 'query failed');
        news?.answered(answer);
        return answer;
      },
    },
  };
}
