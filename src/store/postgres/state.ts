import { readSavedCouriers } from '../courier-directory.ts';
import { fileVersion, parseJson } from '../file/document-format.ts';
import { LeaseLostError } from '../poll-lease.ts';
import { readPollingMemory } from '../polling-memory.ts';
import type { Document } from '../store.ts';
import { createUsageMeter, readMetered } from '../usage.ts';
import type { StatePlace } from './database.ts';
import {
  createDatabaseLease,
  createDatabasePresence,
  type DatabaseLeaseOptions,
  type DatabasePresenceOptions,
} from './lease.ts';
import { sql } from './sql.ts';

export type DatabaseState = ReturnType<typeof createDatabaseState>;

/** Returns the data besides the parcels that an account's hosts share. Sends no query yet. */
export function createDatabaseState(options: DatabaseLeaseOptions & DatabasePresenceOptions) {
  return {
    lease: createDatabaseLease(options),
    memory: createDatabaseDocument(options, 'polling', readPollingMemory),
    meter: createUsageMeter(options.clock, createDatabaseDocument(options, 'meter', readMetered), options.holder),
    presence: createDatabasePresence(options),
    couriers: createDatabaseDocument(options, 'couriers', readSavedCouriers),
  };
}

/**
 * Creates a document that an account's hosts share. If the connection breaks during a write, the change may or may not
 * have been written.
 * @param read parses a value of any shape; undefined means that there is no document
 */
function createDatabaseDocument<Data extends object | null>(
  { accountId, database }: StatePlace,
  name: string,
  read: (value: unknown) => Data,
): Document<Data> {
  const dataOf = ([row]: readonly { readonly body: string }[]): Data =>
    read(row === undefined ? undefined : parseJson(row.body));
  return {
    isBinding: true,
    read: async () => dataOf(await database.query(sql.document, [accountId, name], { failsFast: true })),
    update: async (change, { fence = null } = {}) =>
      await database.transaction(async (transaction) => {
        if (fence !== null) {
          const [held] = await transaction.query(sql.heldLease, [accountId, fence]);
          if (held === undefined) throw new LeaseLostError(database.place);
        }
        const lock = () => transaction.query<{ readonly body: string }>(sql.lockedDocument, [accountId, name]);
        let locked = await lock();
        if (locked.length === 0) {
          await transaction.query(sql.createDocument, [accountId, name]);
          locked = await lock();
        }
        const current = dataOf(locked);
        const data = change(current);
        if (data !== current)
          await transaction.query(sql.writeDocument, [
            accountId,
            name,
            JSON.stringify({ version: fileVersion, ...data }),
          ]);
        return data;
      }),
  };
}
