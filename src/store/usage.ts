import type { EpochMs } from '../lib/clock.ts';

export interface Usage {
  readonly calls: number;
  /** Calls of Query trackings, whatever the count of numbers in them. */
  readonly queries: number;
  readonly numbers: number;
  /** Numbers that were registered. */
  readonly registrations: number;
}

/** Usage of a day and of the month that it lies in. Both are UTC's: they do not move with the viewer or with summer time. */
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

/** Days that are kept: two whole months, so that the month that has just ended can still be looked at. */
const keptDays = 62;
/** Days to come that are kept beside as many past ones as a month needs. */
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

/** Two usages as one. A count that was given back is negative; together they are never less than nothing. */
export const sumUsage = (a: Usage, b: Usage): Usage => usageBy((name) => Math.max(0, a[name] + b[name]));

/**
 * The days with `usage` added to the day of `now`. The newest days stay, and today's whatever the clock showed before. Days
 * to come, counted while the clock was ahead, take the place of no more than a month: but it may be now that it is wrong.
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
 * Of each day and count the larger one: what two meters of one account counted of which one began as a copy of the other.
 * Answers the first where nothing of the second is larger.
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

/** Reads the days out of a value of any shape; what is no count of a day is left out. */
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
