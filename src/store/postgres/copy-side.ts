import type { Clock, Random } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';
import { uniquePart } from '../../lib/paths.ts';
import { ignoreStoreError, StoreError } from '../../lib/store-errors.ts';
import { refuseOddId } from '../../parcels/identity.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { type CopyItem, type CopyKind, type CopySide, type CopyTarget, itemDigest, occupied } from '../copy.ts';
import { parseJson } from '../file/document-format.ts';
import { type Account, lockAccount, readAccount, shownName } from './accounts.ts';
import { CopyNote } from './copy-note.ts';
import type { Database, Transaction } from './database.ts';
import { isNoTombstone, mostInWrite, parcelOf } from './parcel-rows.ts';
import { writeLines, writeRows } from './write-parcels.ts';

/** How many pieces make a page. */
const pageItems = 500;

interface ItemRow {
  /** What comes before the id in the order of its kind. */
  readonly place: number;
  readonly id: string;
  readonly removed: number | null;
  readonly body: string;
}

/** How the pages of a kind are read: behind the place and the id of the last piece, one of which says nothing where the other tells all. */
const readings: Readonly<Record<CopyKind, string>> = {
  parcels: `select position as place, id, null::timestamptz as removed, body from parcel_monitor.parcel
    where account_id = $1 and (position, id) > ($2::bigint, $3::text) order by position, id limit ${pageItems}`,
  histories: `select 0 as place, id, removed_at as removed, body from parcel_monitor.history
    where account_id = $1 and $2::bigint <= 0 and id > $3::text order by id limit ${pageItems}`,
  trash: `select 0 as place, id, removed_at as removed, body from parcel_monitor.removed
    where account_id = $1 and ${isNoTombstone} and $2::bigint <= 0 and id > $3::text order by id limit ${pageItems}`,
  changes: `select seq as place, seq::text as id, null::timestamptz as removed, body from parcel_monitor.change
    where account_id = $1 and seq > $2::bigint and $3::text is not null order by seq limit ${pageItems}`,
};

/** The watchlist of an account, as a whole. */
export function createPostgresSide(database: Database, account: Account): CopySide {
  const place = `${shownName(account)} in ${database.place}`;
  /** Kind and id of what cannot be used: a copy reads in several passes. */
  const leftOut = new Set<string>();
  return {
    place,
    async mark() {
      const [row] = await database.query(
        `select a.revision, a.seq,
           (select coalesce(sum(h.revision), 0) + count(*) from parcel_monitor.history h where h.account_id = a.id) as histories
         from parcel_monitor.account a where a.id = $1`,
        [account.id],
      );
      return JSON.stringify(row ?? null);
    },
    lastSeq: async () => (await readAccount(database, account)).changeSeq,
    async *pages(kind) {
      let after: Pick<ItemRow, 'place' | 'id'> = { place: -1, id: '' };
      let position = 0;
      for (;;) {
        const rows = await database.query<ItemRow>(readings[kind], [account.id, after.place, after.id]);
        const page: CopyItem[] = [];
        for (const row of rows) {
          const one = itemOf(kind, row);
          if (one === null) leftOut.add(`${kind} ${row.id}`);
          else page.push(one);
        }
        yield page.map((one, index) => ({ ...one, position: kind === 'parcels' ? position + index : 0 }));
        position += page.length;
        const last = rows.at(-1);
        if (last === undefined || rows.length < pageItems) return;
        after = last;
      }
    },
    takeNotices() {
      const { size } = leftOut;
      leftOut.clear();
      return size === 0 ? [] : [leftOutText(size, place)];
    },
  };
}

const leftOutText = (count: number, place: string): string =>
  `${count === 1 ? '1 row cannot be used and is' : `${count} rows cannot be used and are`} no part of the copy: another program has written to ${place}. The manual says what to do with them ("A watchlist in a database").`;

/** What cannot be used is not copied. */
function itemOf(kind: CopyKind, { body, id, removed }: ItemRow): CopyItem | null {
  const value = kind === 'parcels' || kind === 'trash' ? parcelOf(id, body) : parseJson(body);
  return isJsonObject(value) ? { id, position: 0, removedAt: removed, value } : null;
}

/** What a target needs besides. */
export interface PostgresTargetOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/** As {@link createPostgresSide}, to be copied to: the account may hold no other watchlist. */
export function createPostgresTarget(
  database: Database,
  account: Account,
  { clock, random }: PostgresTargetOptions,
): CopyTarget {
  const side = createPostgresSide(database, account);
  const { place } = side;
  const note = new CopyNote({ database, account, place, clock, holder: uniquePart(random) });
  /** What only whoever makes the copy may do. */
  const holding = async <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    await database.transaction(async (transaction) => {
      await note.keep(transaction);
      return await work(transaction);
    });
  const remove = async (transaction: Transaction, kind: CopyKind, given: readonly string[]): Promise<void> => {
    const { column, table } = places[kind];
    await transaction.query(
      `delete from parcel_monitor.${table} where account_id = $1 and ${column} = any($2::${keyType(column)}[])`,
      [account.id, given],
    );
  };
  const assertWritable = (): void => {
    if (database.readOnly !== null) throw new StoreError('read-only', database.readOnly, database.place);
  };
  async function* pages(kind: CopyKind): AsyncGenerator<readonly CopyItem[]> {
    for await (const page of side.pages(kind)) {
      await note.keep();
      yield page;
    }
  }
  return {
    ...side,
    pages,
    async check(from) {
      assertWritable();
      const known = await note.from();
      const { revision } = await readAccount(database, account);
      if (known === null ? revision > 0 : known !== from) throw occupied(place, known);
      return known !== null;
    },
    async begin(from, options) {
      assertWritable();
      return await note.begin(from, options);
    },
    write: async (kind, items) => {
      for (const { id } of items) refuseOddId(id, database.place);
      return await holding(async (transaction) => {
        const { revision } = await lockAccount(transaction, account, database.place);
        const missing = await missingOf(transaction, account, kind, items);
        if (missing.length > 0) {
          await remove(transaction, kind, ids(missing));
          await writeItems[kind](transaction, account, missing, revision + 1);
          await transaction.query('update parcel_monitor.account set revision = revision + 1 where id = $1', [
            account.id,
          ]);
        }
        return missing.length;
      });
    },
    async keepOnly(kind, ids) {
      const extra: string[] = [];
      for await (const page of pages(kind)) for (const { id } of page) if (!ids.has(id)) extra.push(id);
      if (extra.length === 0) return;
      await holding(async (transaction) => await remove(transaction, kind, extra));
    },
    async settle(lastSeq) {
      await holding(
        async (transaction) =>
          // What is added later comes behind all of these.
          await transaction.query(
            `update parcel_monitor.account a set seq = $2, revision = greatest(a.revision,
               (select coalesce(max(p.position), 0) / $3 + 1 from parcel_monitor.parcel p where p.account_id = a.id))
             where a.id = $1`,
            [account.id, lastSeq, mostInWrite],
          ),
      );
    },
    async finish() {
      await holding(async (transaction) => {
        await note.remove(transaction);
        await transaction.announce(String(account.id));
      });
      note.forget();
    },
    async leave() {
      // Who cannot say so is waited for, some seconds.
      await note.leave().catch(ignoreStoreError);
    },
  };
}

/** Where a kind is kept. */
interface KindPlace {
  readonly table: string;
  readonly column: 'id' | 'seq';
  readonly place: string;
  readonly removed: string;
}

const places: Readonly<Record<CopyKind, KindPlace>> = {
  parcels: { table: 'parcel', column: 'id', place: 'position', removed: 'null::timestamptz' },
  histories: { table: 'history', column: 'id', place: '0', removed: 'removed_at' },
  trash: { table: 'removed', column: 'id', place: '0', removed: 'removed_at' },
  changes: { table: 'change', column: 'seq', place: '0', removed: 'null::timestamptz' },
};

const keyType = (column: KindPlace['column']): string => (column === 'seq' ? 'bigint' : 'text');

/** Those that are not there as they are. */
async function missingOf(
  transaction: Transaction,
  account: Account,
  kind: CopyKind,
  items: readonly CopyItem[],
): Promise<readonly CopyItem[]> {
  const { column, place, removed, table } = places[kind];
  const rows = await transaction.query<ItemRow>(
    `select ${column}::text as id, ${removed} as removed, ${place}::bigint as place, body from parcel_monitor.${table}
     where account_id = $1 and ${column} = any($2::${keyType(column)}[])`,
    [account.id, items.map(({ id }) => id)],
  );
  const kept = new Map(
    rows.flatMap((row) => {
      const found = itemOf(kind, row);
      return found === null ? [] : [[row.id, itemDigest(kind, { ...found, position: row.place })]];
    }),
  );
  return items.filter((one) => kept.get(one.id) !== itemDigest(kind, one));
}

type WriteItems = (
  transaction: Transaction,
  account: Account,
  items: readonly CopyItem[],
  revision: number,
) => Promise<unknown>;

const seconds = (items: readonly CopyItem[]): readonly (number | null)[] =>
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
    await transaction.query(
      `insert into parcel_monitor.history (account_id, id, revision, removed_at, body)
       select $1, u.id, 1, to_timestamp(u.removed), u.body::json
       from unnest($2::text[], $3::float8[], $4::text[]) as u(id, removed, body)`,
      [account.id, ids(items), seconds(items), bodies(items)],
    ),
  trash: async (transaction, account, items, revision) =>
    await transaction.query(
      `insert into parcel_monitor.removed (account_id, id, revision, removed_at, body)
       select $1, u.id, $2, to_timestamp(u.removed), u.body::json
       from unnest($3::text[], $4::float8[], $5::text[]) as u(id, removed, body)`,
      [account.id, revision, ids(items), seconds(items), bodies(items)],
    ),
  changes: async (transaction, account, items) =>
    await writeLines(
      transaction,
      account,
      items.map(({ id, value }) => ({ seq: Number(id), line: value })),
    ),
};
