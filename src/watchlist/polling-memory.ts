import * as v from 'valibot';
import type { EpochMs, Random } from '../service/clock.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import { readJsonCache, writeJsonCache } from './json-cache.ts';

/** No call goes out before `until`. */
export interface CoolDown {
  readonly until: EpochMs;
  /** True when the service named the time (Retry-After): then nobody may ask earlier, not even the user. */
  readonly byService: boolean;
  /** Failed calls in a row; drives the back-off. */
  readonly failures: number;
}

/** What the asking remembers over a restart. */
export interface PollingMemoryData {
  /** The service clock as measured; null until it has been. */
  readonly measuredOffsetMinutes: number | null;
  readonly coolDown: CoolDown | null;
}

/** Port to where the asking keeps what must survive a restart. Methods reject with a `StoreError`. */
export interface PollingMemory {
  /** What was kept last; nothing remembered when there is none or it is damaged. */
  load(): Promise<PollingMemoryData>;
  save(data: PollingMemoryData): Promise<void>;
}

/** Nothing remembered. */
export const emptyPollingMemory: PollingMemoryData = { measuredOffsetMinutes: null, coolDown: null };

/** The measured offset as a service clock; null when it has not been measured. */
export function measuredClock({ measuredOffsetMinutes }: PollingMemoryData): ServiceClock | null {
  return measuredOffsetMinutes === null ? null : { offsetMinutes: measuredOffsetMinutes, source: 'measured' };
}

const dataSchema: v.GenericSchema<unknown, PollingMemoryData> = v.object({
  measuredOffsetMinutes: v.fallback(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-12 * 60), v.maxValue(14 * 60))),
    null,
  ),
  coolDown: v.fallback(
    v.nullable(
      v.object({
        until: v.pipe(v.number(), v.finite()),
        byService: v.boolean(),
        failures: v.pipe(v.number(), v.integer(), v.minValue(0)),
      }),
    ),
    null,
  ),
});

/**
 * Remembers in a file (`polling.json`, mode 0600). A damaged file counts as none: everything in it can be measured or
 * waited for again.
 */
export function createFilePollingMemory(path: string, random: Random): PollingMemory {
  return {
    async load() {
      const result = v.safeParse(dataSchema, await readJsonCache(path));
      return result.success ? result.output : emptyPollingMemory;
    },
    save: async (data) => await writeJsonCache(path, { version: 1, ...data }, random),
  };
}

/** Remembers as long as the program runs: for the demo, simulations and tests. */
export function createMemoryPollingMemory(initial: PollingMemoryData = emptyPollingMemory): PollingMemory {
  let data = initial;
  return {
    load: async () => data,
    save: async (newer) => {
      data = newer;
    },
  };
}
