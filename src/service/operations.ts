/** The operations of the service that the program uses. */
export type OperationName = 'register' | 'query' | 'queryV2' | 'couriers';

/** How one operation is called. */
export interface Operation {
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

/**
 * Defaults. Paths and methods of register and query: interface sections 4.1 to 4.3. Path of Get Carriers, batch limit
 * and rate: public facts of the service.
 */
export const defaultOperations: OperationTable = {
  register: {
    title: 'Register trackings',
    method: 'POST',
    path: '/tk/v2/track/import',
    batchLimit: 100,
    callsPerSecond: 5,
  },
  query: {
    title: 'Query trackings v2.1',
    method: 'POST',
    path: '/tk/v2.1/track/query',
    batchLimit: 100,
    callsPerSecond: 5,
  },
  queryV2: {
    title: 'Query trackings v2',
    method: 'POST',
    path: '/tk/v2/track/query',
    batchLimit: 100,
    callsPerSecond: 5,
  },
  couriers: {
    title: 'Get Carriers',
    method: 'GET',
    path: '/tk/v2.1/courier/list',
    batchLimit: 1,
    callsPerSecond: 5,
  },
};

/** Interface section 5. */
export const defaultKeyHeader = 'Service-Api-Secret';
