import { StoreError } from '../../lib/store-errors.ts';
import { type Account, accountIsGone, shownName } from './accounts.ts';
import type { Database, Transaction } from './database.ts';
import { isFenceInRange, leaseHolds } from './lease.ts';
import { mostInWrite } from './parcel-rows.ts';

/** Later revisions would give places in the list that are not exact any more. */
const mostRevision = 2 ** 33 - 1;
const mostPosition = (mostRevision + 1) * mostInWrite - 1;
/** Of a line of the change log, and of what hosts count by themselves; far from where numbers stop being exact. */
const mostCounted = Number.MAX_SAFE_INTEGER - mostRevision;

/** Whether a row of the change log has a number that can be followed by another. */
export const isLineNumber = (seq: number): boolean => seq >= 0 && seq <= mostCounted;

/** Rejects a write of an account whose numbers another program has spoilt, before the server does. */
export function refuseSpoilt(
  { changeSeq, prunedRevision, revision }: Readonly<Record<'changeSeq' | 'prunedRevision' | 'revision', number>>,
  account: Account,
  place: string,
): void {
  const isFine = (value: number, most: number): boolean => value >= 0 && value <= most;
  if (isFine(revision, mostRevision) && isFine(changeSeq, mostCounted) && isFine(prunedRevision, revision)) return;
  throw new StoreError(
    'failed',
    {
      what: `${place}: the numbers that say how far the watchlist ${shownName(account)} has got are none that can be counted on: another program has written there.`,
      advice: 'Run "parcel-monitor store mend" once; nothing was changed.',
    },
    place,
  );
}

/** What bears numbers that nothing can follow: `account`, `lease` or a table, and how many of its rows. */
export interface SpoiltNumbers {
  readonly where: string;
  readonly count: number;
}

/** Conditions on rows of an account $1, by table. */
const spoilt = {
  account: `account.id = $1 and not (
    account.revision between 0 and ${mostRevision} and account.pruned_revision between 0 and account.revision
    and account.seq between (
      select coalesce(max(l.seq), 0) from parcel_monitor.change l where l.account_id = $1 and l.seq <= ${mostCounted}) and ${mostCounted})`,
  lease: `lease.account_id = $1 and not (${isFenceInRange()} and (${leaseHolds()} or lease.expires_at <= clock_timestamp()))`,
  parcel: `parcel.account_id = $1 and not (
    parcel.position between 0 and ${mostPosition} and parcel.revision between 0 and least(${mostRevision}, (
      select a.revision from parcel_monitor.account a where a.id = $1)))`,
  removed: `removed.account_id = $1 and not (removed.revision between 0 and least(${mostRevision}, (
    select a.revision from parcel_monitor.account a where a.id = $1)))`,
  history: `history.account_id = $1 and not (history.revision between 0 and ${mostCounted})`,
  document: `document.account_id = $1 and not (document.revision between 0 and ${mostCounted})`,
} as const;

/** Looks for numbers that stop whoever writes. Rejects with a `StoreError`. */
export async function spoiltNumbers(
  database: Pick<Database, 'query'>,
  { id }: Account,
): Promise<readonly SpoiltNumbers[]> {
  const counts = Object.entries(spoilt).map(
    ([table, where]) =>
      `select '${table}' as "where", count(*)::int as count from parcel_monitor.${table} where ${where}`,
  );
  const found = await database.query<SpoiltNumbers>(counts.join(' union all '), [id]);
  return found.filter(({ count }) => count > 0);
}

/**
 * Gives what bears such numbers others, behind all that can be relied on: who follows the watchlist reads it anew. The lease is given
 * back. Rejects with a `StoreError`.
 */
export async function renumber(database: Database, account: Account): Promise<void> {
  if (database.readOnly !== null) throw new StoreError('read-only', database.readOnly, database.place);
  await database.transaction(async (transaction) => {
    const run = async (statement: string, ...more: readonly number[]) =>
      await transaction.query<{ next: number }>(statement, [account.id, ...more]);
    const [locked] = await run('select 1 as next from parcel_monitor.account where id = $1 for update');
    if (locked === undefined) accountIsGone(database.place, account);
    const revision = await nextRevision(transaction, account);
    await run(
      `update parcel_monitor.parcel set revision = $2, position = case
         when position between 0 and ${mostPosition} then position else $2::bigint * ${mostInWrite} + r.place end
       from (
         select id as placed, row_number() over (order by position, id) - 1 as place
         from parcel_monitor.parcel where ${spoilt.parcel}) as r
       where account_id = $1 and id = r.placed`,
      revision,
    );
    await run(`update parcel_monitor.removed set revision = $2 where ${spoilt.removed}`, revision);
    // Others know by these what they have seen: none that was given before comes again.
    for (const table of ['history', 'document'] as const)
      await run(
        `update parcel_monitor.${table} set revision = extract(epoch from clock_timestamp())::bigint where ${spoilt[table]}`,
      );
    await run(`delete from parcel_monitor.lease where ${spoilt.lease}`);
    await run(
      `update parcel_monitor.account set revision = $2,
         pruned_revision = case when pruned_revision between 0 and $2::bigint then pruned_revision else $2 end,
         seq = case when seq between 0 and ${mostCounted} then greatest(seq, l.newest) else l.newest end
       from (
         select coalesce(max(seq), 0) as newest from parcel_monitor.change
         where account_id = $1 and seq between 0 and ${mostCounted}) as l
       where id = $1`,
      revision,
    );
    await transaction.announce(String(account.id));
  });
}

/** Behind each one that can be relied on, and behind the places in the list that older ones have given. */
async function nextRevision(transaction: Transaction, { id }: Account): Promise<number> {
  const largest = (table: string, column: string, most: number, key = 'account_id'): string =>
    `(select coalesce(max(${column}), 0) from parcel_monitor.${table} where ${key} = $1 and ${column} between 0 and ${most})`;
  // One less than the most, which has to have one behind it.
  const most = mostRevision - 1;
  const [row] = await transaction.query<{ next: number }>(
    `select 1 + greatest(${largest('account', 'revision', most, 'id')}, ${largest('parcel', 'revision', most)},
       ${largest('removed', 'revision', most)}, ${largest('parcel', 'position', most * mostInWrite)} / ${mostInWrite}) as next`,
    [id],
  );
  return Number(row?.next ?? 1);
}

/**
 * What a role that only reads sees of accounts, as a list for a statement: not the marks of keys, from which a short key could be
 * guessed by who knows the salt of the installation as well.
 */
export const readersColumns = 'id, name, service, revision, seq, pruned_revision, pruned_at, created_at';

/** How far an account's watchlist has got. */
export interface AccountState {
  readonly revision: number;
  /** Of the newest line of the change log. */
  readonly changeSeq: number;
  /** What was removed up to here is not remembered any more. */
  readonly prunedRevision: number;
  /** Whether it is time to throw away what is too old. */
  readonly isPruneDue: boolean;
}

const columns = `revision, seq as "changeSeq", pruned_revision as "prunedRevision",
  pruned_at not between clock_timestamp() - interval '1 day' and clock_timestamp() + interval '1 hour' as "isPruneDue"`;

/** How far an account has got. Rejects with a `StoreError`, also where it is gone. */
export async function readAccount(database: Database, account: Account): Promise<AccountState> {
  const [row] = await database.query<AccountState>(`select ${columns} from parcel_monitor.account where id = $1`, [
    account.id,
  ]);
  return row ?? accountIsGone(database.place, account);
}

/** The same, and nobody else writes the account before the transaction has ended. Rejects where nothing can be written to it. */
export async function lockAccount(transaction: Transaction, account: Account, place: string): Promise<AccountState> {
  const [row] = await transaction.query<AccountState>(
    `select ${columns} from parcel_monitor.account where id = $1 for update`,
    [account.id],
  );
  if (row === undefined) accountIsGone(place, account);
  refuseSpoilt(row, account, place);
  return row;
}
