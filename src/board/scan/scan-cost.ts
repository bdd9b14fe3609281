import { usualBatchLimit } from '../../service/operations.ts';
import { counted } from '../text/counted.ts';
import type { JudgedRow } from './judge-rows.ts';

/** What adding the rows that are taken does. */
export interface ScanCost {
  /** Numbers that are added. */
  readonly numbers: number;
  /** Those of them that are registered, which an account pays for. */
  readonly registrations: number;
  readonly calls: number;
}

/** What the user's own budget has left. */
export interface RegistrationBudget {
  /** Registrations that it covers this month; null without a limit. */
  readonly left: number | null;
}

/** What adding the rows costs that are taken; each number is registered and queried in batches. */
export function scanCost(rows: readonly JudgedRow[], batchLimit = usualBatchLimit): ScanCost {
  const taken = rows.filter(({ isTaken }) => isTaken);
  const registrations = taken.filter(({ isRegistered }) => isRegistered).length;
  const calls = batches(registrations, batchLimit) + batches(taken.length, batchLimit);
  return { numbers: taken.length, registrations, calls };
}

const batches = (count: number, limit: number): number => Math.ceil(count / Math.max(1, limit));

/** The cost as half a sentence, with what the budget has left: `3 registrations and 2 calls, of 497 left this month`. */
export function scanCostWords({ calls, registrations }: ScanCost, { left }: RegistrationBudget): string {
  const cost = `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  if (left === null) return cost;
  if (registrations > left) return `${cost}; your budget has ${left} left this month, so ${registrations - left} wait`;
  return `${cost}; your budget has ${left} left this month`;
}
