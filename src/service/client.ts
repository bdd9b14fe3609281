import {
  decodePagePosition,
  decodeRejections,
  isAlreadyRegistered,
  isNotRegistered,
  partsOf,
} from './decode-answer.ts';
import { decodeCourier, decodeEach, decodeRecord, elementsOf } from './decode-record.ts';
import { BadAnswerError } from './errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { defaultOperations, type Operation, type OperationTable } from './operations.ts';
import type { TrackingService } from './port.ts';
import type { Courier, RegistrationItem, Rejection, TrackingRecord, TrackKey } from './record.ts';
import { createTransport, type TransportOptions } from './transport.ts';

/** How to reach the service, and which of its versions to use. */
export interface TrackingServiceOptions extends TransportOptions {
  readonly operations?: OperationTable;
  /** v2.1 unless told (interface section 9). */
  readonly queryVersion?: 'v2.1' | 'v2';
}

/** The service over HTTP. */
export interface HttpTrackingService extends TrackingService {
  /** Ends all calls and connections. */
  close(): Promise<void>;
}

/** Records a page; also the most numbers of a call, so that one page nearly always suffices (public fact). */
const pageSize = 100;

/** More pages than any account needs for 100 numbers; a service that repeats its pages ends here. */
const mostPages = 20;

const identityOf = (record: TrackingRecord): string =>
  `${record.trackNo.toUpperCase()}\n${record.courierCode ?? ''}\n${record.id ?? ''}`;

/** The tracking service of the interface (sections 4.1 to 4.4) over HTTP. */
export function createTrackingService(options: TrackingServiceOptions): HttpTrackingService {
  const operations = options.operations ?? defaultOperations;
  const transport = createTransport(options);
  const queryOperation = options.queryVersion === 'v2' ? operations.queryV2 : operations.query;

  async function readPages(keys: readonly TrackKey[], signal: AbortSignal | undefined) {
    const asked = new Set(keys.map((key) => key.trackNo.toUpperCase()));
    const records = new Map<string, TrackingRecord>();
    const rejections: Rejection[] = [];
    let traceId: string | null = null;
    let cursor = '';
    for (let page = 1; page <= mostPages; page += 1) {
      const filter = queryFilter(options.queryVersion ?? 'v2.1', keys);
      const envelope = await transport.call(queryOperation, { ...filter, cursor, queryPageSize: pageSize }, signal);
      traceId = envelope.traceId;
      const { accepted, rejected } = requireParts(queryOperation, envelope.data, envelope.traceId);
      const content = elementsOf(accepted);
      const before = records.size;
      for (const record of decodeEach(content, decodeRecord)) {
        // A service that ignores the filter must not put another parcel's data on ours.
        if (asked.has(record.trackNo.toUpperCase())) records.set(identityOf(record), record);
      }
      if (page === 1) rejections.push(...decodeRejections(rejected, keys));
      const position = decodePagePosition(accepted);
      const isLast =
        content.length < pageSize ||
        records.size === before ||
        position.cursor === null ||
        position.cursor === cursor ||
        (position.currentPage !== null && position.totalPages !== null && position.currentPage >= position.totalPages);
      if (isLast) break;
      cursor = position.cursor;
    }
    return { records: [...records.values()], rejections, traceId };
  }

  return {
    batchLimits: { register: operations.register.batchLimit, query: queryOperation.batchLimit },

    async register(items, signal) {
      const envelope = await transport.call(operations.register, items.map(registrationBody), signal);
      const { accepted, rejected } = requireParts(operations.register, envelope.data, envelope.traceId);
      const rejections = decodeRejections(rejected, items);
      const numbers = new Set(items.map((item) => item.trackNo.toUpperCase()));
      return {
        accepted: decodeEach(elementsOf(accepted), decodeRecord)
          .filter((echo) => numbers.has(echo.trackNo.toUpperCase()))
          .map((echo) => ({ trackNo: echo.trackNo, courierCode: echo.courierCode })),
        known: rejections.filter(isAlreadyRegistered).map(keyOf),
        rejected: rejections.filter((entry) => !isAlreadyRegistered(entry)),
        traceId: envelope.traceId,
      };
    },

    async query(keys, signal) {
      const { records, rejections, traceId } = await readPages(keys, signal);
      return {
        records,
        unregistered: rejections.filter(isNotRegistered),
        rejected: rejections.filter((entry) => !isNotRegistered(entry)),
        traceId,
      };
    },

    async couriers(signal) {
      const envelope = await transport.call(operations.couriers, undefined, signal);
      const rows = isJsonObject(envelope.data) ? elementsOf(envelope.data['accepted']) : elementsOf(envelope.data);
      if (envelope.data === undefined || envelope.data === null)
        throw emptyAnswer(operations.couriers, envelope.traceId);
      const byCode = new Map<string, Courier>();
      for (const courier of decodeEach(rows, decodeCourier)) {
        if (!byCode.has(courier.code)) byCode.set(courier.code, courier);
      }
      return [...byCode.values()];
    },

    close: () => transport.close(),
  };
}

const keyOf = (rejection: Rejection): TrackKey => ({
  trackNo: rejection.trackNo ?? '',
  courierCode: rejection.courierCode,
});

function emptyAnswer(operation: Operation, traceId: string | null): BadAnswerError {
  return new BadAnswerError(
    `The answer to "${operation.title}" reports success but carries no data. The last good data stays; try again later.`,
    { traceId },
  );
}

/** The parts of `data`; an answer of success without data is a bad answer, since it tells nothing about any number. */
function requireParts(operation: Operation, data: JsonValue | undefined, traceId: string | null) {
  const parts = partsOf(data);
  if (parts.accepted === undefined && parts.rejected === undefined) throw emptyAnswer(operation, traceId);
  return parts;
}

/** Interface section 2.1; the names of the extra fields are public facts. */
function registrationBody(item: RegistrationItem): JsonObject {
  return {
    trackNo: item.trackNo,
    ...(item.courierCode === null ? {} : { courierCode: item.courierCode }),
    ...(item.postalCode === null ? {} : { postalCode: item.postalCode }),
    ...(item.phoneSuffix === null ? {} : { extendFieldMap: { phoneSuffix: item.phoneSuffix } }),
  };
}

/** Interface sections 4.2 and 4.3. */
function queryFilter(version: 'v2.1' | 'v2', keys: readonly TrackKey[]): JsonObject {
  if (version === 'v2') return { trackNos: [...new Set(keys.map((key) => key.trackNo))] };
  return {
    trackNoInfos: keys.map((key) =>
      key.courierCode === null ? { trackNo: key.trackNo } : { trackNo: key.trackNo, courierCode: key.courierCode },
    ),
  };
}
