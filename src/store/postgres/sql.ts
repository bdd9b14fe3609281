const accountColumns = `revision, seq as "changeSeq", pruned_revision as "prunedRevision",
  pruned_at not between clock_timestamp() - interval '1 day' and clock_timestamp() + interval '1 hour' as "isPruneDue"`;

/** The statements of the store, by what they do. `$1` is the number of the account where one is meant. */
export const sql = {
  accounts: 'select id, name, service from parcel_monitor.account order by id',
  /** `$1` is its name, `$2` the base URL of its service. */
  makeAccount: 'insert into parcel_monitor.account (name, service) values ($1, $2) on conflict (name) do nothing',
  accountState: `select ${accountColumns} from parcel_monitor.account where id = $1`,
  lockedAccountState: `select ${accountColumns} from parcel_monitor.account where id = $1 for update`,
} as const;
