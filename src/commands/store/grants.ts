import { UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { readersColumns } from '../../store/postgres/account-row.ts';
import { strangerAdvice, strangerInSchema } from '../../store/postgres/schema.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';

/** The names that stand in the statements; the usual ones where left out. */
export interface GrantsOptions {
  readonly owner?: string;
  readonly user?: string;
  readonly reader?: string;
  readonly database?: string;
}

const usual: Required<GrantsOptions> = {
  owner: 'parcels_owner',
  user: 'parcels_user',
  reader: 'parcels_reader',
  database: 'parcels',
};

/** Of an identifier of PostgreSQL, in bytes. */
const longestName = 63;

/** Prints the statements that give three roles what they need, and no more. Throws a {@link UsageError} for a name that cannot be one. */
export function runStoreGrants({ stdout }: Pick<CommandContext, 'stdout'>, options: GrantsOptions): ExitCode {
  stdout.write(grantStatements({ ...usual, ...options }));
  return exitCode.done;
}

/** Tables that only the owner writes: who could, could have others refuse the database, or not know their accounts again. */
const ownersOwn = 'parcel_monitor.migration, parcel_monitor.installation';

/** Tables that hold what is kept of API keys. */
const keyTables = ['account', 'installation'];

/**
 * The statements by which an owner makes the tables, a user works with them, and a reader looks. Throws a {@link UsageError} for a
 * name that cannot be one, or that two of the roles have.
 */
export function grantStatements(names: Required<GrantsOptions>): string {
  const roles = [names.owner, names.user, names.reader];
  const tag = tagBeside(roles);
  if (new Set(roles).size < roles.length) throw new UsageError('Owner, user and reader must have different names.');
  const [owner, user, reader, database] = [...roles, names.database].map(quoted);
  return `-- As an administrator of the server, in this database (psql -d ${database}): all of it at once, before the owner makes the tables or
-- after, as often as you like.

-- 1. Roles; those that are there stay as they are. Nothing that others have made in this database is run meanwhile.
set search_path = pg_catalog, pg_temp;
do ${tag}
declare wanted text;
begin
  foreach wanted in array array[${roles.map(textOf).join(', ')}] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I login', wanted);
    end if;
  end loop;
end ${tag};
grant connect on database ${database} to ${owner}, ${user}, ${reader};
create schema if not exists parcel_monitor authorization ${owner};
do ${tag}
declare stranger text;
begin
  ${strangerInSchema(textOf(names.owner)).replace(' as name from', ' into stranger from')};
  if stranger is not null then
    raise exception 'The schema parcel_monitor holds what belongs to the role %, who could have statements of others run.', stranger
      using hint = ${textOf(strangerAdvice)};
  end if;
end ${tag};
reset search_path;
-- Passwords: \\password ${owner}, and so on. Nobody else sees them there.

-- 2. As the owner, make the tables: parcel-monitor store --store ${addressOf(names)}
--    (again after each update of parcel-monitor that says so).

-- 3. What the user may do, and the reader. The owner may say this as well.
set search_path = pg_catalog, pg_temp;
grant usage on schema parcel_monitor to ${user}, ${reader};
grant select, insert, update, delete on all tables in schema parcel_monitor to ${user};
-- Some tables are the owner's to write, and what is kept of API keys is not the reader's to see. Where there are no tables yet,
-- whoever makes them sees to both.
do ${tag}
declare one text;
begin
  for one in select tablename from pg_tables where schemaname = 'parcel_monitor' loop
    if one not in (${keyTables.map(textOf).join(', ')}) then
      execute format('grant select on parcel_monitor.%I to %I', one, ${textOf(names.reader)});
    end if;
  end loop;
  if to_regclass('parcel_monitor.installation') is not null then
    revoke insert, update, delete on ${ownersOwn} from ${user};
    revoke select on ${keyTables.map((table) => `parcel_monitor.${table}`).join(', ')} from ${reader};
    grant select (${readersColumns}) on parcel_monitor.account to ${reader};
  end if;
end ${tag};
-- Tables that later versions add:
alter default privileges for role ${owner} in schema parcel_monitor
  grant select, insert, update, delete on tables to ${user};
alter default privileges for role ${owner} in schema parcel_monitor grant select on tables to ${reader};
reset search_path;
`;
}

/** A name as a statement takes it, whatever it holds. */
function quoted(name: string): string {
  if (name === '' || Buffer.byteLength(name) > longestName || /[\u0000-\u001f\u007f-\u009f]/.test(name)) {
    throw new UsageError(`A role or database has a name of 1 to ${longestName} bytes, without control characters.`);
  }
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

const textOf = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** Marks where a block begins and ends; stands in none of its names. */
function tagBeside(names: readonly string[]): string {
  let tag = '$roles$';
  for (let number = 1; names.some((name) => name.includes(tag)); number += 1) tag = `$roles${number}$`;
  return tag;
}

const addressOf = ({ database, owner }: Required<GrantsOptions>): string =>
  `postgres://${encodeURIComponent(owner)}@HOST/${encodeURIComponent(database)}`;
