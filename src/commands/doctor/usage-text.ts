import type { Budget } from '../../polling/gate/budget.ts';
import type { UsageTotals } from '../../watchlist/state/usage.ts';

/** The use of the service in words, beside the budget where there is one; days and months are UTC's. */
export function usageText({ today, month }: UsageTotals, budget: Budget): string {
  const queries = `${today.queries}${ofBudget(budget.queriesPerDay)} queries today, ${month.queries} this month`;
  const registrations = `${month.registrations}${ofBudget(budget.registrationsPerMonth)} registrations this month`;
  return `${queries}; ${registrations}; ${today.calls} calls of all kinds today (UTC)`;
}

function ofBudget(limit: number | null): string {
  return limit === null ? '' : ` of ${limit}`;
}
