import type { Transport } from '../http/transport.ts';
import type { Operation } from '../operations.ts';
import type { AccountService, TrackingService } from '../port.ts';
import { decodeEach, elementsOf, type RecordDecoder } from '../record/decode-record.ts';
import type { AccountPage, QueryAnswer, Rejection, TrackingRecord, TrackKey } from '../record/record.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../text/json.ts';
import { integerField, textField } from '../text/json-fields.ts';
import { foldNumber } from '../text/same-number.ts';
import { decodeRejections, isNotRegistered } from './rejections.ts';
import { keyBody, requireParts } from './request-bodies.ts';

/** Records a page; also the most numbers of a call, so that one page nearly always suffices. */
const pageSize = 100;

/** More pages than any answer about 100 numbers has; a service that never ends its pages ends here. */
const mostPages = 20;

/** What identifies a record of an account. */
export const identityOf = (record: TrackingRecord): string =>
  `${foldNumber(record.trackNo)}\n${record.courierCode ?? ''}\n${record.id ?? ''}`;

/** Query v2.1 and v2; both answer pages alike. */
export function createQueryCalls(
  transport: Transport,
  operation: Operation,
  version: 'v2.1' | 'v2',
  decodeRecord: RecordDecoder,
): Pick<TrackingService, 'query'> & Pick<AccountService, 'search'> {
  async function readPage(
    filter: JsonObject,
    cursor: string,
    signal: AbortSignal | undefined,
  ): Promise<AccountPage & { readonly rejected: JsonValue | undefined }> {
    const envelope = await transport.call(operation, { ...filter, cursor, queryPageSize: pageSize }, signal);
    const { accepted, rejected } = requireParts(operation, envelope);
    const content = elementsOf(accepted);
    return {
      records: decodeEach(content, (value) => decodeRecord(value, transport.latestNow())),
      next: nextCursor(accepted, content.length, cursor),
      totalPages: isJsonObject(accepted) ? integerField(accepted, 'totalPages') : null,
      rejected,
      traceId: envelope.traceId,
    };
  }

  async function readPages(keys: readonly TrackKey[], signal: AbortSignal | undefined): Promise<QueryAnswer> {
    const filter = numberFilter(version, keys);
    const numbers = new Set(keys.map((key) => foldNumber(key.trackNo)));
    const records = new Map<string, TrackingRecord>();
    const seen = new Set<string>();
    const rejections: Rejection[] = [];
    let traceId: string | null = null;
    let cursor = '';
    let calls = 0;
    for (let page = 1; page <= mostPages; page += 1) {
      calls += 1;
      const answer = await readPage(filter, cursor, signal);
      traceId = answer.traceId;
      const before = seen.size;
      for (const record of answer.records) {
        const identity = identityOf(record);
        seen.add(identity);
        // A service that ignores the filter must not put another parcel's data on ours.
        if (numbers.has(foldNumber(record.trackNo))) records.set(identity, record);
      }
      if (page === 1) rejections.push(...decodeRejections(answer.rejected, keys));
      // A page that repeats what was read brings no end either; one about other numbers may have ours behind it.
      if (answer.next === null || seen.size === before) break;
      cursor = answer.next;
    }
    return {
      records: [...records.values()],
      unregistered: rejections.filter(isNotRegistered),
      rejected: rejections.filter((entry) => !isNotRegistered(entry)),
      traceId,
      calls,
    };
  }

  return {
    query: readPages,
    async search(window, cursor, signal) {
      const { rejected: _rejected, ...page } = await readPage({ ...window }, cursor, signal);
      return page;
    },
  };
}

/**
 * The cursor of the next page; null behind a short or the last one. Totals describe the account, not the filter: they
 * only ever end the reading.
 */
function nextCursor(accepted: JsonValue | undefined, size: number, cursor: string): string | null {
  const page: JsonObject = isJsonObject(accepted) ? accepted : {};
  const [current, total] = [integerField(page, 'currentPage'), integerField(page, 'totalPages')];
  const isLast = current !== null && total !== null && current >= total;
  const next = textField(page, 'cursor');
  return size < pageSize || isLast || next === cursor ? null : next;
}

/** Numbers as each version of the query names them. */
function numberFilter(version: 'v2.1' | 'v2', keys: readonly TrackKey[]): JsonObject {
  if (version === 'v2') return { trackNos: [...new Set(keys.map((key) => key.trackNo))] };
  return { trackNoInfos: keys.map(keyBody) };
}
