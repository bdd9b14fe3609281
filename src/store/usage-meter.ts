import type { Clock, EpochMs } from '../lib/clock.ts';
import { isJsonObject } from '../lib/json.ts';
import { StoreError } from '../lib/store-errors.ts';
import { createMemoryDocument, type Document } from './store.ts';

export interface Usage {
  readonly calls: number;
  /** Requests that query trackings, however many numbers each contains. */
  readonly queries: number;
  readonly numbers: number;
  readonly registrations: number;
}

/** Usage on a day and in its month. Both are in UTC, so they do not depend on the user's zone or on summer time. */
export interface UsageTotals {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly today: Usage;
  readonly month: Usage;
}

/** Usage by day, `YYYY-MM-DD` in UTC. The number of days is limited, see {@link addUsage}. */
export type UsageDays = Readonly<Record<string, Usage>>;

export const mapUsage = (getCount: (name: keyof Usage) => number): Usage => ({
  calls: getCount('calls'),
  queries: getCount('queries'),
  numbers: getCount('numbers'),
  registrations: getCount('registrations'),
});

export const noUsage: Usage = mapUsage(() => 0);

/** Two whole months, so that the previous month is always complete. */
const maxDays = 62;
/** How many days in the future to keep in addition to a month of past days. */
const maxDaysAhead = 30;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const usageFields = ['calls', 'queries', 'numbers', 'registrations'] as const;

export function usageDay(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function nextUsageDay(at: EpochMs): EpochMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
}

export function nextUsageMonth(at: EpochMs): EpochMs {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Adds two usages. A correction has negative counts, but the sum is never below zero. */
export const sumUsage = (a: Usage, b: Usage): Usage => mapUsage((name) => Math.max(0, a[name] + b[name]));

/**
 * Adds `usage` to the day of `now`. Keeps the newest days, and always today. Days in the future, which were counted while
 * the clock was ahead, displace at most a month, because it may be today's clock that is wrong.
 */
export function addUsage(days: UsageDays, usage: Usage, now: EpochMs): UsageDays {
  const today = usageDay(now);
  const otherDays = Object.keys(days)
    .filter((day) => day !== today)
    .sort();
  const pastDays = otherDays.filter((day) => day < today);
  const futureDays = otherDays.slice(pastDays.length).slice(-Math.max(maxDaysAhead, maxDays - 1 - pastDays.length));
  const keptEntries = [...pastDays.slice(-Math.max(1, maxDays - 1 - futureDays.length)), ...futureDays].flatMap(
    (day): [string, Usage][] => (days[day] === undefined ? [] : [[day, days[day]]]),
  );
  return Object.fromEntries([...keptEntries, [today, sumUsage(days[today] ?? noUsage, usage)]]);
}

/**
 * Merges the counts of two meters of one account that started as copies, by taking the larger count of each day. Returns
 * `days` itself if no other count is larger.
 */
function largerUsage(days: UsageDays, others: UsageDays): UsageDays {
  const larger = Object.entries(others).flatMap(([day, other]): [string, Usage][] => {
    const usage = days[day] ?? noUsage;
    const isMore = usageFields.some((field) => other[field] > usage[field]);
    return isMore ? [[day, mapUsage((name) => Math.max(usage[name], other[name]))]] : [];
  });
  return larger.length === 0 ? days : { ...days, ...Object.fromEntries(larger) };
}

export function usageTotals(days: UsageDays, now: EpochMs): UsageTotals {
  const day = usageDay(now);
  const month = Object.keys(days)
    .filter((name) => name.slice(0, 7) === day.slice(0, 7))
    .reduce((sum, name) => sumUsage(sum, days[name] ?? noUsage), noUsage);
  return { day, today: days[day] ?? noUsage, month };
}

/** Parses the days from a value of any shape. Leaves out invalid days. */
export function readUsageDays(value: unknown): UsageDays {
  const days = isJsonObject(value) ? value['days'] : null;
  if (!isJsonObject(days)) return {};
  return Object.fromEntries(
    Object.entries(days).flatMap(([day, usage]): [string, Usage][] =>
      dayPattern.test(day) ? [[day, mapUsage((name) => validCount(isJsonObject(usage) ? usage[name] : 0))]] : [],
    ),
  );
}

function validCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** A process's newest count that is part of the totals. */
interface Writer {
  /** The number of this count. Each process numbers its counts from 1. */
  readonly count: number;
  readonly at: EpochMs;
}

interface SavedUsage {
  readonly days: UsageDays;
  /** By process. Absent if the outcome of a write is always known. */
  readonly writers?: Readonly<Record<string, Writer>>;
}

/** A process that has counted nothing for this long is forgotten. */
const forgottenAfterMs = 60 * 60_000;
const maxWriters = 200;

/** Counts the requests of all processes, per UTC day and month. Methods reject with a `StoreError`. */
export type UsageMeter = ReturnType<typeof createUsageMeter>;

/** The part of a meter that is needed for counting calls. */
export type CallMeter = Pick<UsageMeter, 'add' | 'read'> & Partial<Pick<UsageMeter, 'isBinding'>>;

/**
 * Creates a meter. Without a document, it counts only as long as the program runs.
 * @param clock must be the same for all who share the document
 * @param writer a unique name of this process, for a document whose connection may break during a write: if the failed
 * count was written after all, the next count takes it back. Null if the outcome of a write is always known
 */
export function createUsageMeter(
  clock: Pick<Clock, 'now'>,
  document: Document<SavedUsage> = createMemoryDocument({ days: {} }),
  writer: string | null = null,
) {
  /** Counts that may or may not have been written. */
  const unconfirmed = new Map<number, { readonly usage: Usage; readonly at: EpochMs }>();
  let count = 0;
  /** Takes back our unconfirmed count if it was written after all. */
  const withoutUnconfirmed = (saved: SavedUsage): SavedUsage => {
    const ourEntry = writer === null ? undefined : saved.writers?.[writer];
    const pending = ourEntry === undefined ? undefined : unconfirmed.get(ourEntry.count);
    if (writer === null || ourEntry === undefined || pending === undefined) return saved;
    const correction = mapUsage((name) => -pending.usage[name]);
    // Count 0 ensures that nothing is taken back twice.
    const writers = { ...saved.writers, [writer]: { count: 0, at: ourEntry.at } };
    return { days: addUsage(saved.days, correction, pending.at), writers };
  };
  const days = async (): Promise<UsageDays> => withoutUnconfirmed(await document.read()).days;
  return {
    /** Whether hosts share the meter. Then a request that cannot be counted must not be sent, because all use one budget. */
    isBinding: document.isBinding === true,
    read: async (): Promise<UsageTotals> => usageTotals(await days(), clock.now()),
    days,
    /**
     * Adds the result of `decide` to the newest totals, and returns the new totals. `decide` may be called again if the
     * totals have changed in the meantime. Negative counts are subtracted. If this rejects, nothing is counted.
     * @param fence see `UpdateOptions`
     */
    async add(decide: (totals: UsageTotals) => Usage, fence: number | null = null): Promise<UsageTotals> {
      count += 1;
      const countNumber = count;
      let usage = noUsage;
      const change = (saved: SavedUsage): SavedUsage => {
        const now = clock.now();
        const before = withoutUnconfirmed(saved);
        usage = decide(usageTotals(before.days, now));
        if (usage === noUsage) return before;
        const after = addUsage(before.days, usage, now);
        if (writer === null) return { days: after };
        return {
          days: after,
          writers: recentWriters({ ...before.writers, [writer]: { count: countNumber, at: now } }, now),
        };
      };
      try {
        const result = await document.update(change, { fence });
        unconfirmed.clear();
        return usageTotals(result.days, clock.now());
      } catch (error) {
        const isUnconfirmed = error instanceof StoreError && error.kind === 'cut-off' && usage !== noUsage;
        if (isUnconfirmed) unconfirmed.set(countNumber, { usage, at: clock.now() });
        throw error;
      }
    },
    /** Raises each day's counts to at least these. Repeating this changes nothing. */
    async raiseTo(others: UsageDays): Promise<void> {
      await document.update((saved) => {
        const larger = largerUsage(saved.days, others);
        return larger === saved.days ? saved : { ...saved, days: larger };
      });
    },
  };
}

function recentWriters(writers: NonNullable<SavedUsage['writers']>, now: EpochMs): SavedUsage['writers'] & object {
  const recent = Object.entries(writers).filter(([, { at }]) => Math.abs(now - at) < forgottenAfterMs);
  return Object.fromEntries(recent.sort(([, a], [, b]) => b.at - a.at).slice(0, maxWriters));
}

/** Parses a saved meter. Invalid values count as zero. */
export function readSavedUsage(value: unknown): SavedUsage {
  const days = readUsageDays(value);
  if (!isJsonObject(value) || !isJsonObject(value['writers'])) return { days };
  const writers = Object.entries(value['writers']).flatMap(([name, writer]): [string, Writer][] => {
    if (!isJsonObject(writer)) return [];
    const { at, count } = writer;
    return typeof at === 'number' && typeof count === 'number' ? [[name, { at, count }]] : [];
  });
  return { days, writers: Object.fromEntries(writers) };
}
