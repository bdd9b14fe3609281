import type { Check } from '../../board/json-schemas.ts';
import { cleanText } from '../../lib/clean-text.ts';
import { shellWord } from '../../lib/paths.ts';
import type { StoreError } from '../../lib/store-errors.ts';
import { counted } from '../../lib/text.ts';
import type { UsageError } from '../errors.ts';
import type { CommandContext } from '../session/context.ts';
import { NotInitialisedError, type Stores } from '../session/session.ts';
import { isThisMachine } from '../store-address.ts';
import type { DatabaseChoice } from '../store-choice.ts';
import { fail, installNewer, ok, warn } from './fix-hints.ts';

export interface OpenedForChecks {
  readonly stores: Stores;
  readonly problem: StoreError | UsageError | null;
}

/** Accuracy of a clock comparison over the network, in milliseconds. */
const clockToleranceMs = 2_000;
/** Maximum acceptable lag of a replica, in seconds. */
const maxLagSeconds = 60;

/**
 * Checks that the database works and how safely it stores data.
 * @param fixCommand the command that fixes the permissions of a configuration that other users can write
 */
export async function checkDatabase(
  choice: DatabaseChoice,
  { problem, stores }: OpenedForChecks,
  { platform }: Pick<CommandContext, 'platform'>,
  fixCommand: string,
): Promise<readonly Check[]> {
  const { address, setBy } = choice;
  const store = ok('store', `${address.place} (${setBy})`);
  const passwordChecks = checkPassword(choice, platform);
  if (choice.password.kind === 'refused') {
    return [
      store,
      ...passwordChecks,
      fail('database', choice.password.reason, 'The database will not be opened until this is fixed.', fixCommand),
    ];
  }
  if (problem instanceof NotInitialisedError) return [store, ...passwordChecks, notInitialisedCheck(problem)];
  if (problem !== null) return [store, ...passwordChecks, await unusableCheck(problem, address, platform)];
  const opened = stores.database;
  if (opened === null) return [store, ...passwordChecks];
  const { account, database } = opened;
  const { reportAccount, reportDurability, reportServer } = await import('../../store/postgres/administration.ts');
  const server = await reportServer(database);
  const { isEncrypted, mayMigrate, settings } = await reportDurability(database);
  const { parcels } = await reportAccount(database, account);
  const offsetMs = database.clockOffsetMs();
  return [
    store,
    ...passwordChecks,
    versionCheck(server.version),
    ok('account', `${cleanText(account.name)}, ${counted(parcels, 'parcel')}`),
    rightsCheck(database.readOnly, mayMigrate),
    encryptionCheck(choice, isEncrypted),
    ...(database.isPooled
      ? [ok('pooler', 'connection pooler without LISTEN/NOTIFY: changes are checked every second')]
      : []),
    ...durabilityChecks(settings),
    Math.abs(offsetMs) <= clockToleranceMs
      ? ok('its clock', "is within two seconds of this machine's")
      : warn(
          'its clock',
          `${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine's`,
          "Shared times use the database's clock. Synchronise this machine and the server with NTP.",
        ),
    ...lagChecks(server),
  ];
}

/** The oldest PostgreSQL version that we test. */
const oldestVersion = 13;

/** Checks the server's version. Other engines that speak the protocol number their versions differently. */
export function versionCheck(version: string | null): Check {
  const major = Number(/^PostgreSQL (\d+)/.exec(version ?? '')?.[1] ?? oldestVersion);
  if (major >= oldestVersion) return ok('database', `${version ?? 'a server of unknown version'} responds`);
  return warn(
    'database',
    `${version} responds`,
    `parcel-monitor is tested with PostgreSQL ${oldestVersion} and newer. Upgrade the server with pg_upgrade or a dump.`,
  );
}

function notInitialisedCheck({ found, missing, message }: NotInitialisedError): Check {
  if (missing === 'account') return ok(missing, 'none yet; the first command that writes creates it');
  return warn(missing, found, `${message} Run: parcel-monitor store`);
}

async function unusableCheck(
  problem: StoreError | UsageError,
  address: DatabaseChoice['address'],
  platform: string,
): Promise<Check> {
  const { StatementError } = await import('../../store/postgres/server-errors.ts');
  const isMissing = problem.cause instanceof StatementError && problem.cause.code === noSuchDatabase;
  const command = isMissing ? createDatabaseCommand(address, platform) : diagnosticCommand(problem, address, platform);
  return fail('database', 'cannot be used', problem.message, command);
}

/** SQLSTATE for a missing database. */
const noSuchDatabase = '3D000';

function createDatabaseCommand({ database, host, port, user }: DatabaseChoice['address'], platform: string): string {
  const [hostWord, userWord, databaseWord] = [host, user, database].map((word) => shellWord(word, platform));
  return `createdb -h ${hostWord} -p ${port} -U ${userWord} ${databaseWord}`;
}

/** Returns a command that runs one of PostgreSQL's own tools, which report more about a problem than this check. */
function diagnosticCommand(
  { kind }: StoreError | UsageError,
  { place }: DatabaseChoice['address'],
  platform: string,
): string {
  switch (kind) {
    case 'newer-version':
      return installNewer;
    case 'usage':
      return 'parcel-monitor config edit';
    case 'cut-off':
      return `pg_isready -d ${shellWord(place, platform)}`;
    default:
      return `psql ${shellWord(place, platform)}`;
  }
}

function checkPassword({ address, password, setBy }: DatabaseChoice, platform: string): readonly Check[] {
  if (address.password === null)
    return password.kind !== 'given' || platform === 'win32' ? [] : [ok('password', `from ${password.setBy}`)];
  return [
    warn(
      'password',
      `is in the address (${setBy})`,
      'Anyone who sees the address sees the password. Move it to a passfile (~/.pgpass) or "storePasswordCommand".',
    ),
  ];
}

function rightsCheck(readOnly: string | null, mayMigrate: boolean | null): Check {
  if (readOnly !== null) return warn('rights', 'read only', readOnly);
  if (mayMigrate === false) {
    return ok('rights', 'read and write; only the owner of the tables can upgrade them');
  }
  return ok('rights', mayMigrate === null ? 'read and write' : 'read, write and upgrade the tables');
}

function encryptionCheck({ address }: DatabaseChoice, isEncrypted: boolean | null): Check {
  if (address.tls === 'none') {
    return ok('encryption', isThisMachine(address.host) ? 'none, on this machine' : 'none');
  }
  const encryption = address.tls === 'verified' ? 'TLS, certificate verified' : 'TLS, certificate not verified';
  return isEncrypted === false
    ? warn(
        'encryption',
        `${encryption}, but only as far as the pooler`,
        'Check the connection between the pooler and the database.',
      )
    : ok('encryption', encryption);
}

/** What can be lost while a setting is off. */
const risks = {
  fsync: 'A power failure can damage the whole database.',
  full_page_writes: 'A power failure can damage pages that were being written.',
  synchronous_commit: 'A crash of the server can lose changes that it has just confirmed.',
} as const;

function durabilityChecks(settings: Readonly<Record<keyof typeof risks, string | null>>): readonly Check[] {
  const disabled = (Object.keys(risks) as (keyof typeof risks)[]).filter((name) => settings[name] === 'off');
  if (disabled.length === 0) {
    const known = Object.entries(settings).filter(([, value]) => value !== null);
    const found = known.map(([name, value]) => `${name} ${value}`).join(', ');
    return [ok('durability', found === '' ? 'the server does not report it' : found)];
  }
  return disabled.map((name) =>
    warn('durability', `${name} is off`, `${risks[name]} Turn it on in the server's postgresql.conf.`),
  );
}

function lagChecks({
  isReplica,
  lagSeconds,
}: {
  readonly isReplica: boolean | null;
  readonly lagSeconds: number | null;
}): readonly Check[] {
  if (isReplica !== true) return [];
  if (lagSeconds === null) return [ok('replica', 'has replayed nothing yet')];
  const found = `${lagSeconds.toFixed(1)} s behind`;
  // An idle primary sends nothing to replay, so the age of the last transaction keeps growing.
  return lagSeconds <= maxLagSeconds
    ? [ok('replica', found)]
    : [warn('replica', `${found}, or nothing was written since`, 'Look at pg_stat_replication on the primary server.')];
}
