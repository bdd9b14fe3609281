import type { Clock, EpochMs } from '../../lib/clock.ts';
import { StoreError, toStoreError } from '../../lib/store-errors.ts';
import { QuotaExhaustedError } from '../../service/port.ts';
import { LeaseLostError } from '../../store/shared-state.ts';
import {
  type CallMeter,
  mapUsage,
  nextUsageDay,
  nextUsageMonth,
  noUsage,
  sumUsage,
  type Usage,
  type UsageTotals,
  usageDay,
  usageTotals,
} from '../../store/usage-meter.ts';
import { type CallOperation, type GateListener, operationRules } from './call-rules.ts';

/** Null means no limit. Days and months are in UTC. */
export interface Budget {
  readonly queriesPerDay: number | null;
  readonly registrationsPerMonth: number | null;
}

export const noBudget: Budget = { queriesPerDay: null, registrationsPerMonth: null };

export class BudgetSpentError extends QuotaExhaustedError {}

/**
 * Counts calls before they are sent. While the meter cannot be written, calls with a budget are not sent, and others are
 * counted in this process only. If the meter is shared between hosts, nothing is sent.
 */
export class BudgetKeeper {
  readonly #meter: CallMeter;
  readonly #budget: Budget;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #listener: GateListener;
  #totals: UsageTotals;
  #owed: Usage = noUsage;
  #cutOff: StoreError | null = null;
  #isUncountable = false;

  constructor(meter: CallMeter, budget: Budget, clock: Pick<Clock, 'now'>, listener: GateListener) {
    this.#meter = meter;
    this.#budget = budget;
    this.#clock = clock;
    this.#listener = listener;
    this.#totals = usageTotals({}, clock.now());
  }

  totals(): UsageTotals {
    const day = usageDay(this.#clock.now());
    const { day: countedDay, month } = this.#totals;
    if (day === countedDay) return this.#totals;
    return { day, today: noUsage, month: day.slice(0, 7) === countedDay.slice(0, 7) ? month : noUsage };
  }

  get cutOff(): StoreError | null {
    return this.#cutOff;
  }

  isUncountable(operation: CallOperation): boolean {
    return this.#isUncountable && this.#limit(operation) !== null;
  }

  /** Reads the usage of all processes, and adds counts that could not be written before. Never throws. */
  async load(): Promise<void> {
    // A write that adds nothing shows whether the meter can be written again.
    if (this.#isUncountable) return await this.#count(() => ({ ...noUsage })).catch(() => {});
    if (this.#owed !== noUsage) return await this.#count(() => noUsage).catch(() => {});
    try {
      this.#adopt(await this.#meter.read());
      this.#cutOff = null;
      this.#listener.onProblem('meter-read', null);
    } catch (error) {
      this.#noteCutOff(error);
      this.#listener.onProblem('meter-read', error);
    }
  }

  /** Returns when an operation's budget is renewed, or null if some of it is left. */
  resumesAt(operation: CallOperation): EpochMs | null {
    if (this.#remaining(this.totals(), operation) > 0) return null;
    const now = this.#clock.now();
    return operationRules[operation].limit === 'query' ? nextUsageDay(now) : nextUsageMonth(now);
  }

  /** Returns how many more numbers may be registered this month, or null if there is no limit. */
  registrationsLeft(): number | null {
    const { registrationsPerMonth } = this.#budget;
    if (registrationsPerMonth === null) return null;
    return Math.max(0, registrationsPerMonth - this.totals().month.registrations);
  }

  /**
   * Counts a call before it is sent. Returns how many of its numbers the budget covers. Throws a `LeaseLostError` if
   * `fence` is outdated, and a `StoreError` if the meter cannot be written but is shared, or needed for a budget.
   */
  async admit(
    operation: CallOperation,
    numbers: number,
    beyondBudget: boolean,
    fence: number | null = null,
  ): Promise<number> {
    const { limit, usage } = operationRules[operation];
    let admitted = 0;
    const usageOf = (totals: UsageTotals): Usage => {
      const remaining = beyondBudget ? Number.POSITIVE_INFINITY : this.#remaining(totals, operation);
      admitted = limit === 'register' ? Math.min(numbers, Math.max(0, remaining)) : remaining > 0 ? numbers : 0;
      return admitted === 0 ? noUsage : usage(admitted);
    };
    const isRequired = !beyondBudget && this.#limit(operation) !== null;
    await this.#count(usageOf, { fence, isRequired });
    return admitted;
  }

  /** Replaces an estimated count with the actual one. Never throws. */
  async correct(estimate: Usage, actual: Usage): Promise<void> {
    const difference = combine(actual, estimate, -1);
    if (isNothing(difference)) return;
    try {
      await this.#count(() => difference);
    } catch {
      // The listener has been notified.
      this.#owed = combine(this.#owed, difference);
    }
  }

  /** @param waiting what is on hold, such as `3 numbers wait` */
  shortage(operation: CallOperation, waiting: string | null = null): Shortage {
    const { queriesPerDay, registrationsPerMonth } = this.#budget;
    const what =
      operationRules[operation].limit === 'query'
        ? `${queriesPerDay} ${queriesPerDay === 1 ? 'query' : 'queries'} a day (budget.queriesPerDay)`
        : `${registrationsPerMonth} ${registrationsPerMonth === 1 ? 'registration' : 'registrations'} a month (budget.registrationsPerMonth)`;
    const at = new Date(this.resumesAt(operation) ?? this.#clock.now()).toISOString();
    const scope = operation === 'instant' ? ', which also pays for live lookups,' : '';
    const effect = waiting === null ? '' : `, so ${waiting}`;
    return {
      reached: `your budget of ${what}${scope} is used up${effect} until ${at.slice(0, 10)} ${at.slice(11, 16)} UTC`,
      advice: 'to continue sooner, raise the budget in config.json',
    };
  }

  usageText(operation: 'register' | 'query'): string {
    const { today, month } = this.totals();
    return operation === 'query'
      ? `${today.queries} of ${this.#budget.queriesPerDay} queries used`
      : `${month.registrations} of ${this.#budget.registrationsPerMonth ?? month.registrations} registrations used`;
  }

  #remaining({ today, month }: UsageTotals, operation: CallOperation): number {
    const limit = this.#limit(operation) ?? Number.POSITIVE_INFINITY;
    return limit - (operationRules[operation].limit === 'query' ? today.queries : month.registrations);
  }

  #limit(operation: CallOperation): number | null {
    switch (operationRules[operation].limit) {
      case 'query':
        return this.#budget.queriesPerDay;
      case 'register':
        return this.#budget.registrationsPerMonth;
      case null:
        return null;
    }
  }

  /** If the meter cannot be written, throws if `isRequired` is set, and otherwise counts in this process only. */
  async #count(
    decide: (totals: UsageTotals) => Usage,
    { fence = null, isRequired = false }: { readonly fence?: number | null; readonly isRequired?: boolean } = {},
  ): Promise<void> {
    const owed = this.#owed;
    const withOwed = (totals: UsageTotals): Usage => combine(decide(withUsage(totals, owed)), owed);
    try {
      this.#adopt(await this.#meter.add(owed === noUsage ? decide : withOwed, fence));
      // Other calls may have added to it in the meantime.
      const uncounted = combine(this.#owed, owed, -1);
      this.#owed = isNothing(uncounted) ? noUsage : uncounted;
      this.#cutOff = null;
      this.#isUncountable = false;
      this.#listener.onProblem('meter-write', null);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      const hasBudget = this.#budget.queriesPerDay !== null || this.#budget.registrationsPerMonth !== null;
      const failure = hasBudget && this.#meter.isBinding !== true ? uncountedError(error) : error;
      this.#listener.onProblem('meter-write', failure);
      this.#noteCutOff(error);
      if (this.#cutOff !== null) throw this.#cutOff;
      if (isRequired) {
        this.#isUncountable = true;
        throw failure;
      }
      const totals = this.totals();
      this.#adopt(withUsage(totals, decide(totals)));
    }
  }

  #noteCutOff(error: unknown): void {
    if (this.#meter.isBinding === true) this.#cutOff = toStoreError(error, 'the query meter');
  }

  #adopt(totals: UsageTotals): void {
    this.#totals = totals;
    this.#listener.onUsage(this.totals());
  }
}

/** A limit that was reached and what to do about it, each as a clause. */
export interface Shortage {
  readonly reached: string;
  readonly advice: string;
}

/** Says which limits were reached in one sentence, and what to do about them in a second one. */
export function describeShortages(shortages: readonly Shortage[]): string {
  const sentence = (clauses: readonly string[]): string => {
    const text = [...new Set(clauses)].join('; ');
    return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
  };
  return `${sentence(shortages.map(({ reached }) => reached))} ${sentence(shortages.map(({ advice }) => advice))}`;
}

/** The consequence comes first, because narrow windows cut off the end. */
function uncountedError(error: unknown): StoreError {
  const { kind, message, path } = toStoreError(error, 'the query meter');
  return new StoreError(kind, `Requests with a budget wait until they can be counted: ${message}`, path, error);
}

const combine = (a: Usage, b: Usage, sign: 1 | -1 = 1): Usage => mapUsage((name) => a[name] + sign * b[name]);

const isNothing = (usage: Usage): boolean => Object.values(usage).every((count) => count === 0);

const withUsage = ({ day, month, today }: UsageTotals, usage: Usage): UsageTotals => ({
  day,
  today: sumUsage(today, usage),
  month: sumUsage(month, usage),
});
