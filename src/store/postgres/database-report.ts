import { StoreError } from '../../lib/store-errors.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

/**
 * What a server reports about itself. A field is null if the engine does not know it, because it only speaks the
 * protocol.
 */
interface ServerReport {
  /** The server's own name and version, such as `PostgreSQL 18.1`. */
  readonly version: string | null;
  readonly isReplica: boolean | null;
  /** How far a replica is behind, in seconds. Null if it is not a replica, or nothing has been written yet. */
  readonly lagSeconds: number | null;
  /** Total size of all tables and indexes, across all accounts, in bytes. */
  readonly bytes: number | null;
}

/** An account's size. */
interface AccountReport {
  readonly parcels: number;
  /** Removed parcels that can be restored. */
  readonly removed: number;
  /** Number of lines in the change log. */
  readonly changes: number;
}

/** How safely the server stores committed data, and the privileges of our role. */
interface DurabilityReport {
  /** Settings of the server by name, such as `fsync`. Null for an unknown one. */
  readonly settings: Readonly<Record<'fsync' | 'full_page_writes' | 'synchronous_commit', string | null>>;
  /** Whether this connection is encrypted. */
  readonly isEncrypted: boolean | null;
  /** Whether this role may change the tables, and so migrate them. */
  readonly mayMigrate: boolean | null;
}

/** Facts that are queried one by one, because an engine may know only some of them. */
type Ask = <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row | null>;

const asking =
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

/** Asks a server for facts about itself. Rejects with a `StoreError` if it is unreachable. */
export async function reportServer(database: Pick<Database, 'query'>): Promise<ServerReport> {
  const ask = asking(database);
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

/** Returns an account's size. Rejects with a `StoreError`. */
export async function reportAccount(database: Pick<Database, 'query'>, { id }: Account): Promise<AccountReport> {
  const [row] = await database.query<AccountReport>(sql.accountCounts, [id]);
  return row ?? { parcels: 0, removed: 0, changes: 0 };
}

/** Asks a server how safe its commits are. Rejects with a `StoreError` if it is unreachable. */
export async function reportDurability(database: Pick<Database, 'query'>): Promise<DurabilityReport> {
  const ask = asking(database);
  const settings = await ask<DurabilityReport['settings']>(sql.durability);
  const encryption = await ask<{ ssl: boolean }>(sql.isEncrypted);
  const right = await ask<{ right: boolean }>(sql.mayMigrate);
  return {
    settings: settings ?? { fsync: null, full_page_writes: null, synchronous_commit: null },
    isEncrypted: encryption?.ssl ?? null,
    mayMigrate: right?.right ?? null,
  };
}
