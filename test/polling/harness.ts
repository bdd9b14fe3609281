import { onTestFinished } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { NewParcel } from '../../src/parcels/parcel-factory.ts';
import { CallGate, type CallGateOptions } from '../../src/polling/gate/call-gate.ts';
import { createMonitor, type Monitor, type MonitorOptions } from '../../src/polling/monitor.ts';
import type { InstantItem, InstantResponse } from '../../src/service/port.ts';
import { createMemoryStore } from '../../src/store/store.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { createFakeService, type FakeService, serviceClock } from './fake-service.ts';

export type HarnessOptions = Omit<MonitorOptions, 'gate' | 'instant'> &
  CallGateOptions & {
    /** Responds to live lookups, which pass through the gate. */
    readonly lookUp?: (item: InstantItem) => Promise<InstantResponse>;
  };

/** A monitor on a fake clock and a fake service. */
export interface Harness {
  readonly clock: FakeClock;
  readonly service: FakeService;
  readonly monitor: Monitor;
  readonly options: HarnessOptions;
  /** The parcel with this number. */
  parcel(trackNo: string): Parcel;
  /** Adds the parcel and waits for the write. */
  add(trackNo: string, fields?: Partial<NewParcel>): Promise<Parcel>;
}

/** Returns a parcel to add, with defaults. */
export const draftOf = (trackNo: string, fields: Partial<NewParcel> = {}): NewParcel => ({
  trackNo,
  courierCode: null,
  label: null,
  postalCode: null,
  phoneSuffix: null,
  ...fields,
});

/** Creates a linear congruential generator. */
export function createPseudoRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Creates a {@link Harness} with a loaded monitor. There is no jitter by default. */
export async function createHarness(
  options: Partial<HarnessOptions> = {},
  parts: { readonly clock?: FakeClock; readonly service?: FakeService } = {},
): Promise<Harness> {
  const clock = parts.clock ?? createFakeClock();
  const service = parts.service ?? createFakeService(clock);
  const allOptions: HarnessOptions = {
    store: createMemoryStore(),
    service,
    clock,
    random: createPseudoRandom(),
    configuredClock: serviceClock,
    ...options,
    policy: { jitterMs: 0, coalesceMs: 0, followMs: 3_600_000, minPauseMs: 0, ...options.policy },
  };
  const gate = new CallGate(allOptions);
  const { lookUp } = allOptions;
  const instant: MonitorOptions['instant'] =
    lookUp === undefined
      ? null
      : (item, signal, callOptions) =>
          gate.call({ origin: 'user', ...callOptions, operation: 'instant', signal, send: () => lookUp(item) });
  const monitor = createMonitor({ ...allOptions, gate, instant });
  await monitor.load();
  const parcel = (trackNo: string): Parcel => {
    const found = monitor.getState().parcels.find((candidate) => candidate.trackNo === trackNo);
    if (found === undefined) throw new Error(`${trackNo} is not watched`);
    return found;
  };
  return {
    clock,
    service,
    monitor,
    options: allOptions,
    parcel,
    add: async (trackNo, fields) => {
      await monitor.add(draftOf(trackNo, fields));
      return parcel(trackNo);
    },
  };
}

/** Creates a harness whose monitor stops at the end of the test. */
export async function startHarness(...args: Parameters<typeof createHarness>): Promise<Harness> {
  const harness = await createHarness(...args);
  onTestFinished(() => harness.monitor.stop());
  return harness;
}

/** Starts polling, and adds these numbers. No call is made until the clock advances. */
export async function startPolling(
  trackNos: readonly string[],
  ...args: Parameters<typeof createHarness>
): Promise<Harness> {
  const harness = await startHarness(...args);
  harness.monitor.start();
  for (const trackNo of trackNos) await harness.add(trackNo);
  return harness;
}
