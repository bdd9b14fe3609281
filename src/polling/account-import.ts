import { createIsFirst } from '../lib/collections.ts';
import { historyIdOf, identityKey } from '../parcels/identity.ts';
import { applyRecord, mergeHistory } from '../parcels/merge-record.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { accountParcel } from '../parcels/parcel-factory.ts';
import { identityOf } from '../service/client.ts';
import { ResponseTooLargeError } from '../service/errors.ts';
import type { AccountService } from '../service/port.ts';
import type { QueryWindow, TrackingRecord } from '../service/record.ts';
import type { MonitorCore } from './monitor-core.ts';
import { planAfterResponse, planned } from './schedule/schedule.ts';
import type { UndoLog } from './undo.ts';

const maxPages = 10_000;
/** Maximum number of pages (ten thousand records) if the service does not report a total. */
const plausiblePages = 100;

export class EndlessAccountError extends ResponseTooLargeError {}

/**
 * Yields an account's records page by page, without duplicates. Throws the `ServiceError` of a page, or an {@link
 * EndlessAccountError} if there are more pages than announced, because each page costs a query.
 * @param shouldContinue decides whether to read the same number of pages again
 */
export async function* listAccount(
  service: Pick<AccountService, 'search'>,
  window: QueryWindow,
  signal: AbortSignal,
  shouldContinue: (sentence: string) => Promise<boolean> = async () => false,
): AsyncGenerator<readonly TrackingRecord[], void> {
  const isFirst = createIsFirst();
  let cursor = '';
  let allowedPages = plausiblePages;
  let isAnnounced = false;
  for (let page = 1; ; page += 1) {
    const { records, next, totalPages } = await service.search(window, cursor, signal);
    if (page === 1 && totalPages !== null) {
      isAnnounced = totalPages < maxPages;
      allowedPages = Math.min(maxPages, Math.max(1, totalPages) + 1);
    }
    const fresh = records.filter((record) => isFirst(identityOf(record)));
    const inWindow = fresh.filter((record) => isInWindow(record, window));
    if (inWindow.length > 0) yield inWindow;
    if (next === null || fresh.length === 0) return;
    if (page >= allowedPages) {
      const sentence = `The service sent ${page} account pages, more than ${isAnnounced ? 'it announced' : 'is plausible'}, and there are still more.`;
      if (!(await shouldContinue(sentence))) throw new EndlessAccountError(sentence);
      allowedPages += page;
    }
    cursor = next;
  }
}

function isInWindow({ createTime }: TrackingRecord, { createTimeStart = '', createTimeEnd }: QueryWindow): boolean {
  if (createTime === null) return true;
  return createTime >= createTimeStart && (createTimeEnd === undefined || createTime <= createTimeEnd);
}

/**
 * Adds the account's numbers to the watchlist, after writing their histories. Returns the new parcels. Throws a
 * `StoreError`.
 */
export async function takeOver(
  core: MonitorCore,
  undo: UndoLog,
  records: readonly TrackingRecord[],
): Promise<readonly Parcel[]> {
  await core.busy.during(() => core.log.follow());
  const isFirst = createIsFirst(new Set(core.log.parcels().map(identityKey)));
  const unknown = records.filter((record) => isFirst(identityKey(record)));
  const fresh = await Promise.all(unknown.map((record) => parcelWithHistory(core, record)));
  core.collectNotices();
  await undo.commit('add', (parcels) => {
    const watched = new Set(parcels.map(identityKey));
    return [...parcels, ...fresh.filter((parcel) => !watched.has(identityKey(parcel)))];
  });
  // Another process may have added some of the numbers, whose histories are then orphans.
  for (const parcel of fresh) await core.dropOrphan(parcel, historyIdOf(parcel));
  return fresh.filter(({ id }) => core.log.find(id) !== null);
}

async function parcelWithHistory(core: MonitorCore, record: TrackingRecord): Promise<Parcel> {
  const now = core.clock.now();
  const parcel = accountParcel(record, { now, random: core.random, serviceClock: core.state.get().serviceClock });
  const history = await core.updateHistory(historyIdOf(parcel), (empty) => mergeHistory(empty, record));
  const merged = applyRecord(parcel, history, record, now);
  return planned(merged, planAfterResponse(parcel, merged, true, core.planning(now)));
}
