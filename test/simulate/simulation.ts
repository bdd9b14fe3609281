import type { EpochMs } from '../../src/lib/clock.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { newParcel } from '../../src/parcels/parcel-factory.ts';
import { hasLeftQueue } from '../../src/parcels/parcel-state.ts';
import { CallGate } from '../../src/polling/gate/call-gate.ts';
import { createMonitor, type Monitor } from '../../src/polling/monitor.ts';
import { defaultPollingPolicy } from '../../src/polling/schedule/timings.ts';
import { couriers } from '../../src/sandbox/couriers.ts';
import { createFaultSwitch } from '../../src/sandbox/faults/active-faults.ts';
import { type FaultRule, parseFault } from '../../src/sandbox/faults/fault-rule.ts';
import { lookupRulesFor } from '../../src/sandbox/sandbox.ts';
import { seededRandom } from '../../src/sandbox/seeded-random.ts';
import { openAccount } from '../../src/sandbox/world/account.ts';
import type { LookupRules } from '../../src/sandbox/world/lookups.ts';
import { createTrackingService } from '../../src/service/client.ts';
import { defaultKeyHeader } from '../../src/service/port.ts';
import { fewestPossible } from './fewest-possible.ts';
import { fewestCalls, quantile } from './figures.ts';
import { type CallReason, type NewsKind, NewsWatch, versionsUntil } from './news.ts';
import { observe } from './observer.ts';
import { type SimulatedStore, simulateInMemory } from './simulated-store.ts';
import { createVirtualClock } from './virtual-clock.ts';
import { WorldDispatcher } from './world-dispatcher.ts';

export interface SimulationOptions {
  readonly parcels: number;
  readonly days: number;
  readonly seed: number;
  /** Creates the store for the parcels. Defaults to memory. */
  readonly openStore?: (parcels: readonly Parcel[]) => Promise<SimulatedStore>;
  /** Defaults to no problems. */
  readonly problems?: ServiceProblems;
  /** Called every few simulated hours with their number, because a day of a long list can take minutes. */
  readonly onHours?: (hours: number) => void;
}

/** Problems with the service and with our clock. Each number has at most one. */
export interface ServiceProblems {
  /** How late records change, in the format of the fault `lag`: `30s`, `5s-60s`. */
  readonly lag?: string;
  /** How far our clock is ahead of the service clock, in milliseconds. */
  readonly aheadMs?: number;
  /** The number of parcels that make an entire query fail. */
  readonly poison?: number;
  /** The number of parcels that make an entire registration fail. */
  readonly failingRegistrations?: number;
  /** The number of parcels without a record, for one of three reasons in turn. */
  readonly silent?: number;
  /** The number of parcels whose next update is always announced for a second later. */
  readonly hasty?: number;
}

export interface SimulationReport {
  readonly callsSent: number;
  readonly registerCalls: number;
  readonly queryCalls: number;
  readonly numbersQueried: number;
  /** The minimum number of calls for the same due times. */
  readonly fewestCalls: number;
  /** How long after `nextUpdateTime` numbers were checked, in milliseconds. */
  readonly stalenessMedianMs: number;
  readonly stalenessP99Ms: number;
  readonly stalenessLongestMs: number;
  /** Queries before their due time. */
  readonly early: number;
  /** Failed calls, which should not happen. */
  readonly failed: number;
  /** Parcels without a record at the end, and those that had left the queue. */
  readonly withoutRecord: number;
  readonly finished: number;
  /** The cost of checking everything every 15 minutes, in calls and in numbers. */
  readonly every15Calls: number;
  readonly every15Numbers: number;
  /** The minimum number of calls, made by an omniscient client. */
  readonly fewestPossible: number;
  readonly reasons: ReadonlyMap<CallReason, number>;
  /** For ordinary numbers, how long after their creation records were shown, in milliseconds. */
  readonly newsDelays: ReadonlyMap<NewsKind, readonly number[]>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const countedEveryMs = 4 * hourMs;
const start: EpochMs = Date.UTC(2026, 10, 19, 9, 0, 0);

/**
 * Runs the real poller, store and client on parcels of the sandbox's world, on a clock that jumps. All numbers are
 * added at the start.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const { parcels: count, days, seed, openStore = simulateInMemory, onHours, problems = {} } = options;
  const clock = createVirtualClock(start);
  const random = seededRandom(seed, 'simulation');
  const { aheadMs = 0 } = problems;
  const serviceNow = (): EpochMs => clock.now() - aheadMs;
  const groups = assignGroups(count, problems);
  const rules = createFaultRules(groups, problems);
  const currentRules = (trackNo: string): LookupRules => lookupRulesFor(rules, trackNo);
  const account = openAccount({ seed, speed: 1, lookupRulesFor: currentRules }, serviceNow());
  const faults = rules.length === 0 ? null : createFaultSwitch(seed, rules);
  const dispatcher = new WorldDispatcher(account, { ...clock, now: serviceNow }, faults);
  const news = new NewsWatch(account, serviceNow);
  const client = createTrackingService({
    baseUrl: new URL('http://127.0.0.1:1/'),
    apiKey: 'simulated',
    header: defaultKeyHeader,
    clock,
    dispatcher,
  });
  let monitor: Monitor | null = null;
  const stateOf = (): ReturnType<Monitor['getState']> => {
    if (monitor === null) throw new Error('The monitor is not running yet.');
    return monitor.getState();
  };
  const { service, seen } = observe(
    client,
    clock,
    {
      parcels: () => stateOf().parcels,
      serviceClock: () => stateOf().serviceClock,
    },
    news,
  );
  const added = Array.from({ length: count }, (_, index) => parcelOf(index));
  const simulated = await openStore(added);
  monitor = createMonitor({
    skewBounds: () => client.skewBounds?.() ?? null,
    store: simulated.store,
    service,
    clock,
    random,
    // No other process writes to this store.
    gate: new CallGate({ clock, random, policy: { followMs: hourMs } }),
  });
  const settle = async (): Promise<void> => {
    for (let calm = 0; calm < 2; calm = dispatcher.open > 0 ? 0 : calm + 1) {
      const idle = simulated.whenIdle();
      if (idle !== null) calm = 0;
      await idle;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  // The first call loads modules, which takes real time and no virtual time.
  await client.couriers();
  await monitor.load();
  monitor.start();
  const every15 = { calls: 0, numbers: 0 };
  for (let at = start + countedEveryMs; at <= start + days * dayMs; at += countedEveryMs) {
    await clock.run(at, settle);
    // Few parcels leave in between, and counting takes as long as many calls.
    const waiting = stateOf().parcels.reduce((sum, parcel) => (hasLeftQueue(parcel) ? sum : sum + 1), 0);
    every15.calls += (countedEveryMs / (15 * minuteMs)) * Math.ceil(waiting / service.batchLimits.query);
    every15.numbers += (countedEveryMs / (15 * minuteMs)) * waiting;
    onHours?.((at - start) / hourMs);
  }
  const { parcels } = stateOf();
  await monitor.stop();
  await simulated.close();
  const { coalesceMs } = defaultPollingPolicy;
  // A number that the program has not registered yet has been late since the start.
  const late = groups.ordinary.filter((trackNo) => account.find(trackNo, null).length === 0);
  for (const { trackNo, courierCode } of added.filter((parcel) => late.includes(parcel.trackNo))) {
    account.register({ trackNo, courierCode, merchant: {}, extra }, start - aheadMs);
  }
  const versions = versionsUntil(account, groups.ordinary, serviceNow());
  return {
    callsSent: seen.calls.register + seen.calls.query,
    registerCalls: seen.calls.register,
    queryCalls: seen.calls.query,
    numbersQueried: seen.numbers.query,
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
    fewestPossible: fewestPossible({
      versions,
      startedAt: start - aheadMs,
      until: serviceNow(),
      batchLimit: service.batchLimits.query,
      registered: count - groups.failing.length,
      silent: groups.silent.length,
      poison: groups.poison.length,
      failingRegistrations: groups.failing.length,
      hasty: groups.hasty.length,
    }),
    reasons: news.reasons,
    newsDelays: news.delays(versions, serviceNow()),
  };
}

interface Groups {
  readonly poison: readonly string[];
  readonly failing: readonly string[];
  readonly silent: readonly string[];
  readonly hasty: readonly string[];
  readonly ordinary: readonly string[];
}

function assignGroups(count: number, problems: ServiceProblems): Groups {
  const { poison = 0, failingRegistrations = 0, silent = 0, hasty = 0 } = problems;
  const numbers = Array.from({ length: count }, (_, index) => trackNoOf(index));
  const take = (amount: number): readonly string[] => numbers.splice(0, amount);
  return {
    poison: take(poison),
    failing: take(failingRegistrations),
    silent: take(silent),
    hasty: take(hasty),
    ordinary: numbers,
  };
}

function createFaultRules({ poison, failing, silent, hasty }: Groups, { lag }: ServiceProblems): readonly FaultRule[] {
  const forNumbers = (fault: string, numbers: readonly string[]): readonly string[] =>
    numbers.length === 0 ? [] : [`${fault}:number=${numbers.join(',')}`];
  const third = (rest: number): readonly string[] => silent.filter((_, index) => index % 3 === rest);
  return [
    ...(lag === undefined ? [] : [`lag:${lag}`]),
    ...forNumbers('error-500:query', poison),
    ...forNumbers('error-500:register', failing),
    ...forNumbers('never-looked-up', third(0)),
    ...forNumbers('no-record', third(1)),
    ...forNumbers('missing-record:query', third(2)),
    ...forNumbers('interval:1s', hasty),
  ].map(parseFault);
}

const extra = { postalCode: '50667', phoneSuffix: '1234' };

const trackNoOf = (index: number): string => `SIM${String(index).padStart(9, '0')}`;

function parcelOf(index: number): Parcel {
  const courier = couriers[index % couriers.length];
  const draft = {
    trackNo: trackNoOf(index),
    courierCode: courier?.code ?? null,
    label: null,
    ...extra,
  };
  const fresh = newParcel(draft, start, () => 0);
  return { ...fresh, id: `simulated-${index}` };
}
