import type { SkewBounds } from '../lib/clock-skew.ts';
import { type ErrorText, NamedError } from '../lib/error-text.ts';
import type { TrackingRecord } from './record.ts';

export interface Operation {
  /** The name in the configuration: `service.operations.<name>`. */
  readonly name: OperationName;
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly batchLimit: number;
  readonly callsPerSecond: number;
}

export const defaultBatchLimit = 100;

const single = { method: 'POST', batchLimit: 1, callsPerSecond: 5 } as const;
const batch = { ...single, batchLimit: defaultBatchLimit } as const;

const operations = {
  register: { title: 'Register trackings', path: '/tk/v2/track/import', ...batch },
  registerV21: { title: 'Register trackings v2.1', path: '/tk/v2.1/track/import', ...batch },
  query: { title: 'Query trackings v2.1', path: '/tk/v2.1/track/query', ...batch },
  queryV2: { title: 'Query trackings v2', path: '/tk/v2/track/query', ...batch },
  couriers: { title: 'Get Carriers', path: '/tk/v2.1/courier/list', ...single, method: 'GET' },
  delete: { title: 'Delete trackings', path: '/tk/v2.1/track/delete', ...batch },
  edit: { title: 'Edit a tracking', path: '/tk/v2.1/track/update', ...single },
  changeCourier: { title: 'Change carrier', path: '/tk/v2.1/track/update-courier', ...single },
  refresh: { title: 'Retrack a package', path: '/tk/v2.1/track/refresh', ...single },
  // The limit is not documented. We have not tried larger batches.
  refreshBatch: { title: 'Retrack packages', path: '/tk/v2.1/track/refresh-batch', ...batch, batchLimit: 50 },
  instant: { title: 'Instant tracking', path: '/tk/v2.1/track/query-realtime', ...single, callsPerSecond: 1 },
} as const satisfies Readonly<Record<string, Omit<Operation, 'name'>>>;

export type OperationName = keyof typeof operations;

export type OperationTable = Readonly<Record<OperationName, Operation>>;

/** See `service/README.md`, "Operations". */
export const defaultOperations = Object.fromEntries(
  Object.entries(operations).map(([name, operation]) => [name, { name, ...operation }]),
) as unknown as OperationTable;

/** In milliseconds. The service ignores a retrack of a number that was retracked less than this ago. */
export const refreshIntervalMs = 6 * 3_600_000;

export const defaultKeyHeader = 'Service-Api-Secret';

export interface Courier {
  readonly code: string;
  readonly nameEN: string | null;
  readonly nameCN: string | null;
  readonly homePage: string | null;
}

/** An entry of `data.rejected`. */
export interface Rejection {
  /** Position in the request, starting at 0. Used only if there is no `trackNo`. */
  readonly index: number | null;
  readonly trackNo: string | null;
  readonly courierCode: string | null;
  readonly code: string | null;
  readonly message: string;
}

export interface TrackKey {
  readonly trackNo: string;
  readonly courierCode: string | null;
}

export interface MerchantFields {
  readonly orderNo?: string;
  readonly country?: string;
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`. */
  readonly shipTime?: string;
  readonly customerEmail?: string;
  readonly remark?: string;
  readonly custom1?: string;
  readonly custom2?: string;
}

export interface RegistrationItem extends TrackKey, MerchantFields {
  readonly postalCode: string | null;
  readonly phoneSuffix: string | null;
}

export interface InstantItem extends RegistrationItem {
  readonly lang?: string;
}

export interface TrackingEdit extends MerchantFields {
  readonly trackNo: string;
  readonly courierCode: string;
  readonly postalCode?: string;
  readonly phoneSuffix?: string;
}

export interface QueryWindow {
  /** On the service clock, `YYYY-MM-DD HH:mm:ss`, inclusive. */
  readonly createTimeStart?: string;
  readonly createTimeEnd?: string;
}

export interface AccountPage {
  readonly records: readonly TrackingRecord[];
  readonly next: string | null;
  readonly totalPages: number | null;
  readonly traceId: string | null;
}

export interface RetrackOutcome extends TrackKey {
  /** False if the number was rejected, or retracked less than six hours ago. */
  readonly accepted: boolean;
  readonly actualRefreshTime: string | null;
  readonly message: string | null;
}

export type InstantResponse =
  | { readonly kind: 'record'; readonly record: TrackingRecord }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export interface RegisterResponse {
  readonly accepted: readonly TrackKey[];
  /** Numbers that were already registered, which counts as a success. */
  readonly known: readonly TrackKey[];
  readonly rejected: readonly Rejection[];
  readonly traceId: string | null;
}

export interface QueryResponse {
  readonly records: readonly TrackingRecord[];
  readonly unregistered: readonly Rejection[];
  readonly rejected: readonly Rejection[];
  readonly traceId: string | null;
  readonly calls?: number;
}

export interface BatchLimits {
  readonly register: number;
  readonly query: number;
}

/**
 * Makes calls at the permitted rate. Throws a `ServiceError`. Never retries: that is up to the gate.
 */
export interface TrackingService {
  register(items: readonly RegistrationItem[], signal?: AbortSignal): Promise<RegisterResponse>;
  query(keys: readonly TrackKey[], signal?: AbortSignal): Promise<QueryResponse>;
  couriers(signal?: AbortSignal): Promise<readonly Courier[]>;
  readonly batchLimits: BatchLimits;
  skewBounds?(): SkewBounds | null;
  isSandbox?(): boolean;
}

export interface AccountService {
  search(window: QueryWindow, cursor: string, signal?: AbortSignal): Promise<AccountPage>;
  delete(keys: readonly TrackKey[], signal?: AbortSignal): Promise<readonly Rejection[]>;
  edit(edit: TrackingEdit, signal?: AbortSignal): Promise<void>;
  changeCourier(key: TrackKey & { courierCode: string }, newCourierCode: string, signal?: AbortSignal): Promise<void>;
  /** Takes effect at most once every six hours per number. Returns no records, so query the number afterwards. */
  retrack(keys: readonly TrackKey[], signal?: AbortSignal): Promise<readonly RetrackOutcome[]>;
  /**
   * Makes the service query the courier immediately, even for an unregistered number. Costs as much as a registration, and
   * is limited to one call per second.
   */
  instant(item: InstantItem, signal?: AbortSignal): Promise<InstantResponse>;
  /**
   * How far the service's clock runs ahead of ours, in milliseconds, accurate to about a second. Null before the first
   * response.
   */
  clockSkew(): number | null;
}

export type ServiceErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'bad-answer'
  | 'answer-too-large'
  | 'redirect-refused'
  | 'operation-missing'
  | 'key-refused'
  | 'quota-exhausted'
  | 'rate-limited'
  | 'request-refused'
  | 'service-trouble'
  | 'cancelled';

export interface ServiceErrorDetails {
  /** A service code (`A0230`) or a network code (`ECONNREFUSED`). */
  readonly code?: string | null;
  readonly httpStatus?: number | null;
  readonly traceId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** The longest `Retry-After` that we obey, so that a wrong header does not stop the program for months. */
export const maxRetryAfterMs = 24 * 3_600_000;

/** `message` tells the user what to do. It never contains the API key, a postal code or a phone number. */
export abstract class ServiceError extends NamedError {
  abstract readonly kind: ServiceErrorKind;
  readonly code: string | null;
  readonly httpStatus: number | null;
  readonly traceId: string | null;
  readonly retryAfterMs: number | null;

  constructor(text: ErrorText, details: ServiceErrorDetails = {}) {
    super(text, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code ?? null;
    this.httpStatus = details.httpStatus ?? null;
    this.traceId = details.traceId ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

export class UnreachableError extends ServiceError {
  readonly kind = 'unreachable';
}

export class ServiceTimeoutError extends ServiceError {
  readonly kind = 'timeout';
}

export class BadResponseError extends ServiceError {
  readonly kind = 'bad-answer';
}

export class ResponseTooLargeError extends ServiceError {
  readonly kind = 'answer-too-large';
}

export class RedirectRefusedError extends ServiceError {
  readonly kind = 'redirect-refused';
}

/** 404 or C0113: the service does not have this path below the base URL. */
export class OperationMissingError extends ServiceError {
  readonly kind = 'operation-missing';
}

/** 401, 403, A02xx, A03xx: the key is not valid, or not allowed from this address. Polling stops. */
export class KeyRefusedError extends ServiceError {
  readonly kind = 'key-refused';
}

export class QuotaExhaustedError extends ServiceError {
  readonly kind = 'quota-exhausted';
}

/** 429, A05xx, A0706, B0210: too many requests. */
export class RateLimitedError extends ServiceError {
  readonly kind = 'rate-limited';
}

/** A0001, A04xx, HTTP 400: retrying would fail again. */
export class RequestRefusedError extends ServiceError {
  readonly kind = 'request-refused';
}

/** 5xx, Bxxxx and other codes. A 503 may include Retry-After. */
export class ServiceTroubleError extends ServiceError {
  readonly kind = 'service-trouble';
}

/** We aborted the request, for example because the program is quitting. */
export class CancelledError extends ServiceError {
  readonly kind = 'cancelled';
}
