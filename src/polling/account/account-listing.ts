import { identityOf } from '../../service/client/query-calls.ts';
import { CancelledError, ServiceError } from '../../service/failures/errors.ts';
import type { AccountService } from '../../service/port.ts';
import type { QueryWindow, TrackingRecord } from '../../service/record/record.ts';
import { mayHaveBeenTaken } from '../gate/back-off.ts';
import { type BudgetKeeper, BudgetSpentError } from '../gate/budget.ts';

/** How an account is listed. */
export interface ListingOptions {
  readonly service: Pick<AccountService, 'search'>;
  /** Each page counts as a query. */
  readonly budget: BudgetKeeper;
  readonly window: QueryWindow;
  readonly signal: AbortSignal;
  /** Rejects while the service has asked for a pause, in which no call would be sent. */
  readonly refuseInPause: () => Promise<void>;
}

/** A million records; a service that never ends its pages ends here. */
const mostPages = 10_000;

/**
 * The records of an account, page by page, each once. Nothing but a short page, or one that brings nothing new, is taken
 * for the end. Rejects with a `ServiceError`, and with a `BudgetSpentError` where the budget of queries ends, both after
 * the pages that came before.
 */
export async function* listAccount(options: ListingOptions): AsyncGenerator<readonly TrackingRecord[], void> {
  const { budget, refuseInPause, signal, window } = options;
  const seen = new Set<string>();
  await budget.recall();
  let cursor = '';
  for (let page = 1; page <= mostPages; page += 1) {
    await refuseInPause();
    if (signal.aborted) throw new CancelledError('The call was ended.');
    const { records, next } = await readPage(options, cursor);
    const fresh = records.filter((record) => {
      const identity = identityOf(record);
      const isNew = !seen.has(identity);
      seen.add(identity);
      return isNew;
    });
    const wanted = fresh.filter((record) => isInWindow(record, window));
    if (wanted.length > 0) yield wanted;
    if (next === null || fresh.length === 0) return;
    cursor = next;
  }
}

/** One call, counted before it is sent; what the service did not take is given back. */
async function readPage({ budget, service, signal, window }: ListingOptions, cursor: string) {
  if ((await budget.admit('query', 1, false)) === 0) throw new BudgetSpentError(budget.explain('query'));
  try {
    const page = await service.search(window, cursor, signal);
    await budget.correct({ numbers: page.records.length - 1 });
    return page;
  } catch (error) {
    if (error instanceof ServiceError && !mayHaveBeenTaken(error)) await budget.giveBack('query', 1);
    throw error;
  }
}

/** A service may not know the window; both texts are on its clock and sort as time does. */
function isInWindow({ createTime }: TrackingRecord, { createTimeStart = '', createTimeEnd }: QueryWindow): boolean {
  if (createTime === null) return true;
  return createTime >= createTimeStart && (createTimeEnd === undefined || createTime <= createTimeEnd);
}
