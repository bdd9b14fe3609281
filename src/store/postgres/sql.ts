const accountColumns = `revision, seq as "changeSeq", pruned_revision as "prunedRevision",
  pruned_at not between clock_timestamp() - interval '1 day' and clock_timestamp() + interval '1 hour' as "isPruneDue"`;

/** The statements of the store, by what they do. `$1` is the number of the account where one is meant. */
export const sql = {
  accounts: 'select id, name, service from parcel_monitor.account order by id',
  /** `$1` is its name, `$2` the base URL of its service. */
  makeAccount: 'insert into parcel_monitor.account (name, service) values ($1, $2) on conflict (name) do nothing',
  accountState: `select ${accountColumns} from parcel_monitor.account where id = $1`,
  lockedAccountState: `select ${accountColumns} from parcel_monitor.account where id = $1 for update`,
  /** Whether an account has been written to; the document is the note of an interrupted copy of an older version. */
  occupiedAccount: `select 1 as found from parcel_monitor.account a where a.id = $1 and a.revision > 0
    and not exists (select 1 from parcel_monitor.document d where d.account_id = a.id and d.name = 'copying')`,
  emptyAccount: [
    ...['parcel', 'history', 'removed', 'change'].map(
      (table) => `delete from parcel_monitor.${table} where account_id = $1`,
    ),
    "delete from parcel_monitor.document where account_id = $1 and name = 'copying'",
  ],
  /** `$2` is the newest line of the change log, `$3` the revision, `$4` how many places in the list a revision has. */
  settleCopy: `update parcel_monitor.account a set seq = $2, pruned_revision = $3, revision = greatest($3::bigint,
      (select coalesce(max(p.position), 0) / $4 + 1 from parcel_monitor.parcel p where p.account_id = a.id))
    where a.id = $1`,
  accountCounts: `select (select count(*) from parcel_monitor.parcel where account_id = $1) as parcels,
      (select count(*) from parcel_monitor.removed where account_id = $1 and body::text <> 'null') as removed,
      (select count(*) from parcel_monitor.change where account_id = $1) as changes`,
  /** An idle primary sends nothing to replay: the age of the last is no lag while all that came has been replayed. */
  replicaLag: `select case when not pg_is_in_recovery() then null
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then 0
      else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) end::float8 as lag`,
  /** All tables with their indexes, of all accounts. */
  size: `select sum(pg_total_relation_size(tables.oid))::float8 as bytes from pg_class as tables
    join pg_namespace as schemas on schemas.oid = tables.relnamespace
    where schemas.nspname = 'parcel_monitor' and tables.relkind in ('r', 'p')`,
  durability: `select current_setting('fsync', true) as fsync, current_setting('full_page_writes', true) as full_page_writes,
      current_setting('synchronous_commit', true) as synchronous_commit`,
  mayMigrate: `select has_schema_privilege('parcel_monitor', 'CREATE')
      and pg_has_role((select tableowner from pg_tables where schemaname = 'parcel_monitor' and tablename = 'migration'), 'MEMBER')
      as right`,
  copyMark: `select a.revision, a.seq,
      (select coalesce(sum(h.revision), 0) + count(*) from parcel_monitor.history h where h.account_id = a.id) as histories
    from parcel_monitor.account a where a.id = $1`,
  /** Pages of at most `$4` behind the place `$2` and the id `$3` of the last piece; one says nothing where the other tells all. */
  copyPage: {
    parcels: `select position as place, id, null::timestamptz as removed, body from parcel_monitor.parcel
      where account_id = $1 and (position, id) > ($2::bigint, $3::text) order by position, id limit $4`,
    histories: `select 0 as place, id, removed_at as removed, body from parcel_monitor.history
      where account_id = $1 and $2::bigint <= 0 and id > $3::text order by id limit $4`,
    trash: `select 0 as place, id, removed_at as removed, body from parcel_monitor.removed
      where account_id = $1 and body::text <> 'null' and $2::bigint <= 0 and id > $3::text order by id limit $4`,
    changes: `select seq as place, seq::text as id, null::timestamptz as removed, body from parcel_monitor.change
      where account_id = $1 and seq > $2::bigint and $3::text is not null order by seq limit $4`,
  },
  copyHistories: `insert into parcel_monitor.history (account_id, id, revision, removed_at, body)
    select $1, u.id, 1, to_timestamp(u.removed), u.body::json
    from unnest($2::text[], $3::float8[], $4::text[]) as u(id, removed, body)`,
  copyTrash: `insert into parcel_monitor.removed (account_id, id, revision, removed_at, body)
    select $1, u.id, $2, to_timestamp(u.removed), u.body::json
    from unnest($3::text[], $4::float8[], $5::text[]) as u(id, removed, body)`,
} as const;
