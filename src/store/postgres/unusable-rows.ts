import { isJsonObject } from '../../lib/json.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { readChange } from '../../parcels/change.ts';
import { parseJson, usableData } from '../file/document-format.ts';
import { historyFormat } from '../watchlist-format.ts';
import { isLineNumber, lockAccount } from './account-row.ts';
import type { Account } from './accounts.ts';
import type { Database, Transaction } from './database.ts';
import { isNoTombstone, parcelOf } from './parcel-rows.ts';
import { moveHistories } from './write-parcels.ts';

/** A column that names the rows of an account. */
interface RowKey {
  readonly column: 'id' | 'seq' | 'name';
  readonly type: 'text' | 'bigint';
  /** Before all others. */
  readonly first: string;
}

const idKey: RowKey = { column: 'id', type: 'text', first: '' };

/** Where rows are that another program may have spoilt, by table. */
const keys = {
  parcel: idKey,
  removed: idKey,
  history: idKey,
  change: { column: 'seq', type: 'bigint', first: String(-(2n ** 63n)) },
  document: { column: 'name', type: 'text', first: '' },
} as const satisfies Readonly<Record<string, RowKey>>;

type Table = keyof typeof keys;

/** Documents of other names are none of this version, or a note on work under way. */
const knownDocuments: ReadonlySet<string> = new Set(['polling', 'meter', 'couriers']);

/** A row that cannot be used. */
export interface UnusableRow {
  readonly table: Table;
  /** Of a line of the change log its number, of a document its name. */
  readonly id: string;
  /** JSON of any shape, as it stands there. */
  readonly body: string;
}

/** A row as it is looked at. */
interface LookedAt {
  readonly id: string;
  readonly body: string;
}

/** How many rows are looked at at a time. */
const pageRows = 1_000;

/** The rows of an account that cannot be used, page by page; all of them are looked at. Rejects with a `StoreError`. */
export async function* unusableRows(
  database: Pick<Database, 'query'>,
  account: Account,
): AsyncGenerator<readonly UnusableRow[]> {
  for (const table of Object.keys(keys) as Table[]) {
    const { column, first, type } = keys[table];
    const wanted = table === 'removed' ? `and ${isNoTombstone}` : '';
    for (let after: string | null = first; after !== null; ) {
      const rows: readonly LookedAt[] = await database.query(
        `select ${column}::text as id, body from parcel_monitor.${table}
         where account_id = $1 and ${column} > $2::${type} ${wanted} order by ${table}.${column} limit ${pageRows}`,
        [account.id, after],
      );
      const unusable: UnusableRow[] = [];
      for (const row of rows) {
        if (!(await isUsable(table, row))) unusable.push({ table, ...row });
      }
      if (unusable.length > 0) yield unusable;
      after = rows.length < pageRows ? null : (rows.at(-1)?.id ?? null);
    }
  }
}

/**
 * Takes rows out that are still as they were; answers how many those were. Who follows the watchlist learns of it as of any
 * other change. Rejects with a `StoreError`.
 */
export async function takeOut(database: Database, account: Account, rows: readonly UnusableRow[]): Promise<number> {
  if (database.readOnly !== null) throw new StoreError('read-only', database.readOnly, database.place);
  return await database.transaction(async (transaction) => {
    const { revision } = await lockAccount(transaction, account, database.place);
    const given = (table: Table): readonly UnusableRow[] => rows.filter((row) => row.table === table);
    const taking = { transaction, accountId: account.id, revision: revision + 1 };
    const ofList = await takeParcels(taking, given('parcel'));
    if (ofList > 0) {
      await transaction.query('update parcel_monitor.account set revision = $2 where id = $1', [
        account.id,
        taking.revision,
      ]);
      await transaction.announce(String(account.id));
    }
    // Whoever has not heard yet that these were removed still learns it from them.
    const trash = await touched(taking, given('removed'), `update parcel_monitor.removed t set body = 'null' from`);
    const histories = await touched(taking, given('history'), 'delete from parcel_monitor.history t using');
    const lines = await touched(taking, given('change'), 'delete from parcel_monitor.change t using');
    // One that is made anew would begin its numbers anew, by which others know what they have seen.
    const documents = await touched(
      taking,
      given('document'),
      `update parcel_monitor.document t set body = '{}', revision = t.revision + 1 from`,
    );
    return ofList + [trash, histories, lines, documents].reduce((sum, { length }) => sum + length, 0);
  });
}

/** What rows are taken out in. */
interface Taking {
  readonly transaction: Transaction;
  readonly accountId: number;
  /** What the account has come to thereby. */
  readonly revision: number;
}

/** Does something to rows of one table that are still as they were; answers the names of those. */
async function touched(
  { accountId, transaction }: Pick<Taking, 'transaction' | 'accountId'>,
  rows: readonly UnusableRow[],
  statement: string,
): Promise<readonly string[]> {
  const [row] = rows;
  if (row === undefined) return [];
  const { column, type } = keys[row.table];
  const found = await transaction.query<{ id: string }>(
    `${statement} unnest($2::text[], $3::text[]) as u(key, was)
     where t.account_id = $1 and t.${column} = u.key::${type} and t.body::text = u.was
     returning t.${column}::text as id`,
    [accountId, rows.map(({ id }) => id), rows.map(({ body }) => body)],
  );
  return found.map(({ id }) => id);
}

/** Leaves what tells that they are gone, and puts their histories into the trash. */
async function takeParcels(taking: Taking, rows: readonly UnusableRow[]): Promise<number> {
  const gone = await touched(taking, rows, 'delete from parcel_monitor.parcel t using');
  if (gone.length === 0) return 0;
  const { accountId, revision, transaction } = taking;
  await transaction.query(
    `insert into parcel_monitor.removed (account_id, id, revision, removed_at, body)
     select $1, u.id, $2, clock_timestamp(), 'null' from unnest($3::text[]) as u(id)
     on conflict (account_id, id) do update set revision = excluded.revision`,
    [accountId, revision, gone],
  );
  await moveHistories(transaction, accountId, gone, true);
  return gone.length;
}

/** What a newer version has written is not spoilt. */
async function isUsable(table: Table, { body, id }: LookedAt): Promise<boolean> {
  switch (table) {
    case 'parcel':
    case 'removed':
      return parcelOf(id, body) !== null;
    case 'history': {
      const decoded = await historyFormat.decode(Buffer.from(body));
      return decoded.kind === 'newer' || usableData(decoded) !== null;
    }
    case 'change': {
      const value = parseJson(body);
      const isNewer = isJsonObject(value) && typeof value['version'] === 'number' && value['version'] > 1;
      return isLineNumber(Number(id)) && (isNewer || readChange(body)?.seq === Number(id));
    }
    case 'document':
      return !knownDocuments.has(id) || isJsonObject(parseJson(body));
  }
}
