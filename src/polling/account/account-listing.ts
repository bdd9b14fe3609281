import { identityOf } from '../../service/client/query-calls.ts';
import { AnswerTooLargeError } from '../../service/failures/errors.ts';
import type { AccountService } from '../../service/port.ts';
import type { QueryWindow, TrackingRecord } from '../../service/record/record.ts';
import { createIsFirst } from '../../watchlist/model/first-of-key.ts';

/** A million records. */
const mostPages = 10_000;
/** Ten thousand records: the most that is read where the service does not say how many there are. */
const plausiblePages = 100;

/** The service has more pages than it said, or than an account may have; the message says how many were read. */
export class EndlessAccountError extends AnswerTooLargeError {}

/**
 * The records of an account, page by page, each once. Nothing but a short page, or one that brings nothing new, is taken
 * for the end. Each page costs a query, so a service that always has another one is followed no further than the first
 * page announced, and numbers that came meanwhile. Rejects with the `ServiceError` of a page, which the budget may not
 * cover, or an {@link EndlessAccountError}, after the pages that came before.
 * @param goOn asked with that error's sentence whether to read as many pages again; they are not when left out
 */
export async function* listAccount(
  service: Pick<AccountService, 'search'>,
  window: QueryWindow,
  signal: AbortSignal,
  goOn: (sentence: string) => Promise<boolean> = async () => false,
): AsyncGenerator<readonly TrackingRecord[], void> {
  const isFirst = createIsFirst();
  let cursor = '';
  let agreed = plausiblePages;
  let isAnnounced = false;
  for (let page = 1; ; page += 1) {
    const { records, next, totalPages } = await service.search(window, cursor, signal);
    if (page === 1 && totalPages !== null) {
      isAnnounced = totalPages < mostPages;
      agreed = Math.min(mostPages, Math.max(1, totalPages) + 1);
    }
    const fresh = records.filter((record) => isFirst(identityOf(record)));
    const wanted = fresh.filter((record) => isInWindow(record, window));
    if (wanted.length > 0) yield wanted;
    if (next === null || fresh.length === 0) return;
    if (page >= agreed) {
      const sentence = `The service has sent ${page} pages of the account, more than ${isAnnounced ? 'it announced' : 'is plausible'}, and has another one.`;
      if (!(await goOn(sentence))) throw new EndlessAccountError(sentence);
      agreed += page;
    }
    cursor = next;
  }
}

/** A service may not know the window; both texts are on its clock and sort as time does. */
function isInWindow({ createTime }: TrackingRecord, { createTimeStart = '', createTimeEnd }: QueryWindow): boolean {
  if (createTime === null) return true;
  return createTime >= createTimeStart && (createTimeEnd === undefined || createTime <= createTimeEnd);
}
