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
