import { createMonitor } from '../../src/polling/core/monitor.ts';
import type { Monitor } from '../../src/polling/core/state.ts';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { defaultPollingPolicy } from '../../src/polling/schedule/policy.ts';
import { couriers } from '../../src/sandbox/data/couriers.ts';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { openAccount } from '../../src/sandbox/world/account.ts';
import { createTrackingService } from '../../src/service/client/client.ts';
import type { EpochMs } from '../../src/service/clock/clock.ts';
import { defaultKeyHeader } from '../../src/service/operations.ts';
import type { Parcel } from '../../src/watchlist/model/parcel.ts';
import { newParcel } from '../../src/watchlist/model/parcel-factory.ts';
import { hasLeftQueue } from '../../src/watchlist/rules/waiting.ts';
import { fewestCalls, quantile } from './figures.ts';
import { observe } from './observer.ts';
import { createRepeatDecoder } from './repeated-records.ts';
import { type SimulatedStore, simulateInMemory } from './simulated-store.ts';
import { createVirtualClock } from './virtual-clock.ts';
import { type Repeats, WorldDispatcher } from './world-dispatcher.ts';

/** What to simulate. */
export interface SimulationOptions {
  readonly parcels: number;
  readonly days: number;
  readonly seed: number;
  /** Makes what the parcels are kept in; in memory when left out. */
  readonly openStore?: (parcels: readonly Parcel[]) => Promise<SimulatedStore>;
  /** How records come that are known already; abridged when left out, which is quicker and comes to the same. */
  readonly repeats?: Repeats;
  /** Called every few simulated hours with how many have passed: a day of a long list can take minutes. */
  readonly onHours?: (hours: number) => void;
}

/** What came of it. */
export interface SimulationReport {
  readonly callsSent: number;
  readonly registerCalls: number;
  readonly queryCalls: number;
  readonly numbersAsked: number;
  /** For the same due times. */
  readonly fewestCalls: number;
  /** After `nextUpdateTime`, in milliseconds. */
  readonly stalenessMedianMs: number;
  readonly stalenessP99Ms: number;
  readonly stalenessLongestMs: number;
  /** Questions before their time. */
  readonly early: number;
  /** Calls that failed; there is no reason why one should. */
  readonly failed: number;
  /** Parcels without a record at the end, and those that had left the queue. */
  readonly withoutRecord: number;
  readonly finished: number;
  /** What checking everything every 15 minutes would have taken, in calls and in numbers. */
  readonly every15Calls: number;
  readonly every15Numbers: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const countedEveryMs = 4 * hourMs;
const start: EpochMs = Date.UTC(2026, 10, 19, 9, 0, 0);

/**
 * Lets the real poller, store and client follow parcels of the sandbox's world on a clock on which nobody waits. All
 * numbers are added at the start.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const { parcels: count, days, seed, openStore = simulateInMemory, repeats = 'abridged', onHours } = options;
  const clock = createVirtualClock(start);
  const random = seededRandom(seed, 'simulation');
  const account = openAccount({ seed, speed: 1 }, start);
  const dispatcher = new WorldDispatcher(account, clock, repeats);
  const client = createTrackingService({
    baseUrl: new URL('http://127.0.0.1:1/'),
    apiKey: 'simulated',
    header: defaultKeyHeader,
    clock,
    dispatcher,
    ...(repeats === 'abridged' ? { decodeQueried: createRepeatDecoder() } : {}),
  });
  let monitor: Monitor | null = null;
  const stateOf = (): ReturnType<Monitor['getState']> => {
    if (monitor === null) throw new Error('The monitor does not run yet.');
    return monitor.getState();
  };
  const { service, seen } = observe(client, clock, {
    parcels: () => stateOf().parcels,
    serviceClock: () => stateOf().serviceClock,
  });
  const added = Array.from({ length: count }, (_, index) => parcelOf(index));
  const simulated = await openStore(added);
  monitor = createMonitor({
    store: simulated.store,
    service,
    clock,
    random,
    // Nobody else writes this store.
    gate: new CallGate({ clock, random, policy: { followMs: hourMs } }),
  });
  const settle = async (): Promise<void> => {
    for (let calm = 0; calm < 2; calm = dispatcher.open > 0 ? 0 : calm + 1) {
      const answered = simulated.answered();
      if (answered !== null) calm = 0;
      await answered;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  // The first call loads what later ones find loaded, which takes real time and no virtual time.
  await client.couriers();
  await monitor.load();
  monitor.start();
  const every15 = { calls: 0, numbers: 0 };
  for (let at = start + countedEveryMs; at <= start + days * dayMs; at += countedEveryMs) {
    await clock.run(at, settle);
    // Few parcels leave in between, and counting takes as long as a good many calls.
    const waiting = stateOf().parcels.reduce((sum, parcel) => (hasLeftQueue(parcel) ? sum : sum + 1), 0);
    every15.calls += (countedEveryMs / (15 * minuteMs)) * Math.ceil(waiting / service.batchLimits.query);
    every15.numbers += (countedEveryMs / (15 * minuteMs)) * waiting;
    onHours?.((at - start) / hourMs);
  }
  const { parcels } = stateOf();
  await monitor.stop();
  await simulated.close();
  const { coalesceMs } = defaultPollingPolicy;
  return {
    callsSent: seen.calls.register + seen.calls.query,
    registerCalls: seen.calls.register,
    queryCalls: seen.calls.query,
    numbersAsked: seen.numbers.query,
    fewestCalls:
      fewestCalls(seen.due.register, service.batchLimits.register, coalesceMs) +
      fewestCalls(seen.due.query, service.batchLimits.query, coalesceMs),
    stalenessMedianMs: quantile(seen.staleness, 0.5),
    stalenessP99Ms: quantile(seen.staleness, 0.99),
    stalenessLongestMs: quantile(seen.staleness, 1),
    early: seen.early,
    failed: seen.failed,
    withoutRecord: parcels.filter(({ record }) => record === null).length,
    finished: parcels.filter(hasLeftQueue).length,
    every15Calls: every15.calls,
    every15Numbers: every15.numbers,
  };
}

function parcelOf(index: number): Parcel {
  const courier = couriers[index % couriers.length];
  const draft = {
    trackNo: `SIM${String(index).padStart(9, '0')}`,
    courierCode: courier?.code ?? null,
    label: null,
    postalCode: '50667',
    phoneSuffix: '1234',
  };
  const fresh = newParcel(draft, start, () => 0);
  return { ...fresh, id: `simulated-${index}` };
}
