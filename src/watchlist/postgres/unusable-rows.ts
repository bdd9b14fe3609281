import { usableData } from '../document/document-format.ts';
import { StoreError } from '../errors.ts';
import { historyFormat } from '../store/formats.ts';
import { lockAccount } from './account-row.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { parcelOf } from './parcel-rows.ts';

/** Where rows are that another program may have spoilt. */
const tables = ['parcel', 'removed', 'history'] as const;

/** A row that cannot be used. */
export interface UnusableRow {
  readonly table: (typeof tables)[number];
  readonly id: string;
  /** JSON of any shape, as it stands there. */
  readonly body: string;
}

/** How many rows are looked at at a time. */
const pageRows = 1_000;

/** The rows of an account that cannot be used, page by page; all of them are looked at. Rejects with a `StoreError`. */
export async function* unusableRows(
  database: Pick<Database, 'query'>,
  account: Account,
): AsyncGenerator<readonly UnusableRow[]> {
  for (const table of tables) {
    for (let after: string | null = ''; after !== null; ) {
      const rows: readonly { readonly id: string; readonly body: string }[] = await database.query(
        `select id, body from parcel_monitor.${table} where account_id = $1 and id > $2 order by id limit ${pageRows}`,
        [account.id, after],
      );
      const unusable: UnusableRow[] = [];
      for (const row of rows) if (!(await isUsable(table, row))) unusable.push({ table, ...row });
      if (unusable.length > 0) yield unusable;
      after = rows.length < pageRows ? null : (rows.at(-1)?.id ?? null);
    }
  }
}

/** Takes rows out that are still as they were; answers how many those were. Rejects with a `StoreError`. */
export async function takeOut(database: Database, account: Account, rows: readonly UnusableRow[]): Promise<number> {
  if (database.readOnly !== null) throw new StoreError('read-only', database.readOnly, database.place);
  return await database.transaction(async (transaction) => {
    await lockAccount(transaction, account, database.place);
    let taken = 0;
    for (const table of tables) {
      const some = rows.filter((row) => row.table === table);
      const gone = await transaction.query(
        `delete from parcel_monitor.${table} t using unnest($2::text[], $3::text[]) as u(id, body)
         where t.account_id = $1 and t.id = u.id and t.body::text = u.body returning t.id`,
        [account.id, some.map(({ id }) => id), some.map(({ body }) => body)],
      );
      taken += gone.length;
    }
    return taken;
  });
}

/** What a newer version has written is not spoilt. */
async function isUsable(table: UnusableRow['table'], { body, id }: { readonly id: string; readonly body: string }) {
  if (table !== 'history') return parcelOf(id, body) !== null;
  const decoded = await historyFormat.decode(Buffer.from(body));
  return decoded.kind === 'newer' || usableData(decoded) !== null;
}
