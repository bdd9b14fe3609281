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

/** Opens the data that an account shares between hosts, besides the parcels; sends no query yet. */
export function createDatabaseState(options: DatabaseLeaseOptions & DatabasePresenceOptions) {
  return {
    lease: createDatabaseLease(options),
    memory: createDatabaseDocument(options, 'polling', readPollingMemory),
    meter: createUsageMeter(options.clock, createDatabaseDocument(options, 'meter', readMetered), options.holder),
    presence: createDatabasePresence(options),
    couriers: createDatabaseDocument(options, 'couriers', readKept),
  };
}

/** The last known contents of a document. */
interface Known<Data> {
  readonly revision: number;
  readonly data: Data;
}

/**
 * Creates a document shared by an account's hosts. A change applies to the newest data: in one statement if we
 * know that data, else under a lock. If the connection breaks during the write, the change may or may not be written.
 * @param read parses a value of any shape; undefined means that there is no document
 */
function createDatabaseDocument<Data extends object | null>(
  { accountId, database }: StatePlace,
  name: string,
  read: (value: unknown) => Data,
): Document<Data> {
  let known: Known<Data> | null = null;

  const look = async (on: Pick<Database, 'query'> = database, isLocked = false): Promise<Known<Data> | null> => {
    const [row] = await on.query<{ revision: number; body: string }>(
      isLocked ? sql.lockedDocument : sql.document,
      [accountId, name],
      { isLook: true },
    );
    if (row === undefined) return null;
    if (row.revision !== known?.revision) known = { revision: row.revision, data: read(parseJson(row.body)) };
    return known;
  };
  /** Writes if the document is unchanged. The same statement checks the lease and locks it until the end. */
  const replace = async (from: Known<Data>, data: Data, fence: number | null): Promise<boolean> => {
    // Even if this fails, our copy may be outdated now.
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
    let locked = await look(transaction, true);
    if (locked === null) {
      // Another host may create it at the same time.
      await transaction.query(sql.makeDocument, [accountId, name]);
      locked = await look(transaction, true);
    }
    const current = locked?.data ?? read(undefined);
    // The result is certain only after the commit.
    known = null;
    const data = change(current);
    if (data === current) return data;
    await transaction.query(sql.writeDocument, [accountId, name, textOf(data)]);
    return data;
  };

  return {
    isBinding: true,
    read: async () => ((await look()) ?? { data: read(undefined) }).data,
    async update(change, { fence = null } = {}) {
      const before = known ?? (await look());
      if (before !== null) {
        const data = change(before.data);
        if (data === before.data && (await look()) === before) return data;
        if (data !== before.data && (await replace(before, data, fence))) return data;
      }
      return await database.transaction((transaction) => changeLocked(transaction, change, fence));
    },
  };
}

const textOf = (data: object | null): string => JSON.stringify({ version: 1, ...data });
