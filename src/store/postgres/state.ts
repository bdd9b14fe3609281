import { readKept } from '../courier-directory.ts';
import { parseJson } from '../file/document-format.ts';
import { LeaseLostError } from '../poll-lease.ts';
import { readPollingMemory } from '../polling-memory.ts';
import type { Document } from '../store.ts';
import { createUsageMeter, readMetered } from '../usage.ts';
import type { Database, StatePlace, Transaction } from './database.ts';
import {
  createDatabaseLease,
  createDatabasePresence,
  type DatabaseLeaseOptions,
  type DatabasePresenceOptions,
} from './lease.ts';
import { stateOf } from './server-errors.ts';
import { sql } from './sql.ts';

export type DatabaseState = ReturnType<typeof createDatabaseState>;

/** Returns the data besides the parcels that an account's hosts share. Sends no query yet. */
export function createDatabaseState(options: DatabaseLeaseOptions & DatabasePresenceOptions) {
  return {
    lease: createDatabaseLease(options),
    memory: createDatabaseDocument(options, 'polling', readPollingMemory),
    meter: createUsageMeter(options.clock, createDatabaseDocument(options, 'meter', readMetered), options.holder),
    presence: createDatabasePresence(options),
    couriers: createDatabaseDocument(options, 'couriers', readKept),
  };
}

/** A document as last read or written. */
interface DocumentVersion<Data> {
  readonly revision: number;
  readonly data: Data;
}

/**
 * Creates a document that an account's hosts share. A change is always applied to the newest data: with a single
 * statement if we already have that data, or else under a lock. If the connection breaks during the write, the change may
 * or may not have been written.
 * @param read parses a value of any shape; undefined means that there is no document
 */
function createDatabaseDocument<Data extends object | null>(
  { accountId, database }: StatePlace,
  name: string,
  read: (value: unknown) => Data,
): Document<Data> {
  let known: DocumentVersion<Data> | null = null;

  const load = async (
    connection: Pick<Database, 'query'> = database,
    isLocked = false,
  ): Promise<DocumentVersion<Data> | null> => {
    const [row] = await connection.query<{ revision: number; body: string }>(
      isLocked ? sql.lockedDocument : sql.document,
      [accountId, name],
      { failsFast: true },
    );
    if (row === undefined) return null;
    if (row.revision !== known?.revision) known = { revision: row.revision, data: read(parseJson(row.body)) };
    return known;
  };
  /** Writes the document if it is unchanged, and checks and locks the lease in the same statement. */
  const replace = async (from: DocumentVersion<Data>, data: Data, fence: number | null): Promise<boolean> => {
    // Even if this fails, it may have been written.
    known = null;
    try {
      const [written] = await database.query<{ revision: number }>(
        fence === null ? sql.replaceDocument : sql.replaceDocumentUnderLease,
        [accountId, name, from.revision, textOf(data), ...(fence === null ? [] : [fence])],
      );
      if (written !== undefined) known = { revision: written.revision, data };
      return written !== undefined;
    } catch (error) {
      if (stateOf(error) === '40001') return false;
      throw error;
    }
  };
  const changeLocked = async (
    transaction: Transaction,
    change: (current: Data) => Data,
    fence: number | null,
  ): Promise<Data> => {
    known = null;
    if (fence !== null) {
      const [held] = await transaction.query(sql.heldLease, [accountId, fence]);
      if (held === undefined) throw new LeaseLostError(database.place);
    }
    let locked = await load(transaction, true);
    if (locked === null) {
      // Another host may be creating it at the same time.
      await transaction.query(sql.createDocument, [accountId, name]);
      locked = await load(transaction, true);
    }
    const current = locked?.data ?? read(undefined);
    // Whether the data is written is certain only after the commit.
    known = null;
    const data = change(current);
    if (data === current) return data;
    await transaction.query(sql.writeDocument, [accountId, name, textOf(data)]);
    return data;
  };

  return {
    isBinding: true,
    read: async () => ((await load()) ?? { data: read(undefined) }).data,
    async update(change, { fence = null } = {}) {
      const before = known ?? (await load());
      if (before !== null) {
        const data = change(before.data);
        if (data === before.data && (await load()) === before) return data;
        if (data !== before.data && (await replace(before, data, fence))) return data;
      }
      return await database.transaction((transaction) => changeLocked(transaction, change, fence));
    },
  };
}

const textOf = (data: object | null): string => JSON.stringify({ version: 1, ...data });
