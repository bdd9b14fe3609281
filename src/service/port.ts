import type { SkewBounds } from '../lib/clock-skew.ts';
import type {
  AccountPage,
  Courier,
  InstantAnswer,
  InstantItem,
  QueryAnswer,
  QueryWindow,
  RegisterAnswer,
  RegistrationItem,
  Rejection,
  RetrackOutcome,
  TrackingEdit,
  TrackKey,
} from './record.ts';

/** How one operation is called. */
export interface Operation {
  /** Its name in the configuration: `service.operations.<name>`. */
  readonly name: OperationName;
  /** The operation's name in messages. */
  readonly title: string;
  readonly method: 'GET' | 'POST';
  /** Below the base URL. */
  readonly path: string;
  /** Most numbers in one call. */
  readonly batchLimit: number;
  readonly callsPerSecond: number;
}

/** Most numbers in one call unless the configuration says otherwise. */
export const usualBatchLimit = 100;

const one = { method: 'POST', batchLimit: 1, callsPerSecond: 5 } as const;
const batch = { ...one, batchLimit: usualBatchLimit } as const;

/** Name in the configuration, title in messages, path, and how it is called. */
const operations = {
  register: { title: 'Register trackings', path: '/tk/v2/track/import', ...batch },
  registerV21: { title: 'Register trackings v2.1', path: '/tk/v2.1/track/import', ...batch },
  query: { title: 'Query trackings v2.1', path: '/tk/v2.1/track/query', ...batch },
  queryV2: { title: 'Query trackings v2', path: '/tk/v2/track/query', ...batch },
  couriers: { title: 'Get Carriers', path: '/tk/v2.1/courier/list', ...one, method: 'GET' },
  delete: { title: 'Delete trackings', path: '/tk/v2.1/track/delete', ...batch },
  edit: { title: 'Edit a tracking', path: '/tk/v2.1/track/update', ...one },
  changeCourier: { title: 'Change carrier', path: '/tk/v2.1/track/update-courier', ...one },
  refresh: { title: 'Retrack a package', path: '/tk/v2.1/track/refresh', ...one },
  // The largest batch that a client is known to send; the limit itself is not documented.
  refreshBatch: { title: 'Retrack packages', path: '/tk/v2.1/track/refresh-batch', ...batch, batchLimit: 50 },
  instant: { title: 'Instant tracking', path: '/tk/v2.1/track/query-realtime', ...one, callsPerSecond: 1 },
} as const satisfies Readonly<Record<string, Omit<Operation, 'name'>>>;

/** The operations of the service that the program uses. */
export type OperationName = keyof typeof operations;

/** Paths, methods and limits of all operations; the configuration can override each. */
export type OperationTable = Readonly<Record<OperationName, Operation>>;

/**
 * The defaults; `service/README.md`, "Operations", says how certain each of them is. The configuration can change every
 * one.
 */
export const defaultOperations = Object.fromEntries(
  Object.entries(operations).map(([name, operation]) => [name, { name, ...operation }]),
) as unknown as OperationTable;

/** How often a number can be retracked, in milliseconds; the service ignores an earlier call. */
export const refreshIntervalMs = 6 * 3_600_000;

/** The header that carries the key, unless the configuration names another one. */
export const defaultKeyHeader = 'Service-Api-Secret';

/** Most numbers that one call of each operation takes. */
export interface BatchLimits {
  readonly register: number;
  readonly query: number;
}

/**
 * The service as the rooms above see it. Every method makes the calls it needs at the permitted rate, splits what
 * exceeds a batch, and rejects with a `ServiceError`; it never retries: the gate above it decides that.
 */
export interface TrackingService {
  /** Registers numbers. At most the batch limit of items a call. */
  register(items: readonly RegistrationItem[], signal?: AbortSignal): Promise<RegisterAnswer>;
  /** What the service knows of numbers, all pages together. At most the batch limit of keys a call. */
  query(keys: readonly TrackKey[], signal?: AbortSignal): Promise<QueryAnswer>;
  /** All couriers of the service (Get Carriers). */
  couriers(signal?: AbortSignal): Promise<readonly Courier[]>;
  readonly batchLimits: BatchLimits;
  /** Between what the difference to the service's clock is, by the last answers; null where it is not known or when left out. */
  skewBounds?(): SkewBounds | null;
  /** Whether the newest answer is of the embedded sandbox on this machine; not when left out. */
  isSandbox?(): boolean;
}

/** Everything else that an account can do. */
export interface AccountService {
  /** A page of the records of a window of the account, in one call; the first has the cursor "". */
  search(window: QueryWindow, cursor: string, signal?: AbortSignal): Promise<AccountPage>;
  /** Deletes numbers at the service; answers what it did not delete. At most the batch limit of keys a call. */
  delete(keys: readonly TrackKey[], signal?: AbortSignal): Promise<readonly Rejection[]>;
  /** Changes what the account holds about a number. */
  edit(edit: TrackingEdit, signal?: AbortSignal): Promise<void>;
  /** Moves a number to another courier. */
  changeCourier(key: TrackKey & { courierCode: string }, newCourierCode: string, signal?: AbortSignal): Promise<void>;
  /**
   * Makes the service query the couriers now: once in six hours for a number. It brings no record; query afterwards.
   */
  retrack(keys: readonly TrackKey[], signal?: AbortSignal): Promise<readonly RetrackOutcome[]>;
  /** What the courier knows now of a number, registered or not; costs one tracking quota, once a second. */
  instant(item: InstantItem, signal?: AbortSignal): Promise<InstantAnswer>;
  /**
   * How far the service's clock is ahead of ours, in milliseconds, by the Date headers of the last answers; null before
   * the first. It is known to about a second: the header has no parts of one and the way takes time.
   */
  clockSkew(): number | null;
}
