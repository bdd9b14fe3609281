import { ServiceError } from '../../service/failures/errors.ts';
import type { AccountService } from '../../service/port.ts';
import type { InstantAnswer, InstantItem } from '../../service/record/record.ts';
import { mayHaveBeenTaken } from './back-off.ts';
import { type BudgetKeeper, BudgetSpentError } from './budget.ts';

/** How a number is asked about at once. */
export interface InstantQuestionOptions {
  readonly signal: AbortSignal;
  /** True to ask although the budget is used up. */
  readonly beyondBudget: boolean;
  /** Rejects while the service has asked for a pause, in which the call would not be sent. */
  readonly refuseInPause: () => Promise<void>;
  /** Called when the call is about to be sent. */
  readonly onAdmitted: () => void;
}

/**
 * Asks for an instant answer about a number. It costs as much as a registration (public fact), so it is counted as one and
 * the budget of registrations covers it; a call that the service did not take is given back. Rejects with a
 * `BudgetSpentError`, before anything is sent, when that budget is used up, and with a `ServiceError`; one of `refuseInPause`
 * before anything is counted.
 */
export async function askForInstantAnswer(
  service: Pick<AccountService, 'instant'>,
  budget: BudgetKeeper,
  item: InstantItem,
  { signal, beyondBudget, refuseInPause, onAdmitted }: InstantQuestionOptions,
): Promise<InstantAnswer> {
  await refuseInPause();
  // What is known holds where the meter can be read and not written.
  await budget.recall();
  if ((await budget.admit('register', 1, beyondBudget)) === 0) {
    throw new BudgetSpentError(`${budget.explain('register')} An instant answer costs as much as a registration.`);
  }
  onAdmitted();
  try {
    return await service.instant(item, signal);
  } catch (error) {
    if (error instanceof ServiceError && !mayHaveBeenTaken(error)) await budget.correct({ registrations: -1 });
    throw error;
  }
}
