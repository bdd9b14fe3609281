import type { EpochMs } from '../../service/clock/clock.ts';
import { type Change, readChange } from '../changes/change.ts';
import { mostChanges } from '../changes/change-file.ts';
import { readAccount } from './account-row.ts';
import type { Account } from './accounts.ts';
import type { Database } from './database.ts';
import { pageRows } from './read-rows.ts';

/**
 * The lines of an account's change log after a number, oldest first, page by page; the newest 20,000 at most.
 * @param noticedFrom without those that were noticed before
 */
export async function changeLogAfter(
  database: Database,
  account: Account,
  after: number,
  noticedFrom: EpochMs | null = null,
): Promise<readonly Change[]> {
  const { changeSeq } = await readAccount(database, account);
  const lines: Change[] = [];
  let last = Math.max(after, changeSeq - mostChanges);
  while (last < changeSeq) {
    const rows = await database.query<{ seq: number; text: string }>(
      `select seq, body as text from parcel_monitor.change
       where account_id = $1 and seq > $2 and ($3::float8 is null or noticed_at >= to_timestamp($3::float8 / 1000.0))
       order by seq limit ${pageRows}`,
      [account.id, last, noticedFrom],
    );
    lines.push(...rows.flatMap(({ text }) => readChange(text) ?? []));
    if (rows.length < pageRows) break;
    last = rows.at(-1)?.seq ?? changeSeq;
  }
  return lines;
}
