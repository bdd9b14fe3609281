import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { Account, Database, Transaction } from './database.ts';
import { sqlStateOf } from './server-errors.ts';
import { migrations, type SchemaMigration, sql } from './sql.ts';

const foreignObjectAdvice =
  'Look at its contents, then have an administrator drop it ("drop schema parcel_monitor cascade") and run "parcel-monitor store" again.';

/** The table version that this program reads and writes. */
export const schemaVersion = Math.max(...migrations.map(({ version }) => version));

/** The advisory lock for migrations: an arbitrary number that other programs are unlikely to use. */
const migrationLock = 7_276_353_801;

/** Timeout per step, in milliseconds: enough to rewrite tables with a million rows. */
const stepMs = 600_000;

export interface SchemaState {
  /** 0 if there are no tables. */
  readonly version: number;
  /** The table version that this program needs. */
  readonly required: number;
}

/** Rejects with a `StoreError`. */
export async function schemaState(database: Pick<Database, 'query'>): Promise<SchemaState> {
  try {
    return { version: await readVersion(database), required: schemaVersion };
  } catch (error) {
    // The table or the schema does not exist.
    if (!['42P01', '3F000'].includes(sqlStateOf(error) ?? '')) throw error;
    return { version: 0, required: schemaVersion };
  }
}

/**
 * Returns whether the tables are up to date. Throws a `StoreError` of kind `newer-version` if a newer program migrated
 * them.
 */
export function areTablesCurrent({ place }: Pick<Database, 'place'>, { version, required }: SchemaState): boolean {
  if (version <= required) return version === required;
  throw new StoreError(
    'newer-version',
    {
      what: `The tables in ${place} were created by a newer parcel-monitor (table version ${version}; this version supports ${required}).`,
      advice: 'Update parcel-monitor; nothing was changed.',
    },
    place,
  );
}

/**
 * Migrates a database's tables to this program's version. Takes a single query if they are up to date. Several programs
 * may call it at the same time. Rejects with a `StoreError`: `newer-version` if a newer program migrated them, `no-permission` if
 * our role may not change them, `read-only` if the database is read-only.
 */
export async function migrate(database: Database, steps: readonly SchemaMigration[] = migrations): Promise<void> {
  const required = Math.max(...steps.map(({ version }) => version));
  const isDone = ({ version }: SchemaState): boolean => areTablesCurrent(database, { version, required });
  if (isDone(await schemaState(database))) return;
  if (database.readOnly !== null) throw missingTablesError(database, 'read-only');
  try {
    for (const migration of steps) await applyMigration(database, migration);
  } catch (error) {
    if (sqlStateOf(error) === '42501') throw missingTablesError(database, 'no-permission', error);
    throw error;
  }
  if (!isDone(await schemaState(database))) throw missingTablesError(database, 'failed');
}

const missingTablesError = (
  database: Database,
  kind: 'read-only' | 'no-permission' | 'failed',
  cause?: unknown,
): StoreError =>
  new StoreError(
    kind,
    {
      what: `${database.place} does not have the tables that this version of parcel-monitor needs, and this user may not create them.`,
      advice: 'Have the owner of the database run "parcel-monitor store" once.',
    },
    database.place,
    cause,
  );

async function applyMigration(database: Database, migration: SchemaMigration): Promise<void> {
  await database.transaction(
    async (transaction) => {
      await transaction.query(`set local lock_timeout = ${stepMs}`);
      await transaction.query(sql.lockForMigration, [migrationLock]);
      // A role that may not create schemas may still create tables in an existing one.
      const [schema] = await transaction.query(sql.schema);
      if (schema === undefined) await transaction.query(sql.createSchema);
      await transaction.query(sql.createMigrationTable);
      const version = await readVersion(transaction);
      if (version >= migration.version) return;
      if (version === 0) await assertOwnSchema(database, transaction);
      for (const statement of migration.statements) await transaction.query(statement);
      await transaction.query(sql.recordMigration, [migration.version]);
    },
    { responseMs: stepMs },
  );
}

/** Rejects with a `StoreError` if an unexpected role owns the schema or an object in it. */
async function assertOwnSchema({ place }: Database, transaction: Transaction): Promise<void> {
  const [foreignObject] = await transaction.query<{ name: string }>(sql.foreignObjectInSchema);
  if (foreignObject === undefined) return;
  throw new StoreError(
    'no-permission',
    `The schema parcel_monitor in ${place} contains objects owned by the role ${cleanText(foreignObject.name)}, which could run statements as other users. ${foreignObjectAdvice}`,
    place,
  );
}

async function readVersion(transaction: Pick<Transaction, 'query'>): Promise<number> {
  const [row] = await transaction.query<{ version: number }>(sql.schemaVersion);
  return row?.version ?? 0;
}

/** Queries one fact. Returns null if the engine does not support it: some engines only speak the Postgres protocol. */
async function queryFact<Row extends object>(
  database: Pick<Database, 'query'>,
  statement: string,
): Promise<Row | null> {
  try {
    const [row] = await database.query<Row>(statement);
    return row ?? null;
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind === 'cut-off') throw error;
    return null;
  }
}

/** Rejects with a `StoreError` if the server is unreachable. A fact is null if the engine does not support the query. */
export async function reportServer(database: Pick<Database, 'query'>) {
  const version = await queryFact<{ version: string }>(database, sql.serverVersion);
  const replica = await queryFact<{ replica: boolean }>(database, sql.isReplica);
  const lag = await queryFact<{ lag: number | null }>(database, sql.replicaLag);
  const size = await queryFact<{ bytes: number | null }>(database, sql.size);
  return {
    /** Name and version, such as `PostgreSQL 18.1`. */
    version: version === null ? null : (version.version.split(/ on |,/)[0] ?? null),
    isReplica: replica?.replica ?? null,
    /** How far a replica is behind, in seconds. Null for a primary, and if nothing has been written yet. */
    lagSeconds: lag?.lag ?? null,
    /** Size of all tables and indexes of all accounts, in bytes. */
    bytes: size?.bytes ?? null,
  };
}

interface AccountReport {
  readonly parcels: number;
  /** Removed parcels that can be restored. */
  readonly removed: number;
  /** Lines in the change log. */
  readonly changes: number;
}

/** Rejects with a `StoreError`. */
export async function reportAccount(database: Pick<Database, 'query'>, { id }: Account): Promise<AccountReport> {
  const [row] = await database.query<AccountReport>(sql.accountCounts, [id]);
  return row ?? { parcels: 0, removed: 0, changes: 0 };
}

/** Server settings by name. Null if the server does not have the setting. */
type DurabilitySettings = Readonly<Record<'fsync' | 'full_page_writes' | 'synchronous_commit', string | null>>;

/**
 * Reports how safely the server stores committed data, and our role's privileges. Rejects with a `StoreError` if the
 * server is unreachable.
 */
export async function reportDurability(database: Pick<Database, 'query'>) {
  const settings = await queryFact<DurabilitySettings>(database, sql.durability);
  const encryption = await queryFact<{ ssl: boolean }>(database, sql.isEncrypted);
  const privilege = await queryFact<{ right: boolean }>(database, sql.mayMigrate);
  return {
    settings: settings ?? { fsync: null, full_page_writes: null, synchronous_commit: null },
    /** Whether this connection is encrypted. */
    isEncrypted: encryption?.ssl ?? null,
    /** Whether our role may alter the tables, and therefore migrate them. */
    mayMigrate: privilege?.right ?? null,
  };
}
