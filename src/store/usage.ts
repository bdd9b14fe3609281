import type { EpochMs } from '../lib/clock.ts';

export interface Usage {
  readonly calls: number;
  /** Query trackings requests, however many numbers they have. */
  readonly queries: number;
  readonly numbers: number;
  /** Registered numbers. */
  readonly registrations: number;
}

/** Usage of a day and its month, both UTC: they do not depend on the viewer's zone or on summer time. */
export interface UsageTotals {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly today: Usage;
  readonly month: Usage;
}

/** Usage by day, `YYYY-MM-DD` in UTC. Bounded: see {@link addUsage}. */
export type UsageDays = Readonly<Record<string, Usage>>;

export const usageBy = (countOf: (name: keyof Usage) => number): Usage => ({
  calls: countOf('calls'),
  queries: countOf('queries'),
  numbers: countOf('numbers'),
  registrations: countOf('registrations'),
});

export const noUsage: Usage = usageBy(() => 0);

/** Two whole months of days, so that the previous month is complete. */
const keptDays = 62;
/** Maximum number of future days, in addition to a month of past days. */
const mostDaysAhead = 30;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const fields = ['calls', 'queries', 'numbers', 'registrations'] as const;

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

/** Adds two usages. Corrections have negative counts; the sum is never below zero. */
export const sumUsage = (a: Usage, b: Usage): Usage => usageBy((name) => Math.max(0, a[name] + b[name]));

/**
 * Adds `usage` to the day of `now`. Keeps the newest days, and always today. Future days, counted while the clock
 * was ahead, displace at most a month, since the clock may be wrong now.
 */
export function addUsage(days: UsageDays, usage: Usage, now: EpochMs): UsageDays {
  const today = usageDay(now);
  const others = Object.keys(days)
    .filter((day) => day !== today)
    .sort();
  const past = others.filter((day) => day < today);
  const ahead = others.slice(past.length).slice(-Math.max(mostDaysAhead, keptDays - 1 - past.length));
  const kept = [...past.slice(-Math.max(1, keptDays - 1 - ahead.length)), ...ahead].flatMap((day): [string, Usage][] =>
    days[day] === undefined ? [] : [[day, days[day]]],
  );
  return Object.fromEntries([...kept, [today, sumUsage(days[today] ?? noUsage, usage)]]);
}

/**
 * Returns the larger count of each day, for two meters of one account that began as copies. Returns the first if
 * nothing in the second is larger.
 */
export function largerUsage(days: UsageDays, others: UsageDays): UsageDays {
  const larger = Object.entries(others).flatMap(([day, other]): [string, Usage][] => {
    const usage = days[day] ?? noUsage;
    const isMore = fields.some((field) => other[field] > usage[field]);
    return isMore ? [[day, usageBy((name) => Math.max(usage[name], other[name]))]] : [];
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

/** Reads the days of a value of any shape; unusable days are left out. */
export function readUsageDays(value: unknown): UsageDays {
  const days = part(value, 'days');
  if (typeof days !== 'object' || days === null) return {};
  return Object.fromEntries(
    Object.entries(days).flatMap(([day, usage]): [string, Usage][] =>
      dayPattern.test(day) ? [[day, usageBy((name) => countOf(part(usage, name)))]] : [],
    ),
  );
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
