/**
 * A statement that names, as `name`, a role to whom the schema or something in it belongs and who has no business there: neither an
 * administrator, nor the database's owner, nor a role that this one may act as. Such a role has made it beforehand, and what it
 * has put on the tables (triggers, defaults) would be run by all who use them.
 * @param role whose tables they are, as SQL
 */
export const strangerInSchema = (role: string): string =>
  `select owner.rolname::text as name from pg_roles as owner
   where owner.oid in (
       select nspowner from pg_namespace where nspname = 'parcel_monitor'
       union select relowner from pg_class where relnamespace = to_regnamespace('parcel_monitor'))
     and not owner.rolsuper and not pg_has_role(${role}, owner.oid, 'MEMBER')
     and owner.oid <> (select datdba from pg_database where datname = current_database())
   limit 1`;

/** What is to be done about one. */
export const strangerAdvice =
  'Look at what is in it, then have an administrator remove it ("drop schema parcel_monitor cascade") and run "parcel-monitor store" again.';
