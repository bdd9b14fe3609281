import type { Transaction } from './database.ts';
import { lightText, parcelOf } from './parcel-rows.ts';

/** How many parcels are rewritten by one statement. */
const rowsAtOnce = 1_000;

interface BodyRow {
  readonly account: number;
  readonly id: string;
  readonly body: string;
}

/**
 * Writes what stands beside all parcels of all accounts anew, as this version of the program makes it. What cannot be used
 * stays as it is: the reader says so.
 */
export async function rewriteLight(transaction: Transaction): Promise<void> {
  let after: Pick<BodyRow, 'account' | 'id'> | undefined = { account: 0, id: '' };
  while (after !== undefined) {
    const rows: readonly BodyRow[] = await transaction.query<BodyRow>(
      `select account_id as account, id, body from parcel_monitor.parcel
       where (account_id, id) > ($1, $2) order by account_id, id limit ${rowsAtOnce}`,
      [after.account, after.id],
    );
    await rewrite(transaction, rows);
    after = rows.at(-1);
  }
}

async function rewrite(transaction: Transaction, rows: readonly BodyRow[]): Promise<void> {
  const usable = rows.flatMap(({ account, body, id }) => {
    const parcel = parcelOf(id, body);
    return parcel === null ? [] : [{ account, id, light: lightText(parcel) }];
  });
  if (usable.length === 0) return;
  await transaction.query(
    `update parcel_monitor.parcel p set light = u.light::json
     from unnest($1::bigint[], $2::text[], $3::text[]) as u(account, id, light)
     where p.account_id = u.account and p.id = u.id`,
    [usable.map(({ account }) => account), usable.map(({ id }) => id), usable.map(({ light }) => light)],
  );
}
