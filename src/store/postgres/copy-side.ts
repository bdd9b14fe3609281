import { isJsonObject } from '../../lib/json.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { assertValidId, type Parcel } from '../../parcels/parcel.ts';
import { type CopyItem, type CopyKind, type CopySource, type CopyTarget, occupiedError } from '../copy.ts';
import { parseJson } from '../file/formats.ts';
import { type Account, type Database, lockAccount, quotedName, readAccount, type Transaction } from './database.ts';
import { maxParcelsPerWrite, parseParcel } from './parcel-rows.ts';
import { sql } from './sql.ts';
import { writeLines, writeRows } from './write-parcels.ts';

const pageItems = 500;

interface ItemRow {
  /** The first sort key of its kind; the id is the second. */
  readonly place: number;
  readonly id: string;
  readonly removed: number | null;
  readonly body: string;
}

async function* readPages(
  database: Pick<Transaction, 'query'>,
  account: Account,
  kind: CopyKind,
  onInvalid: (id: string) => void = () => undefined,
): AsyncGenerator<readonly CopyItem[]> {
  let after: Pick<ItemRow, 'place' | 'id'> = { place: -1, id: '' };
  let position = 0;
  for (;;) {
    const rows: readonly ItemRow[] = await database.query<ItemRow>(sql.copyPage[kind], [
      account.id,
      after.place,
      after.id,
      pageItems,
    ]);
    const page: CopyItem[] = [];
    for (const row of rows) {
      const item = toItem(kind, row);
      if (item === null) onInvalid(row.id);
      else page.push({ ...item, position: kind === 'parcels' ? position + page.length : 0 });
    }
    yield page;
    position += page.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageItems) return;
    after = last;
  }
}

export function createPostgresSource(database: Database, account: Account): CopySource {
  const place = `${quotedName(account)} in ${database.place}`;
  /** Kind and id of each invalid item: a set, because the source may be read several times. */
  const skipped = new Set<string>();
  return {
    place,
    mark: async () => JSON.stringify(await database.query(sql.copyMark, [account.id])),
    lastSeq: async () => (await readAccount(database, account)).changeSeq,
    pages: (kind) => readPages(database, account, kind, (id) => skipped.add(`${kind} ${id}`)),
    takeNotices() {
      const { size } = skipped;
      skipped.clear();
      return size === 0 ? [] : [skippedText(size, place)];
    },
  };
}

const skippedText = (count: number, place: string): string =>
  `${count === 1 ? '1 row is not valid and was' : `${count} rows are not valid and were`} not copied; another program must have modified ${place}. See "A list in a database" in the manual.`;

/** Returns null for an invalid row, which is not copied. */
function toItem(kind: CopyKind, { body, id, removed }: ItemRow): CopyItem | null {
  const value = kind === 'parcels' || kind === 'trash' ? parseParcel(id, body) : parseJson(body);
  return isJsonObject(value) ? { id, position: 0, removedAt: removed, value } : null;
}

/** How long the transaction may wait for a page of the source. Longer than the usual timeout. */
const idleMs = 60_000;

/**
 * Returns an account's watchlist as the target of a copy, which is written in one transaction. The account must be
 * empty.
 */
export function createPostgresTarget(database: Database, account: Account): CopyTarget {
  const place = `${quotedName(account)} in ${database.place}`;
  const assertEmpty = async (connection: Pick<Database, 'query'>): Promise<void> => {
    if (database.readOnly !== null) throw new StoreError('read-only', database.readOnly, database.place);
    const [row] = await connection.query(sql.occupiedAccount, [account.id]);
    if (row !== undefined) throw occupiedError(place);
  };
  return {
    place,
    check: async () => await assertEmpty(database),
    receive: async (work) =>
      await database.transaction(async (transaction) => {
        await transaction.query(`set local idle_in_transaction_session_timeout = ${idleMs}`);
        const { revision } = await lockAccount(transaction, account, database.place);
        await assertEmpty(transaction);
        const result = await work({
          clear: async () => {
            for (const statement of sql.emptyAccount) await transaction.query(statement, [account.id]);
          },
          write: async (kind, items) => {
            for (const { id } of items) assertValidId(id, database.place);
            await writeItems[kind](transaction, account, items, revision + 1);
          },
          // Parcels that are added later come after all of these.
          finish: async (lastSeq) =>
            void (await transaction.query(sql.finishCopy, [account.id, lastSeq, revision + 1, maxParcelsPerWrite])),
          pages: (kind) => readPages(transaction, account, kind),
        });
        await transaction.announce(String(account.id));
        return result;
      }),
  };
}

type WriteItems = (
  transaction: Transaction,
  account: Account,
  items: readonly CopyItem[],
  revision: number,
) => Promise<unknown>;

const removalSeconds = (items: readonly CopyItem[]): readonly (number | null)[] =>
  items.map(({ removedAt }) => (removedAt === null ? null : removedAt / 1_000));
const ids = (items: readonly CopyItem[]): readonly string[] => items.map(({ id }) => id);
const bodies = (items: readonly CopyItem[]): readonly string[] => items.map(({ value }) => JSON.stringify(value));

const writeItems: Readonly<Record<CopyKind, WriteItems>> = {
  parcels: async (transaction, account, items, revision) =>
    await writeRows(
      transaction,
      account,
      items.map(({ position, value }) => ({ parcel: value as Parcel, position })),
      revision,
    ),
  histories: async (transaction, account, items) =>
    await transaction.query(sql.copyHistories, [account.id, ids(items), removalSeconds(items), bodies(items)]),
  trash: async (transaction, account, items, revision) =>
    await transaction.query(sql.copyTrash, [account.id, revision, ids(items), removalSeconds(items), bodies(items)]),
  changes: async (transaction, account, items) =>
    await writeLines(
      transaction,
      account,
      items.map(({ id, value }) => ({ seq: Number(id), line: value })),
    ),
};
