import { integerField, isJsonObject, type JsonObject, type JsonValue, textField } from '../lib/json.ts';
import { foldNumber, isSameNumber } from '../lib/text.ts';
import { arrayOrEmpty, decodeCourier, decodeEach, decodeRecord, type RecordDecoder } from './decode-record.ts';
import { type Envelope, partsOf } from './failures.ts';
import {
  type AccountPage,
  type AccountService,
  BadResponseError,
  type Courier,
  defaultOperations,
  type InstantResponse,
  type Operation,
  type OperationTable,
  type QueryResponse,
  type Rejection,
  RequestRefusedError,
  type RetrackOutcome,
  type TrackingService,
  type TrackKey,
} from './port.ts';
import type { TrackingRecord } from './record.ts';
import {
  decodeRejections,
  emptyResponse,
  extrasBody,
  instantBody,
  isAlreadyRegistered,
  isNotRegistered,
  keyBody,
  merchantBody,
  registrationBody,
  requireParts,
} from './requests.ts';
import { createTransport, type Transport, type TransportOptions } from './transport.ts';

/**
 * Creates the calls for deleting, editing, changing the courier, retracking and instant tracking (`service/README.md`,
 * "Operations").
 */
function createAccountCalls(
  transport: Transport,
  operations: OperationTable,
): Pick<AccountService, 'delete' | 'edit' | 'changeCourier' | 'retrack' | 'instant'> {
  return {
    async delete(keys, signal) {
      const { data } = await transport.call(operations.delete, keys.map(keyBody), signal);
      return decodeRejections(partsOf(data).rejected, keys);
    },

    async edit(edit, signal) {
      const body = { ...keyBody(edit), ...merchantBody(edit), ...extrasBody(edit.postalCode, edit.phoneSuffix) };
      assertNotRejected(operations.edit, edit, await transport.call(operations.edit, body, signal));
    },

    async changeCourier(key, newCourierCode, signal) {
      const body = { ...keyBody(key), newCourierCode };
      assertNotRejected(operations.changeCourier, key, await transport.call(operations.changeCourier, body, signal));
    },

    async retrack(keys, signal) {
      const [only, ...others] = keys;
      if (only === undefined) return [];
      const isSingle = others.length === 0;
      const operation = isSingle ? operations.refresh : operations.refreshBatch;
      const envelope = await transport.call(operation, isSingle ? keyBody(only) : keys.map(keyBody), signal);
      return retrackOutcomes(envelope.data, keys);
    },

    async instant(item, signal): Promise<InstantResponse> {
      const envelope = await transport.call(operations.instant, instantBody(item), signal);
      const { accepted, rejected } = partsOf(envelope.data);
      const record = decodeEach(arrayOrEmpty(accepted), (value) => decodeRecord(value, transport.latestNow())).find(
        (candidate) => isSameNumber(candidate.trackNo, item.trackNo),
      );
      if (record !== undefined) return { kind: 'record', record };
      const [rejection] = decodeRejections(rejected, [item]);
      if (rejection !== undefined) return { kind: 'rejected', rejection };
      throw accepted === undefined && rejected === undefined
        ? emptyResponse(operations.instant, envelope)
        : new BadResponseError(`The response to "${operations.instant.title}" does not mention ${item.trackNo}.`, {
            traceId: envelope.traceId,
          });
    },
  };
}

function assertNotRejected(operation: Operation, key: TrackKey, { data, traceId }: Envelope): void {
  const [rejection] = decodeRejections(partsOf(data).rejected, [key]);
  if (rejection === undefined) return;
  throw new RequestRefusedError(`The service rejected "${operation.title}": "${rejection.message}".`, {
    code: rejection.code,
    traceId,
  });
}

const trackNoOf = (entry: JsonValue): string | null => (isJsonObject(entry) ? textField(entry, 'trackNo') : null);

/** A number that the response rejects or omits was not retracked. */
function retrackOutcomes(data: JsonValue | undefined, keys: readonly TrackKey[]): readonly RetrackOutcome[] {
  const { accepted, rejected } = partsOf(data);
  const rejections = decodeRejections(rejected, keys);
  const entries = arrayOrEmpty(Array.isArray(data) || accepted === undefined ? data : accepted);
  const isEmpty = data === undefined || data === null;
  return keys.map((key): RetrackOutcome => {
    const matchesKey = (trackNo: string | null): boolean => trackNo !== null && isSameNumber(trackNo, key.trackNo);
    const rejection = rejections.find((entry) => matchesKey(entry.trackNo));
    const numbered = entries.find((entry) => matchesKey(trackNoOf(entry)));
    // A response about a single number may omit the number.
    const entry =
      numbered ?? (keys.length === 1 ? entries.find((candidate) => trackNoOf(candidate) === null) : undefined);
    const details = isJsonObject(entry) ? entry : {};
    const success = details['success'];
    return {
      ...key,
      // A successful response without data means that the number was accepted.
      accepted: rejection === undefined && (isEmpty || entry !== undefined) && success !== false && success !== 'false',
      actualRefreshTime: textField(details, 'actualRefreshTime'),
      message: rejection?.message ?? textField(details, 'msg') ?? textField(details, 'message'),
    };
  });
}

/** Records per page. Equals the maximum batch size, so one page is nearly always enough. */
const pageSize = 100;

/** Guards against a service whose pages never end. */
const maxPages = 20;

export const identityOf = (record: TrackingRecord): string =>
  `${foldNumber(record.trackNo)}\n${record.courierCode ?? ''}\n${record.id ?? ''}`;

function createQueryCalls(
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
    const content = arrayOrEmpty(accepted);
    return {
      records: decodeEach(content, (value) => decodeRecord(value, transport.latestNow())),
      next: nextCursor(accepted, content.length, cursor),
      totalPages: isJsonObject(accepted) ? integerField(accepted, 'totalPages') : null,
      rejected,
      traceId: envelope.traceId,
    };
  }

  async function readPages(keys: readonly TrackKey[], signal: AbortSignal | undefined): Promise<QueryResponse> {
    const filter = numberFilter(version, keys);
    const numbers = new Set(keys.map((key) => foldNumber(key.trackNo)));
    const records = new Map<string, TrackingRecord>();
    const seen = new Set<string>();
    const rejections: Rejection[] = [];
    let traceId: string | null = null;
    let cursor = '';
    let calls = 0;
    for (let index = 1; index <= maxPages; index += 1) {
      calls += 1;
      const page = await readPage(filter, cursor, signal);
      traceId = page.traceId;
      const seenBefore = seen.size;
      for (const record of page.records) {
        const identity = identityOf(record);
        seen.add(identity);
        // The service might ignore the filter.
        if (numbers.has(foldNumber(record.trackNo))) records.set(identity, record);
      }
      if (index === 1) rejections.push(...decodeRejections(page.rejected, keys));
      // Stop when a page only repeats records. After a page about other numbers, ours may still follow.
      if (page.next === null || seen.size === seenBefore) break;
      cursor = page.next;
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

/** Returns null after the last page. Totals ignore the filter and count the whole account, so they only end the loop. */
function nextCursor(accepted: JsonValue | undefined, size: number, cursor: string): string | null {
  const page: JsonObject = isJsonObject(accepted) ? accepted : {};
  const [current, total] = [integerField(page, 'currentPage'), integerField(page, 'totalPages')];
  const isLast = current !== null && total !== null && current >= total;
  const next = textField(page, 'cursor');
  return size < pageSize || isLast || next === cursor ? null : next;
}

function numberFilter(version: 'v2.1' | 'v2', keys: readonly TrackKey[]): JsonObject {
  if (version === 'v2') return { trackNos: [...new Set(keys.map((key) => key.trackNo))] };
  return { trackNoInfos: keys.map(keyBody) };
}

export interface TrackingServiceOptions extends TransportOptions {
  readonly operations?: OperationTable;
  readonly queryVersion?: 'v2.1' | 'v2';
  /** Defaults to v2, which the provider documents. */
  readonly registerVersion?: 'v2' | 'v2.1';
  readonly decodeQueried?: RecordDecoder;
}

export interface HttpTrackingService extends TrackingService, AccountService {
  close(): Promise<void>;
}

export function createTrackingService(options: TrackingServiceOptions): HttpTrackingService {
  const operations = options.operations ?? defaultOperations;
  const transport = createTransport(options);
  const registerOperation = options.registerVersion === 'v2.1' ? operations.registerV21 : operations.register;
  const queryVersion = options.queryVersion ?? 'v2.1';
  const queryOperation = queryVersion === 'v2' ? operations.queryV2 : operations.query;

  return {
    ...createQueryCalls(transport, queryOperation, queryVersion, options.decodeQueried ?? decodeRecord),
    ...createAccountCalls(transport, operations),

    batchLimits: { register: registerOperation.batchLimit, query: queryOperation.batchLimit },

    async register(items, signal) {
      const envelope = await transport.call(registerOperation, items.map(registrationBody), signal);
      const { accepted, rejected } = requireParts(registerOperation, envelope);
      const rejections = decodeRejections(rejected, items);
      const numbers = new Set(items.map((item) => foldNumber(item.trackNo)));
      return {
        accepted: decodeEach(arrayOrEmpty(accepted), (value) =>
          decodeRecord(typeof value === 'string' ? { trackNo: value } : value, transport.latestNow()),
        )
          .filter((echo) => numbers.has(foldNumber(echo.trackNo)))
          .map((echo) => ({ trackNo: echo.trackNo, courierCode: echo.courierCode })),
        known: rejections.filter(isAlreadyRegistered).map(toTrackKey),
        rejected: rejections.filter((entry) => !isAlreadyRegistered(entry)),
        traceId: envelope.traceId,
      };
    },

    async couriers(signal) {
      const envelope = await transport.call(operations.couriers, undefined, signal);
      if (envelope.data === undefined || envelope.data === null) throw emptyResponse(operations.couriers, envelope);
      const rows = isJsonObject(envelope.data) ? arrayOrEmpty(envelope.data['accepted']) : arrayOrEmpty(envelope.data);
      const byCode = new Map<string, Courier>();
      for (const courier of decodeEach(rows, decodeCourier)) {
        if (!byCode.has(courier.code)) byCode.set(courier.code, courier);
      }
      return [...byCode.values()];
    },

    clockSkew: () => transport.clockSkew(),
    skewBounds: () => transport.skewBounds(),
    isSandbox: () => transport.isSandbox(),
    close: () => transport.close(),
  };
}

const toTrackKey = ({ courierCode, trackNo }: Rejection): TrackKey => ({ trackNo: trackNo ?? '', courierCode });
