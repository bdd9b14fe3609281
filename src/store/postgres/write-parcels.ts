import type { EpochMs } from '../../lib/clock.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { noteChanges } from '../../parcels/note-changes.ts';
import { assertValidId, historyIdOf, type Parcel } from '../../parcels/parcel.ts';
import { addedParcels, removedParcels, type Watchlist } from '../../parcels/parcel-list.ts';
import { applyWrites, inBatches, type ParcelWrite, type Revision } from '../store.ts';
import { type Account, type Database, lockAccount, type Transaction } from './database.ts';
import { maxParcelsPerWrite, numberKey, type ParcelRows, positionOf } from './parcel-rows.ts';
import { sql } from './sql.ts';

/** What to write, and on which conditions. */
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

/** Maximum number of rows per statement. */
const maxRows = 500;

interface WriteContext {
  readonly database: Database;
  readonly account: Account;
  readonly rows: ParcelRows;
}

/**
 * Writes parcels and their lines of the change log in one transaction. It locks the account, so that revisions and
 * sequence numbers become visible in order. Rejects with a `StoreError`.
 */
export async function writeParcels(context: WriteContext, request: WriteRequest): Promise<WriteResult> {
  const { place } = context.database;
  for (const { id } of request.writes) assertValidId(id, place);
  if (request.writes.length > maxParcelsPerWrite)
    throw new StoreError(
      'failed',
      {
        what: `A single change can affect at most ${maxParcelsPerWrite} parcels.`,
        advice: 'Split it into smaller changes.',
      },
      place,
    );
  return await context.database.transaction((transaction) => writeIn(context, transaction, request));
}

async function writeIn(
  { account, database, rows }: WriteContext,
  transaction: Transaction,
  { basedOn, fence, now, writes }: WriteRequest,
): Promise<WriteResult> {
  const before = await lockAccount(transaction, account, database.place);
  if (fence !== null && !(await hasFence(transaction, account, fence))) return { kind: 'fenced' };
  if (basedOn < before.prunedRevision || basedOn > before.revision) return { kind: 'conflict' };
  const kept = await rows.ofIds(
    transaction,
    writes.map(({ id }) => id),
  );
  if (before.revision > basedOn && (await hasConflict(transaction, account, writes, basedOn)))
    return { kind: 'conflict' };
  const known = new Set(kept.map(({ id }) => id));
  const given = withoutSame(writes, kept).filter(({ id, parcel }) => parcel !== null || known.has(id));
  const done: WriteResult = { kind: 'written', isPruneDue: before.isPruneDue };
  if (given.length === 0) return done;
  const list: Watchlist = { version: 1, parcels: kept, changes: { seq: before.changeSeq, recent: [] } };
  const noted = await noteChanges(
    list,
    { ...list, parcels: applyWrites(kept, given) },
    { now, loggedSeq: before.changeSeq },
  );
  const marked = new Map(noted.parcels.map((parcel) => [parcel.id, parcel]));
  const written = given.map(({ id }): ParcelWrite => ({ id, parcel: marked.get(id) ?? null }));
  const revision = before.revision + 1;
  const lines = noted.changes?.recent ?? [];
  const changeSeq = before.changeSeq + lines.length;
  const present = written.flatMap(({ parcel }) => parcel ?? []);
  const placed = present.map((parcel, index) => ({ parcel, position: positionOf(revision, index) }));
  await writeRows(transaction, account, placed, revision);
  await removeFromTrash(transaction, account, written, known);
  await removeRows(transaction, account, written, revision);
  await moveHistories(transaction, account.id, removedParcels(kept, noted.parcels).map(historyIdOf), true);
  await moveHistories(transaction, account.id, addedParcels(kept, noted.parcels).map(historyIdOf), false);
  await writeLines(
    transaction,
    account,
    lines.map((line) => ({ seq: line.seq, line })),
  );
  await transaction.query(sql.settleWrite, [account.id, revision, changeSeq]);
  await transaction.announce(String(account.id));
  return done;
}

async function hasFence(transaction: Transaction, account: Account, fence: number): Promise<boolean> {
  const [row] = await transaction.query(sql.lockedLease, [account.id, fence]);
  return row !== undefined;
}

/** Whether one of these parcels has changed since `basedOn`, or a parcel with the same number as a new one was added. */
async function hasConflict(
  transaction: Transaction,
  account: Account,
  writes: readonly ParcelWrite[],
  basedOn: Revision,
): Promise<boolean> {
  const numbers = writes.map(({ parcel }) => (parcel === null ? null : numberKey(parcel.trackNo)));
  const [row] = await transaction.query<{ conflict: boolean }>(sql.hasConflict, [
    account.id,
    basedOn,
    writes.map(({ id }) => id),
    numbers,
  ]);
  return row?.conflict === true;
}

/** Leaves out writes that change nothing, so that retrying a commit whose response was lost writes nothing. */
function withoutSame(writes: readonly ParcelWrite[], kept: readonly Parcel[]): readonly ParcelWrite[] {
  const known = new Map(kept.map((parcel) => [parcel.id, parcel]));
  return writes.filter(({ id, parcel }) => {
    const before = known.get(id);
    return parcel === null || before === undefined || JSON.stringify(parcel) !== JSON.stringify(before);
  });
}

/** Inserts or updates parcels. An existing parcel keeps its list position. */
export async function writeRows(
  transaction: Transaction,
  account: Account,
  placed: readonly { readonly parcel: Parcel; readonly position: number }[],
  revision: Revision,
): Promise<void> {
  for (const batch of inBatches(placed, maxRows)) {
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

/** Deletes parcels from the trash that are on the list again. */
async function removeFromTrash(
  transaction: Transaction,
  account: Account,
  written: readonly ParcelWrite[],
  known: ReadonlySet<string>,
): Promise<void> {
  const restored = written.flatMap(({ id, parcel }) => (parcel !== null && !known.has(id) ? [id] : []));
  if (restored.length === 0) return;
  await transaction.query(sql.removeFromTrash, [account.id, restored]);
}

async function removeRows(
  transaction: Transaction,
  account: Account,
  written: readonly ParcelWrite[],
  revision: Revision,
): Promise<void> {
  const ids = written.flatMap(({ id, parcel }) => (parcel === null ? [id] : []));
  if (ids.length === 0) return;
  await transaction.query(sql.trashParcels, [account.id, revision, ids]);
  await transaction.query(sql.removeParcels, [account.id, ids]);
}

/** Moves histories into the trash, or out of it. */
async function moveHistories(
  transaction: Transaction,
  accountId: number,
  historyIds: readonly string[],
  isRemoved: boolean,
): Promise<void> {
  if (historyIds.length === 0) return;
  await transaction.query(isRemoved ? sql.trashHistories : sql.restoreHistories, [accountId, historyIds]);
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
  for (const batch of inBatches(lines, maxRows)) {
    await transaction.query(sql.writeChanges, [
      account.id,
      batch.map(({ seq }) => seq),
      batch.map(({ line }) => Date.parse(String(line.noticedAt)) || 0),
      batch.map(({ line }) => String(line.parcelId).toWellFormed().replaceAll('\0', '')),
      batch.map(({ line }) => JSON.stringify(line)),
    ]);
  }
}
