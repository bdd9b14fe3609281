import { identityOf } from '../../service/client/query-calls.ts';
import type { AccountService } from '../../service/port.ts';
import type { QueryWindow, TrackingRecord } from '../../service/record/record.ts';
import { createIsFirst } from '../../watchlist/model/first-of-key.ts';

/** A million records; a service that never ends its pages ends here. */
const mostPages = 10_000;

/**
 * The records of an account, page by page, each once. Nothing but a short page, or one that brings nothing new, is taken
 * for the end. Rejects with the `ServiceError` of a page, which the budget may not cover, after the pages that came before.
 */
export async function* listAccount(
  service: Pick<AccountService, 'search'>,
  window: QueryWindow,
  signal: AbortSignal,
): AsyncGenerator<readonly TrackingRecord[], void> {
  const isFirst = createIsFirst();
  let cursor = '';
  for (let page = 1; page <= mostPages; page += 1) {
    const { records, next } = await service.search(window, cursor, signal);
    const fresh = records.filter((record) => isFirst(identityOf(record)));
    const wanted = fresh.filter((record) => isInWindow(record, window));
    if (wanted.length > 0) yield wanted;
    if (next === null || fresh.length === 0) return;
    cursor = next;
  }
}

/** A service may not know the window; both texts are on its clock and sort as time does. */
function isInWindow({ createTime }: TrackingRecord, { createTimeStart = '', createTimeEnd }: QueryWindow): boolean {
  if (createTime === null) return true;
  return createTime >= createTimeStart && (createTimeEnd === undefined || createTime <= createTimeEnd);
}
