import { cleanText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { Database, Transaction } from './database.ts';
import { stateOf } from './server-errors.ts';
import { migrations, type SchemaMigration, sql } from './sql.ts';

const strangerAdvice =
  'Look at what is in it, then have an administrator remove it ("drop schema parcel_monitor cascade") and run "parcel-monitor store" again.';

/** The version of the tables that this program reads and writes. */
export const schemaVersion = Math.max(...migrations.map(({ version }) => version));

/** Serializes those who migrate; any number that nobody else uses. */
const migrationLock = 7_276_353_801;

/** How long a step may take, in milliseconds: tables of a million rows are rewritten in it. */
const stepMs = 600_000;

/** What a database's tables are like. */
export interface SchemaState {
  /** 0 where there are none. */
  readonly version: number;
  /** What this program wants. */
  readonly wanted: number;
}

/** Which version of the tables a database has. Rejects with a `StoreError`. */
export async function schemaState(database: Pick<Database, 'query'>): Promise<SchemaState> {
  try {
    return { version: await versionOf(database), wanted: schemaVersion };
  } catch (error) {
    // No such table, or schema.
    if (!['42P01', '3F000'].includes(stateOf(error) ?? '')) throw error;
    return { version: 0, wanted: schemaVersion };
  }
}

/** Whether the tables are as this program wants them. Throws a `StoreError` of kind `newer-version` where a newer one has been there. */
export function areTablesThere({ place }: Pick<Database, 'place'>, { version, wanted }: SchemaState): boolean {
  if (version <= wanted) return version === wanted;
  throw new StoreError(
    'newer-version',
    {
      what: `${place} was used by a newer version of parcel-monitor (its tables are of version ${version}, this one knows ${wanted}).`,
      advice: 'Update parcel-monitor; nothing was changed.',
    },
    place,
  );
}

/**
 * Brings a database's tables to the version that this program wants; costs a look where they have it. Several may do so at
 * once. Rejects with a `StoreError`: `newer-version` where a newer program has been there, `no-permission` where this role
 * may not make them, `read-only` where nobody may.
 */
export async function migrate(database: Database, steps: readonly SchemaMigration[] = migrations): Promise<void> {
  const wanted = Math.max(...steps.map(({ version }) => version));
  const isDone = ({ version }: SchemaState): boolean => areTablesThere(database, { version, wanted });
  if (isDone(await schemaState(database))) return;
  if (database.readOnly !== null) throw missing(database, 'read-only');
  try {
    for (const step of steps) await takeStep(database, step);
  } catch (error) {
    if (stateOf(error) === '42501') throw missing(database, 'no-permission', error);
    throw error;
  }
  if (!isDone(await schemaState(database))) throw missing(database, 'failed');
}

const missing = (database: Database, kind: 'read-only' | 'no-permission' | 'failed', cause?: unknown): StoreError =>
  new StoreError(
    kind,
    {
      what: `${database.place} does not hold the tables of parcel-monitor as this version wants them, and this user may not make them.`,
      advice: 'Let the owner of the database run "parcel-monitor store" once.',
    },
    database.place,
    cause,
  );

async function takeStep(database: Database, step: SchemaMigration): Promise<void> {
  await database.transaction(
    async (transaction) => {
      await transaction.query(`set local lock_timeout = ${stepMs}`);
      await transaction.query(sql.lockForMigration, [migrationLock]);
      // Whoever may not create a schema may use one that is there.
      const [schema] = await transaction.query(sql.schema);
      if (schema === undefined) await transaction.query(sql.makeSchema);
      await transaction.query(sql.makeMigrationTable);
      const version = await versionOf(transaction);
      if (version >= step.version) return;
      if (version === 0) await refuseStranger(database, transaction);
      for (const statement of step.statements) await transaction.query(statement);
      await transaction.query(sql.noteMigration, [step.version]);
    },
    { answerMs: stepMs },
  );
}

/** Rejects with a `StoreError` where somebody else has made the schema, or something in it, beforehand. */
async function refuseStranger({ place }: Database, transaction: Transaction): Promise<void> {
  const [stranger] = await transaction.query<{ name: string }>(sql.strangerInSchema);
  if (stranger === undefined) return;
  throw new StoreError(
    'no-permission',
    `The schema parcel_monitor in ${place} contains objects of the role ${cleanText(stranger.name)}, which could run statements as other users. ${strangerAdvice}`,
    place,
  );
}

async function versionOf(transaction: Pick<Transaction, 'query'>): Promise<number> {
  const [row] = await transaction.query<{ version: number }>(sql.schemaVersion);
  return row?.version ?? 0;
}
