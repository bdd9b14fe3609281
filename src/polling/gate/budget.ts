import type { Clock, EpochMs } from '../../service/clock/clock.ts';
import { QuotaExhaustedError } from '../../service/failures/errors.ts';
import {
  nextUsageDay,
  nextUsageMonth,
  noUsage,
  sumUsage,
  type Usage,
  type UsageTotals,
  usageDay,
  usageTotals,
} from '../../watchlist/state/usage.ts';
import type { UsageMeter } from '../../watchlist/state/usage-meter.ts';
import { nothingAsked } from '../answers/refresh-outcome.ts';
import type { RefreshOutcome } from '../core/state.ts';

/** How much may be asked of the service; null for no limit. Days and months are UTC's. */
export interface Budget {
  readonly queriesPerDay: number | null;
  readonly registrationsPerMonth: number | null;
}

/** What a budget limits: a query is one call about up to a batch of numbers, a registration is one number. */
export type BudgetedOperation = 'register' | 'query';

/** No limit to anything. */
export const noBudget: Budget = { queriesPerDay: null, registrationsPerMonth: null };

/** A call that was not sent because the user's own budget is used up. */
export class BudgetSpentError extends QuotaExhaustedError {
  /** What came of the calls that the budget did cover. */
  readonly outcome: RefreshOutcome;

  constructor(message: string, outcome: RefreshOutcome = nothingAsked) {
    super(message);
    this.outcome = outcome;
  }
}

/** What the keeper of a budget runs on. */
export interface BudgetKeeperOptions {
  readonly meter: UsageMeter;
  readonly budget: Budget;
  readonly clock: Pick<Clock, 'now'>;
  /** Called when the totals have changed. */
  readonly onTotals: (totals: UsageTotals) => void;
  /**
   * Called when reading or writing the meter fails, and with null when it works; what is asked while it fails is counted
   * for this process alone.
   */
  readonly onTrouble: (error: unknown, during: 'read' | 'write') => void;
}

/** Counts what is asked before it is asked, and says when the budget for it is used up. */
export class BudgetKeeper {
  readonly #options: BudgetKeeperOptions;
  #totals: UsageTotals;

  constructor(options: BudgetKeeperOptions) {
    this.#options = options;
    this.#totals = usageTotals({}, options.clock.now());
  }

  /** What all processes have asked today and this month, as far as is known here. */
  totals(): UsageTotals {
    const day = usageDay(this.#options.clock.now());
    const { day: known, month } = this.#totals;
    if (day === known) return this.#totals;
    return { day, today: noUsage, month: day.slice(0, 7) === known.slice(0, 7) ? month : noUsage };
  }

  /** Reads what all processes have asked. */
  async recall(): Promise<void> {
    try {
      this.#adopt(await this.#options.meter.read());
      this.#options.onTrouble(null, 'read');
    } catch (error) {
      this.#options.onTrouble(error, 'read');
    }
  }

  /** When there is budget for an operation again; null while there is some. */
  resumesAt(operation: BudgetedOperation): EpochMs | null {
    if (this.#roomIn(this.totals(), operation) > 0) return null;
    const now = this.#options.clock.now();
    return operation === 'query' ? nextUsageDay(now) : nextUsageMonth(now);
  }

  /**
   * Counts a call about so many numbers that is about to be sent. Answers about how many it may be: fewer when the budget
   * does not cover all, none when the call must not be sent.
   */
  async admit(operation: BudgetedOperation, numbers: number, beyondBudget: boolean): Promise<number> {
    let admitted = 0;
    await this.#count((totals) => {
      const room = beyondBudget ? Number.POSITIVE_INFINITY : this.#roomIn(totals, operation);
      admitted = operation === 'query' ? (room > 0 ? numbers : 0) : Math.min(numbers, Math.max(0, room));
      if (admitted === 0) return noUsage;
      return operation === 'query'
        ? { calls: 1, queries: 1, numbers: admitted, registrations: 0 }
        : { calls: 1, queries: 0, numbers: 0, registrations: admitted };
    });
    return admitted;
  }

  /** Takes back what {@link admit} has counted for a call that was not sent. */
  async giveBack(operation: BudgetedOperation, numbers: number): Promise<void> {
    await this.correct(
      operation === 'query' ? { calls: -1, queries: -1, numbers: -numbers } : { calls: -1, registrations: -numbers },
    );
  }

  /** Counts what turned out otherwise than it was counted before; negative counts give back. */
  async correct(usage: Partial<Usage>): Promise<void> {
    if (Object.values(usage).every((count) => count === 0)) return;
    await this.#count(() => ({ ...noUsage, ...usage }));
  }

  /** Why nothing is asked, in a sentence with what to do. */
  explain(operation: BudgetedOperation): string {
    const { queriesPerDay, registrationsPerMonth } = this.#options.budget;
    const what =
      operation === 'query'
        ? `${queriesPerDay} ${queriesPerDay === 1 ? 'query' : 'queries'} a day (budget.queriesPerDay)`
        : `${registrationsPerMonth} ${registrationsPerMonth === 1 ? 'registration' : 'registrations'} a month (budget.registrationsPerMonth)`;
    const at = new Date(this.resumesAt(operation) ?? this.#options.clock.now()).toISOString();
    return `Your budget of ${what} is used up; it begins anew at ${at.slice(0, 10)} ${at.slice(11, 16)} UTC. Wait, or raise it in config.json.`;
  }

  #roomIn({ today, month }: UsageTotals, operation: BudgetedOperation): number {
    const { queriesPerDay, registrationsPerMonth } = this.#options.budget;
    return operation === 'query'
      ? (queriesPerDay ?? Number.POSITIVE_INFINITY) - today.queries
      : (registrationsPerMonth ?? Number.POSITIVE_INFINITY) - month.registrations;
  }

  async #count(decide: (totals: UsageTotals) => Usage): Promise<void> {
    try {
      this.#adopt(await this.#options.meter.add(decide));
      this.#options.onTrouble(null, 'write');
    } catch (error) {
      this.#options.onTrouble(error, 'write');
      const { day, today, month } = this.totals();
      const usage = decide({ day, today, month });
      this.#adopt({ day, today: sumUsage(today, usage), month: sumUsage(month, usage) });
    }
  }

  #adopt(totals: UsageTotals): void {
    this.#totals = totals;
    this.#options.onTotals(this.totals());
  }
}
