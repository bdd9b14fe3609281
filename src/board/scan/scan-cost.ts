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

/** What adding the rows costs that are taken; each number is registered and queried in batches. */
export function scanCost(rows: readonly JudgedRow[]): ScanCost {
  const taken = rows.filter(({ isTaken }) => isTaken);
  const registrations = taken.filter(({ isRegistered }) => isRegistered).length;
  return { numbers: taken.length, registrations, calls: batches(registrations) + batches(taken.length) };
}

const batches = (count: number): number => Math.ceil(count / usualBatchLimit);

/**
 * The cost as half a sentence, with what the user's own budget has left.
 * @param left registrations that it covers this month; null without a limit
 */
export function scanCostWords({ calls, registrations }: ScanCost, left: number | null): string {
  const cost = `${counted(registrations, 'registration')} and ${counted(calls, 'call')}`;
  if (left === null) return cost;
  if (registrations > left) return `${cost}; your budget has ${left} left this month, so ${registrations - left} wait`;
  return `${cost}; your budget has ${left} left this month`;
}
