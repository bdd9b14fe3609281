import { basename, dirname } from 'node:path';
import type { Clock } from '../../service/clock/clock.ts';
import { toStoreError } from '../errors.ts';
import { readJsonCache, writeJsonCache } from '../files/json-cache.ts';
import { removeLeftOvers } from '../files/left-overs.ts';
import { type LockContext, withFileLock } from '../lock/lock.ts';
import {
  addUsage,
  noUsage,
  readUsageDays,
  type Usage,
  type UsageDays,
  type UsageTotals,
  usageTotals,
} from './usage.ts';

/**
 * Port to the query meter: what was asked of the service, by all processes together, per UTC day and month. Methods
 * reject with a `StoreError`.
 */
export interface UsageMeter {
  /** What was asked so far. */
  read(): Promise<UsageTotals>;
  /**
   * Adds what `decide` answers to the newest totals; no other process adds anything in between. Negative counts give
   * back. Answers the totals after it.
   */
  add(decide: (totals: UsageTotals) => Usage): Promise<UsageTotals>;
}

/** What else is kept in the folder of the meter. */
const neighbours: ReadonlySet<string> = new Set(['polling.json', 'polling-lease']);

/**
 * A meter in a file (`meter.json`, mode 0600) that processes share under its lock. Bounded: some sixty days. A damaged
 * file counts as none. What is written most often beside it is this file itself, so it tidies their folder up as well:
 * once, of what processes left that were killed while they wrote.
 */
export function createFileUsageMeter(path: string, context: LockContext): UsageMeter {
  const readDays = async (): Promise<UsageDays> => readUsageDays(await readJsonCache(path));
  const isOurs = (name: string): boolean => name === basename(path) || neighbours.has(name);
  let isTidy = false;
  return {
    read: async () => usageTotals(await readDays(), context.clock.now()),
    async add(decide) {
      try {
        return await withFileLock(path, context, async () => {
          const now = context.clock.now();
          const days = await readDays();
          const usage = decide(usageTotals(days, now));
          if (usage === noUsage) return usageTotals(days, now);
          if (!isTidy) await removeLeftOvers(dirname(path), now, isOurs);
          isTidy = true;
          const added = addUsage(days, usage, now);
          await writeJsonCache(path, { version: 1, days: added }, context.random);
          return usageTotals(added, now);
        });
      } catch (error) {
        throw toStoreError(error, path);
      }
    },
  };
}

/** A meter that counts as long as the program runs: for the demo, simulations and tests. */
export function createMemoryUsageMeter(clock: Pick<Clock, 'now'>): UsageMeter {
  let days: UsageDays = {};
  return {
    read: async () => usageTotals(days, clock.now()),
    add: async (decide) => {
      const now = clock.now();
      days = addUsage(days, decide(usageTotals(days, now)), now);
      return usageTotals(days, now);
    },
  };
}
