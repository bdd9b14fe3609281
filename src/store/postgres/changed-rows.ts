import type { ParcelForm, StoreChanges } from '../store.ts';
import type { Account } from './accounts.ts';
import { type Asking, type ParcelRows, pageRows } from './parcel-rows.ts';

/** What has become of an account's parcels since a revision, in the order of the list. */
export interface ChangedRows extends Omit<StoreChanges, 'isAll'> {
  /** True when the revision is none that what was removed since is remembered for. */
  readonly isForgotten: boolean;
}

/** A row of the answer; `id` is null where nothing has changed. */
interface ChangedRow {
  readonly revision: number;
  readonly changeSeq: number;
  readonly pruned: number;
  readonly id: string | null;
  readonly at: number;
  readonly position: number | null;
  readonly text: string | null;
}

/**
 * Reads what has changed since a revision: one statement where that is little, so that it all is of one moment. Of much,
 * the pages come in the order in which it was written: what changes meanwhile comes once more at the end.
 */
export async function changedRows(
  asking: Asking,
  account: Account,
  rows: ParcelRows,
  since: number,
  form: ParcelForm,
): Promise<ChangedRows> {
  const found = new Map<string, ChangedRow>();
  let [at, id] = [since + 1, ''];
  for (;;) {
    const page = await asking.query<ChangedRow>(statement(form), [account.id, at, id, pageRows], {
      isLook: true,
    });
    for (const row of page) if (row.id !== null) found.set(row.id, row);
    const last = page.at(-1);
    if (last === undefined || last.id === null || page.length < pageRows)
      return answer(page[0] ?? null, found, rows, since, form);
    [at, id] = [last.at, last.id];
  }
}

function answer(
  account: ChangedRow | null,
  found: ReadonlyMap<string, ChangedRow>,
  rows: ParcelRows,
  since: number,
  form: ParcelForm,
): ChangedRows {
  const { changeSeq = 0, pruned = 0, revision = since } = account ?? {};
  const all = [...found.values()];
  const present = all
    .flatMap(({ id, position, text }) => (id === null || text === null ? [] : [{ id, text, position: position ?? 0 }]))
    .sort((left, right) => left.position - right.position);
  return {
    revision,
    changeSeq,
    changed: rows.parse(present, form),
    removed: all.flatMap(({ id, text }) => (id !== null && text === null ? [id] : [])),
    // A database that was restored from a copy is behind what we have seen of it.
    isForgotten: since < pruned || since > revision,
  };
}

const statement = (form: ParcelForm): string => `
  select a.revision, a.seq as "changeSeq", a.pruned_revision as pruned, c.id, c.at, c.position, c.text
  from parcel_monitor.account a left join lateral (
    (select p.id, p.revision as at, p.position, p.${form === 'whole' ? 'body' : 'light'} as text
     from parcel_monitor.parcel p
     where p.account_id = a.id and p.revision >= $2::bigint and (p.revision, p.id) > ($2::bigint, $3::text)
     order by p.revision, p.id limit $4)
    union all
    (select r.id, r.revision as at, null as position, null as text
     from parcel_monitor.removed r
     where r.account_id = a.id and r.revision >= $2::bigint and (r.revision, r.id) > ($2::bigint, $3::text)
       and not exists (select 1 from parcel_monitor.parcel p where p.account_id = r.account_id and p.id = r.id)
     order by r.revision, r.id limit $4)
    order by at, id limit $4
  ) c on true
  where a.id = $1`;
