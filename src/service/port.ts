import type { SkewBounds } from '../lib/clock-skew.ts';
import type {
  AccountPage,
  Courier,
  InstantItem,
  InstantResponse,
  QueryResponse,
  QueryWindow,
  RegisterResponse,
  RegistrationItem,
  Rejection,
  RetrackOutcome,
  TrackingEdit,
  TrackKey,
} from './record.ts';

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

/** In milliseconds. Before that, the service ignores another retrack of the same number. */
export const refreshIntervalMs = 6 * 3_600_000;

export const defaultKeyHeader = 'Service-Api-Secret';

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
  /** Takes effect at most once in six hours per number. Returns no records, so query afterwards. */
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
