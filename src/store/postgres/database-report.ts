import { StoreError } from '../../lib/store-errors.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

/**
 * What a server reports about itself. A field is null if the engine does not support the query: some engines only speak
 * the Postgres protocol.
 */
interface ServerReport {
  /** Name and version, such as `PostgreSQL 18.1`. */
  readonly version: string | null;
  readonly isReplica: boolean | null;
  /** How far a replica is behind, in seconds. Null for a primary, and if nothing has been written yet. */
  readonly lagSeconds: number | null;
  /** Size of all tables and indexes of all accounts, in bytes. */
  readonly bytes: number | null;
}

interface AccountReport {
  readonly parcels: number;
  /** Removed parcels that can be restored. */
  readonly removed: number;
  /** Lines in the change log. */
  readonly changes: number;
}

/** How safely the server stores committed data, and our role's privileges. */
interface DurabilityReport {
  /** Server settings by name. Null if the server does not have the setting. */
  readonly settings: Readonly<Record<'fsync' | 'full_page_writes' | 'synchronous_commit', string | null>>;
  /** Whether this connection is encrypted. */
  readonly isEncrypted: boolean | null;
  /** Whether our role may alter the tables, and therefore migrate them. */
  readonly mayMigrate: boolean | null;
}

/** Queries one fact. Facts are queried separately, because an engine may support only some of them. */
type Ask = <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row | null>;

const createAsk =
  (database: Pick<Database, 'query'>): Ask =>
  async <Row extends object>(statement: string, values: readonly unknown[] = []) => {
    try {
      const [row] = await database.query<Row>(statement, values);
      return row ?? null;
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind === 'cut-off') throw error;
      return null;
    }
  };

/** Rejects with a `StoreError` if the server is unreachable. */
export async function reportServer(database: Pick<Database, 'query'>): Promise<ServerReport> {
  const ask = createAsk(database);
  const version = await ask<{ version: string }>(sql.serverVersion);
  const replica = await ask<{ replica: boolean }>(sql.isReplica);
  const lag = await ask<{ lag: number | null }>(sql.replicaLag);
  const size = await ask<{ bytes: number | null }>(sql.size);
  return {
    version: version === null ? null : (version.version.split(/ on |,/)[0] ?? null),
    isReplica: replica?.replica ?? null,
    lagSeconds: lag?.lag ?? null,
    bytes: size?.bytes ?? null,
  };
}

/** Rejects with a `StoreError`. */
export async function reportAccount(database: Pick<Database, 'query'>, { id }: Account): Promise<AccountReport> {
  const [row] = await database.query<AccountReport>(sql.accountCounts, [id]);
  return row ?? { parcels: 0, removed: 0, changes: 0 };
}

/** Rejects with a `StoreError` if the server is unreachable. */
export async function reportDurability(database: Pick<Database, 'query'>): Promise<DurabilityReport> {
  const ask = createAsk(database);
  const settings = await ask<DurabilityReport['settings']>(sql.durability);
  const encryption = await ask<{ ssl: boolean }>(sql.isEncrypted);
  const privilege = await ask<{ right: boolean }>(sql.mayMigrate);
  return {
    settings: settings ?? { fsync: null, full_page_writes: null, synchronous_commit: null },
    isEncrypted: encryption?.ssl ?? null,
    mayMigrate: privilege?.right ?? null,
  };
}
