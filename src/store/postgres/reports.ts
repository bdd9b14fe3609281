import { StoreError } from '../../lib/store-errors.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

/** What a server says of itself; null for what it does not know, as engines may that only speak the protocol. */
export interface ServerReport {
  /** As it names itself: `PostgreSQL 18.1`. */
  readonly version: string | null;
  readonly isReplica: boolean | null;
  /** How far a replica is behind, in seconds; null for none, or where nothing was written yet. */
  readonly lagSeconds: number | null;
  /** All tables with their indexes, of all accounts, in bytes. */
  readonly bytes: number | null;
}

/** How much an account holds. */
export interface AccountReport {
  readonly parcels: number;
  /** Removed parcels that can be brought back. */
  readonly removed: number;
  /** Lines of the change log. */
  readonly changes: number;
}

/** How well a server keeps what it was told was written, and who we are to it. */
export interface DurabilityReport {
  /** Settings of the server by their names, such as `fsync`; null for one that it does not know. */
  readonly settings: Readonly<Record<'fsync' | 'full_page_writes' | 'synchronous_commit', string | null>>;
  /** Whether this connection is encrypted. */
  readonly isEncrypted: boolean | null;
  /** Whether this role may change the tables, and so bring them to a newer version. */
  readonly mayMigrate: boolean | null;
}

/** What is asked for alone, since an engine may know some of it. */
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

/** Asks a server about itself. Rejects with a `StoreError` when it cannot be reached. */
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

/** Counts what an account holds. Rejects with a `StoreError`. */
export async function reportAccount(database: Pick<Database, 'query'>, { id }: Account): Promise<AccountReport> {
  const [row] = await database.query<AccountReport>(sql.accountCounts, [id]);
  return row ?? { parcels: 0, removed: 0, changes: 0 };
}

/** Asks a server what a commit is worth there. Rejects with a `StoreError` when it cannot be reached. */
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
