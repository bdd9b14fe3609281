import type { EpochMs } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { historyIdOf } from '../../parcels/identity.ts';
import { noteChanges } from '../../parcels/note-changes.ts';
import { assertValidId, type Parcel } from '../../parcels/parcel.ts';
import { addedParcels, removedParcels, type Watchlist } from '../../parcels/parcel-list.ts';
import { applyWrites, type ParcelWrite, type Revision, splitIntoBatches } from '../store.ts';
import { type Account, type Database, lockAccount, type Transaction } from './database.ts';
import { listPosition, maxParcelsPerWrite, numberKey, type ParcelRows } from './parcel-rows.ts';
import { sql } from './sql.ts';

interface WriteRequest {
  readonly writes: readonly ParcelWrite[];
  readonly basedOn: Revision;
  readonly now: EpochMs;
  /** The number of the lease that we must have, or null. */
  readonly fence: number | null;
}

type WriteResult =
  | { readonly kind: 'written'; readonly isPruneDue: boolean }
  | { readonly kind: 'conflict' | 'fenced' };

interface WriteContext {
  readonly database: Database;
  readonly account: Account;
  readonly rows: ParcelRows;
}

const maxRows = 500;

/**
 * Writes parcels and their lines of the change log in one transaction. It locks the account, so that revisions and
 * sequence numbers become visible in order. Rejects with a `StoreError`.
 */
export async function writeParcels(
  { account, database, rows }: WriteContext,
  { basedOn, fence, now, writes }: WriteRequest,
): Promise<WriteResult> {
  const { place } = database;
  for (const { id } of writes) assertValidId(id, place);
  if (writes.length > maxParcelsPerWrite)
    throw new StoreError(
      'failed',
      {
        what: `A single change can affect at most ${maxParcelsPerWrite} parcels.`,
        advice: 'Split it into smaller changes.',
      },
      place,
    );
  return await database.transaction(async (transaction): Promise<WriteResult> => {
    const before = await lockAccount(transaction, account, place);
    if (fence !== null) {
      const [held] = await transaction.query(sql.lockedLease, [account.id, fence]);
      if (held === undefined) return { kind: 'fenced' };
    }
    if (basedOn < before.prunedRevision || basedOn > before.revision) return { kind: 'conflict' };
    const ids = writes.map(({ id }) => id);
    const storedParcels = await rows.readByKeys(transaction, 'id', ids);
    if (before.revision > basedOn) {
      const numbers = writes.map(({ parcel }) => (parcel === null ? null : numberKey(parcel.trackNo)));
      const [row] = await transaction.query<{ conflict: boolean }>(sql.hasConflict, [
        account.id,
        basedOn,
        ids,
        numbers,
      ]);
      if (row?.conflict === true) return { kind: 'conflict' };
    }
    const knownIds = new Set(storedParcels.map(({ id }) => id));
    const effectiveWrites = dropUnchanged(writes, storedParcels).filter(
      ({ id, parcel }) => parcel !== null || knownIds.has(id),
    );
    const result: WriteResult = { kind: 'written', isPruneDue: before.isPruneDue };
    if (effectiveWrites.length === 0) return result;
    const list: Watchlist = { version: 1, parcels: storedParcels, changes: { seq: before.changeSeq, recent: [] } };
    const changedList = { ...list, parcels: applyWrites(storedParcels, effectiveWrites) };
    const loggedList = await noteChanges(list, changedList, { now, loggedSeq: before.changeSeq });
    const parcelsById = new Map(loggedList.parcels.map((parcel) => [parcel.id, parcel]));
    const writtenParcels = effectiveWrites.flatMap(({ id }) => parcelsById.get(id) ?? []);
    const removedIds = effectiveWrites.flatMap(({ id }) => (parcelsById.has(id) ? [] : [id]));
    const addedIds = writtenParcels.flatMap(({ id }) => (knownIds.has(id) ? [] : [id]));
    const revision = before.revision + 1;
    const positioned = writtenParcels.map((parcel, index) => ({ parcel, position: listPosition(revision, index) }));
    const lines = loggedList.changes?.recent ?? [];
    const runIfAny = async (
      ids: readonly string[],
      statement: string,
      ...values: readonly unknown[]
    ): Promise<void> => {
      if (ids.length > 0) await transaction.query(statement, [account.id, ...values, ids]);
    };
    await writeRows(transaction, account, positioned, revision);
    await runIfAny(addedIds, sql.removeFromTrash);
    await runIfAny(removedIds, sql.trashParcels, revision);
    await runIfAny(removedIds, sql.removeParcels);
    await runIfAny(removedParcels(storedParcels, loggedList.parcels).map(historyIdOf), sql.trashHistories);
    await runIfAny(addedParcels(storedParcels, loggedList.parcels).map(historyIdOf), sql.restoreHistories);
    await writeLines(
      transaction,
      account,
      lines.map((line) => ({ seq: line.seq, line })),
    );
    await transaction.query(sql.finishWrite, [account.id, revision, before.changeSeq + lines.length]);
    await transaction.announce(String(account.id));
    return result;
  });
}

/** Leaves out writes that change nothing, so that retrying a commit whose response was lost writes nothing. */
function dropUnchanged(writes: readonly ParcelWrite[], storedParcels: readonly Parcel[]): readonly ParcelWrite[] {
  const storedById = new Map(storedParcels.map((parcel) => [parcel.id, parcel]));
  return writes.filter(({ id, parcel }) => {
    const before = storedById.get(id);
    return parcel === null || before === undefined || JSON.stringify(parcel) !== JSON.stringify(before);
  });
}

/** Inserts or updates parcels. An existing parcel keeps its list position. */
export async function writeRows(
  transaction: Transaction,
  account: Account,
  positioned: readonly { readonly parcel: Parcel; readonly position: number }[],
  revision: Revision,
): Promise<void> {
  for (const batch of splitIntoBatches(positioned, maxRows)) {
    await transaction.query(sql.writeParcels, [
      account.id,
      revision,
      batch.map(({ parcel }) => parcel.id),
      batch.map(({ parcel }) => numberKey(parcel.trackNo)),
      batch.map(({ position }) => position),
      batch.map(({ parcel }) => JSON.stringify(parcel)),
    ]);
  }
}

/** A line of the change log and its number. A copied line may have any other fields. */
interface NumberedLine {
  readonly seq: number;
  readonly line: { readonly noticedAt?: unknown; readonly parcelId?: unknown };
}

export async function writeLines(
  transaction: Transaction,
  account: Account,
  lines: readonly NumberedLine[],
): Promise<void> {
  for (const batch of splitIntoBatches(lines, maxRows)) {
    await transaction.query(sql.writeChanges, [
      account.id,
      batch.map(({ seq }) => seq),
      batch.map(({ line }) => Date.parse(String(line.noticedAt)) || 0),
      batch.map(({ line }) => String(line.parcelId).toWellFormed().replaceAll('\0', '')),
      batch.map(({ line }) => JSON.stringify(line)),
    ]);
  }
}
