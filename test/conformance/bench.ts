import type { Clock, Random } from '../../src/lib/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/lib/json.ts';
import type { RawResponse, RawService } from './raw-service.ts';

/** Paths, defined here and not shared with the client. */
export const paths = {
  register: '/tk/v2/track/import',
  registerV21: '/tk/v2.1/track/import',
  queryV2: '/tk/v2/track/query',
  query: '/tk/v2.1/track/query',
  couriersV2: '/tk/v2/courier/list',
  couriers: '/tk/v2.1/courier/list',
  delete: '/tk/v2.1/track/delete',
  edit: '/tk/v2.1/track/update',
  changeCourier: '/tk/v2.1/track/update-courier',
  refresh: '/tk/v2.1/track/refresh',
  refreshBatch: '/tk/v2.1/track/refresh-batch',
  instant: '/tk/v2.1/track/query-realtime',
} as const;

/** Fictional numbers, which differ in each run. */
export interface FictionalNumbers {
  /** Never registered. */
  readonly stranger: string;
  /** Looked up by instant tracking only. */
  readonly instant: string;
  /** Registered with its courier. */
  readonly named: string;
  /** Registered without a courier, which the service can detect from its format. */
  readonly detected: string;
  /** Registered under two couriers. */
  readonly twin: string;
  /** Registered together, to read them in pages. */
  readonly paged: readonly string[];
  /** Rejected because of its courier. */
  readonly badCourier: string;
  /** Of a format that no courier uses. */
  readonly undetectable: string;
}

/** Context of the checks. */
export interface Bench {
  readonly service: RawService;
  readonly clock: Clock;
  readonly numbers: FictionalNumbers;
  /** Numbers whose registration the service accepted in this run. Checks add to it. */
  readonly accepted: Set<string>;
  /** Returns up to 100 of the account's records, or none if the service does not list them. */
  listed(): Promise<readonly JsonObject[]>;
  /** Returns the codes of Get Carriers, common couriers first. */
  courierCodes(): Promise<readonly string[]>;
}

const commonCouriers = ['ups', 'fedex', 'dhl', 'usps', 'china-post', 'yanwen'];

/** Creates the context of one run. */
export function createBench(service: RawService, clock: Clock, random: Random): Bench {
  let codes: readonly string[] | null = null;
  return {
    service,
    clock,
    numbers: generateNumbers(random),
    accepted: new Set(),
    async listed() {
      return (await service.call(paths.query, { cursor: '', queryPageSize: 100 })).content;
    },
    async courierCodes() {
      const rows = codes === null ? (await service.call(paths.couriers)).body['data'] : undefined;
      codes ??= sortedCodes(rows);
      return codes;
    },
  };
}

function sortedCodes(rows: JsonValue | undefined): readonly string[] {
  const codes = (Array.isArray(rows) ? rows : []).flatMap((row: JsonValue) => {
    const code = isJsonObject(row) ? row['courierCode'] : null;
    return typeof code === 'string' && code !== '' ? [code] : [];
  });
  return [
    ...commonCouriers.filter((code) => codes.includes(code)),
    ...codes.filter((code) => !commonCouriers.includes(code)),
  ];
}

function generateNumbers(random: Random): FictionalNumbers {
  const digits = (count: number): string => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
  const upsNumber = (): string => `1Z${digits(16)}`;
  return {
    stranger: upsNumber(),
    instant: upsNumber(),
    named: upsNumber(),
    detected: upsNumber(),
    twin: `RB${digits(9)}CN`,
    paged: [upsNumber(), upsNumber(), upsNumber()],
    badCourier: upsNumber(),
    undetectable: `LP00${digits(12)}`,
  };
}

/** Queries numbers with v2.1. */
export function query(
  bench: Bench,
  trackNos: readonly string[],
  more: JsonObject = {},
  courierCode?: string,
): Promise<RawResponse> {
  const trackNoInfos = trackNos.map((trackNo) => (courierCode === undefined ? { trackNo } : { trackNo, courierCode }));
  return bench.service.call(paths.query, { trackNoInfos, cursor: '', queryPageSize: 100, ...more });
}

/** Delays between queries of an accepted number that the service does not return yet, in milliseconds. */
const indexingWaitsMs = [2_000, 10_000, 60_000];

/**
 * Queries a number until the service returns it, because an accepted number may not be indexed yet. Gives up after a
 * minute, and immediately if the number was not accepted. Returns the last response.
 */
export async function queryIndexed(bench: Bench, trackNo: string): Promise<RawResponse> {
  for (const waitMs of indexingWaitsMs) {
    const response = await query(bench, [trackNo]);
    if (!isUnindexed(bench, response, trackNo)) return response;
    await new Promise<void>((resolve) => void bench.clock.setTimer(waitMs, resolve));
  }
  return await query(bench, [trackNo]);
}

/** Whether a number was accepted but a query does not return it. */
export function isUnindexed({ accepted }: Bench, response: RawResponse, trackNo: string): boolean {
  return accepted.has(trackNo) && /not registered/i.test(rejectionMessage(response, trackNo) ?? '');
}

/** Returns a record's courier code. */
export function courierOf(record: JsonObject): string | null {
  const info = record['localLogisticsInfo'];
  const code = isJsonObject(info) ? info['courierCode'] : null;
  return typeof code === 'string' ? code : null;
}

/** Returns the numbers of records or rejected entries. */
export const numbersOf = (entries: readonly JsonObject[]): readonly string[] =>
  entries.map((entry) => String(entry['trackNo']).toUpperCase());

/** Returns the service's message about a rejected number, or null if it was not rejected. */
export function rejectionMessage(response: RawResponse, trackNo: string): string | null {
  const entry = response.rejected.find((candidate) => String(candidate['trackNo']).toUpperCase() === trackNo);
  if (entry === undefined) return null;
  const error = entry['error'];
  return String(isJsonObject(error) ? (error['msg'] ?? '') : '');
}
