import type { Database } from './database.ts';

/** Where an account's own rows are. */
export interface StatePlace {
  readonly database: Pick<Database, 'place' | 'query' | 'transaction' | 'readOnly'>;
  readonly accountId: number;
}
