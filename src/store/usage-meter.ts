import type { Clock } from '../lib/clock.ts';
import { replaceableFormat } from './file/document-format.ts';
import { JsonDocument } from './file/json-document.ts';
import type { LockContext } from './file/lock.ts';
import {
  addUsage,
  largerUsage,
  noUsage,
  readUsageDays,
  type Usage,
  type UsageDays,
  type UsageTotals,
  usageTotals,
} from './usage.ts';

/**
 * Port to the query meter: what was requested of the service, by all processes together, per UTC day and month. Methods
 * reject with a `StoreError`.
 */
export interface UsageMeter {
  /** What was requested so far. */
  read(): Promise<UsageTotals>;
  /**
   * Adds what `decide` answers to the newest totals; no other process adds anything in between; it may be called again
   * when the totals have changed meanwhile. Negative counts give back. Answers the totals after it. When it rejects,
   * nothing counts.
   * @param fence the number of the lease under which it is decided: a meter that is shared by hosts rejects with a
   * `LeaseLostError` where somebody else has that by now; null or left out where it does not matter
   */
  add(decide: (totals: UsageTotals) => Usage, fence?: number | null): Promise<UsageTotals>;
  /** Set where hosts share it: what it cannot count must not be sent, since others spend the same budget. */
  readonly isBinding?: true;
}

/** A meter that can go along with the watchlist for which it counts. Methods reject with a `StoreError`. */
export interface MovableUsageMeter extends UsageMeter {
  /** What was requested on each day that is kept. */
  days(): Promise<UsageDays>;
  /** Sees to it that on no day less is counted than there. To do so again changes nothing. */
  countNoLess(days: UsageDays): Promise<void>;
}

/** What else is kept in the folder of the meter. */
const neighbours: ReadonlySet<string> = new Set([
  'polling.json',
  'polling-lease',
  'view.json',
  'notify.json',
  'last-screen',
]);

/**
 * A meter in a file (`meter.json`, mode 0600) that processes share under its lock. Bounded: some sixty days. A damaged
 * file counts as none. What is written most often beside it is this file itself, so it tidies their folder up as well:
 * once, of what processes left that were killed while they wrote.
 */
export function createFileUsageMeter(path: string, context: LockContext): MovableUsageMeter {
  const format = replaceableFormat((value) => ({ days: readUsageDays(value) }));
  const document = new JsonDocument(path, { format, tidies: neighbours }, context);
  const { clock } = context;
  return {
    read: async () => usageTotals((await document.read()).days, clock.now()),
    async add(decide) {
      const { days } = await document.update((kept) => {
        const now = clock.now();
        const usage = decide(usageTotals(kept.days, now));
        return usage === noUsage ? kept : { days: addUsage(kept.days, usage, now) };
      });
      return usageTotals(days, clock.now());
    },
    days: async () => (await document.read()).days,
    async countNoLess(others) {
      await document.update((kept) => {
        const days = largerUsage(kept.days, others);
        return days === kept.days ? kept : { days };
      });
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
