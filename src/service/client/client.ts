import { createTransport, type TransportOptions } from '../http/transport.ts';
import { defaultOperations, type OperationTable } from '../operations.ts';
import type { AccountService, TrackingService } from '../port.ts';
import { decodeCourier, decodeEach, decodeRecord, elementsOf, type RecordDecoder } from '../record/decode-record.ts';
import type { Courier, Rejection, TrackKey } from '../record/record.ts';
import { isJsonObject } from '../text/json.ts';
import { foldNumber } from '../text/same-number.ts';
import { createAccountCalls } from './account-calls.ts';
import { createQueryCalls } from './query-calls.ts';
import { decodeRejections, isAlreadyRegistered } from './rejections.ts';
import { emptyAnswer, registrationBody, requireParts } from './request-bodies.ts';

/** How to reach the service, and which of its versions to use. */
export interface TrackingServiceOptions extends TransportOptions {
  readonly operations?: OperationTable;
  /** v2.1 when left out. */
  readonly queryVersion?: 'v2.1' | 'v2';
  /** v2 when left out, the version that the provider describes. */
  readonly registerVersion?: 'v2' | 'v2.1';
  /** Decodes the records of queries; {@link decodeRecord} when left out. */
  readonly decodeQueried?: RecordDecoder;
}

/** The service over HTTP. */
export interface HttpTrackingService extends TrackingService, AccountService {
  /** Ends all calls and connections. */
  close(): Promise<void>;
}

/** The tracking service over HTTP. */
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
        accepted: decodeEach(elementsOf(accepted), (value) => decodeRecord(value, transport.latestNow()))
          .filter((echo) => numbers.has(foldNumber(echo.trackNo)))
          .map((echo) => ({ trackNo: echo.trackNo, courierCode: echo.courierCode })),
        known: rejections.filter(isAlreadyRegistered).map(keyOf),
        rejected: rejections.filter((entry) => !isAlreadyRegistered(entry)),
        traceId: envelope.traceId,
      };
    },

    async couriers(signal) {
      const envelope = await transport.call(operations.couriers, undefined, signal);
      if (envelope.data === undefined || envelope.data === null) throw emptyAnswer(operations.couriers, envelope);
      const rows = isJsonObject(envelope.data) ? elementsOf(envelope.data['accepted']) : elementsOf(envelope.data);
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

const keyOf = (rejection: Rejection): TrackKey => ({
  trackNo: rejection.trackNo ?? '',
  courierCode: rejection.courierCode,
});
