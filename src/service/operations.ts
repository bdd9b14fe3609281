/** The operations of the service that the program uses. */
export type OperationName =
  | 'register'
  | 'registerV21'
  | 'query'
  | 'queryV2'
  | 'couriers'
  | 'delete'
  | 'edit'
  | 'changeCourier'
  | 'refresh'
  | 'refreshBatch'
  | 'instant';

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

/** Paths, methods and limits of all operations; the configuration can override each. */
export type OperationTable = Readonly<Record<OperationName, Operation>>;

/** Most numbers in one call unless the configuration says otherwise. */
export const usualBatchLimit = 100;

const fivePerSecond = { batchLimit: usualBatchLimit, callsPerSecond: 5 } as const;

/**
 * The defaults; `service/README.md`, "Operations", says how certain each of them is. The configuration can change every
 * one.
 */
export const defaultOperations: OperationTable = {
  register: {
    name: 'register',
    title: 'Register trackings',
    method: 'POST',
    path: '/tk/v2/track/import',
    ...fivePerSecond,
  },
  registerV21: {
    name: 'registerV21',
    title: 'Register trackings v2.1',
    method: 'POST',
    path: '/tk/v2.1/track/import',
    ...fivePerSecond,
  },
  query: {
    name: 'query',
    title: 'Query trackings v2.1',
    method: 'POST',
    path: '/tk/v2.1/track/query',
    ...fivePerSecond,
  },
  queryV2: {
    name: 'queryV2',
    title: 'Query trackings v2',
    method: 'POST',
    path: '/tk/v2/track/query',
    ...fivePerSecond,
  },
  couriers: {
    name: 'couriers',
    title: 'Get Carriers',
    method: 'GET',
    path: '/tk/v2.1/courier/list',
    batchLimit: 1,
    callsPerSecond: 5,
  },
  delete: {
    name: 'delete',
    title: 'Delete trackings',
    method: 'POST',
    path: '/tk/v2.1/track/delete',
    ...fivePerSecond,
  },
  edit: {
    name: 'edit',
    title: 'Edit a tracking',
    method: 'POST',
    path: '/tk/v2.1/track/update',
    batchLimit: 1,
    callsPerSecond: 5,
  },
  changeCourier: {
    name: 'changeCourier',
    title: 'Change carrier',
    method: 'POST',
    path: '/tk/v2.1/track/update-courier',
    batchLimit: 1,
    callsPerSecond: 5,
  },
  refresh: {
    name: 'refresh',
    title: 'Retrack a package',
    method: 'POST',
    path: '/tk/v2.1/track/refresh',
    batchLimit: 1,
    callsPerSecond: 5,
  },
  refreshBatch: {
    name: 'refreshBatch',
    title: 'Retrack packages',
    method: 'POST',
    path: '/tk/v2.1/track/refresh-batch',
    // The largest batch that a client is known to send; the limit itself is not documented.
    batchLimit: 50,
    callsPerSecond: 5,
  },
  instant: {
    name: 'instant',
    title: 'Instant tracking',
    method: 'POST',
    path: '/tk/v2.1/track/query-realtime',
    batchLimit: 1,
    callsPerSecond: 1,
  },
};

/** How often a number can be retracked, in milliseconds; the service ignores an earlier call. */
export const refreshIntervalMs = 6 * 3_600_000;

/** The header that carries the key, unless the configuration names another one. */
export const defaultKeyHeader = 'Service-Api-Secret';
