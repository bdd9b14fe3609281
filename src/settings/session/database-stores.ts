import { randomUUID } from 'node:crypto';
import { printableText } from '../../lib/clean-text.ts';
import type { Clock } from '../../lib/clock.ts';
import { shiftedClock } from '../../lib/clock-skew.ts';
import { systemWords } from '../../lib/error-text.ts';
import { ignoreStoreError, StoreError, systemCode } from '../../lib/store-errors.ts';
import { createFileDocument } from '../../store/file/json-document.ts';
import { readWholeFile } from '../../store/file/open-file.ts';
import { createMemoryStore } from '../../store/memory-store.ts';
import { createNotifyCursor, type NotifyCursor, readCursor } from '../../store/notify-cursor.ts';
import { emptyPollingMemory } from '../../store/polling-memory.ts';
import { claimKey, type FoundAccount, findAccount, lookForAccount, shownName } from '../../store/postgres/accounts.ts';
import { createDatabase, type Database } from '../../store/postgres/database.ts';
import { createPostgresStore } from '../../store/postgres/postgres-store.ts';
import { createPostgresRecovery } from '../../store/postgres/recovery.ts';
import { areTablesThere, migrate, type SchemaState, schemaState } from '../../store/postgres/schema.ts';
import { createDatabaseState } from '../../store/postgres/state.ts';
import { createUsageMeter } from '../../store/usage-meter.ts';
import { ApiKeyMissingError, UsageError } from '../errors.ts';
import type { DatabaseChoice } from '../store-choice.ts';
import { createKeptAccount, databasePassword } from './database-login.ts';
import { type Session, say } from './session.ts';
import { ofWatchlistPath, type StorePurpose, type Stores, type Unmade } from './stores.ts';

/** Options of every command that take a value, which may look like the name of a command. */
const withValue: ReadonlySet<string> = new Set([
  '--base-url',
  '--profile',
  '--config',
  '--zone',
  '--store',
  '--webhook',
]);

/** What kind of program these arguments start, as others on the same database are told: `board`, or the name of a command. */
export function programKind(given: readonly string[]): string {
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    if (withValue.has(word)) at += 1;
    else if (!word.startsWith('-')) return /^[a-z]{1,20}$/.test(word) ? word : 'command';
  }
  return 'board';
}

/**
 * What stands for a watchlist that is not in its database yet: an empty one, to which nothing can be written, and which says
 * once why. Of tables of an older version nothing can be read, either.
 * @param missing the tables that there are, or the account that is wanted by name; null for that of the key
 */
export function unmadeStores(
  { context, paths }: Pick<Session, 'context' | 'paths'>,
  { clock, database }: { readonly clock: Clock; readonly database: Database },
  missing: SchemaState | string | null,
): Stores {
  const { place } = database;
  const unmade = unmadeOf(database, missing);
  const refuse = async (): Promise<never> => {
    throw new StoreError('failed', unmade.sentence, place);
  };
  const isOlder = typeof missing === 'object' && missing !== null && missing.version > 0;
  const empty = createMemoryStore();
  const notices = isOlder ? [] : [unmade.sentence];
  return {
    store: {
      ...empty,
      readOnly: unmade.sentence,
      write: refuse,
      updateHistory: refuse,
      ...(isOlder ? { read: refuse, changeLogAfter: refuse, changeLogFrom: refuse } : {}),
      takeNotices: () => notices.splice(0),
    },
    recovery: { backups: async () => [], trashed: async () => [], restoreBackup: refuse, restoreParcel: refuse },
    lease: { hold: async () => false, isHeld: () => false, fence: () => null, release: async () => undefined },
    memory: { load: async () => emptyPollingMemory, update: refuse },
    meter: { ...createUsageMeter(clock), countNoLess: refuse },
    notifyCursor: openNotifyCursor({ context, paths }, place),
    presence: null,
    couriers: null,
    clock,
    files: null,
    database: null,
    unmade,
    place,
    // It is nobody's yet.
    admitKey: async () => undefined,
    close: async () => {
      await database.close();
    },
  };
}

function openNotifyCursor({ context, paths }: Pick<Session, 'context' | 'paths'>, watchlist: string): NotifyCursor {
  const path = ofWatchlistPath(paths, 'notify', watchlist);
  return createNotifyCursor(createFileDocument(path, readCursor, context), context.processes);
}

function unmadeOf(database: Database, missing: SchemaState | string | null): Unmade {
  const { place } = database;
  if (missing === null || typeof missing === 'string') {
    const found =
      missing === null
        ? `${place} does not hold your watchlist yet.`
        : `There is no watchlist ${shownName({ name: missing })} in ${place} yet.`;
    const sentence = `${found} The first command that writes makes it, such as "parcel-monitor add".`;
    return { what: 'account', found: 'none yet', database, sentence };
  }
  const { version, wanted } = missing;
  const sentence =
    version === 0
      ? `${place} does not hold the tables of parcel-monitor yet. "parcel-monitor store" makes them, and so does the first command that writes.`
      : `The tables in ${place} are of an older version (${version}; this program wants ${wanted}). Run "parcel-monitor store" once with a role that may change them.`;
  return { what: 'tables', found: version === 0 ? 'none yet' : 'of an older version', database, sentence };
}

/**
 * Connects to the database of a session; nothing is looked at yet. Rejects with a `StoreError`, and with a
 * {@link UsageError} for a certificate that cannot be read, and for a command that must not be run.
 */
export async function connectDatabase(
  { context }: Pick<Session, 'context'>,
  choice: DatabaseChoice,
): Promise<Database> {
  const { password: _, rootCertificate: _certificate, ...address } = choice.address;
  if (choice.password.kind === 'refused') throw new UsageError(choice.password.reason);
  const { arguments: given, clock, random } = context;
  const database = createDatabase({
    address: {
      ...address,
      password: databasePassword(choice, context, (sentence) => say(context, sentence)),
      tls: await tlsOptions(choice),
    },
    clock,
    random,
    applicationName: `parcel-monitor ${programKind(given)} ${hostName(context)}`,
  });
  try {
    await database.open();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the watchlist of a session that is in a database, and what is kept beside it. Rejects as {@link connectDatabase}. */
export async function openDatabaseStores(
  session: Session,
  choice: DatabaseChoice,
  purpose: StorePurpose,
): Promise<Stores> {
  const { configuration, context } = session;
  const database = await connectDatabase(session, choice);
  try {
    const clock = shiftedClock(context.clock, () => database.clockOffsetMs());
    if (purpose === 'write') await migrate(database, randomUUID());
    const schema = purpose === 'write' ? null : await schemaState(database);
    if (schema !== null && !areTablesThere(database, schema)) return unmadeStores(session, { database, clock }, schema);
    const baseUrl = configuration.baseUrl?.href ?? '';
    const found = await accountOf(session, database, choice, purpose);
    if (found === null) return unmadeStores(session, { database, clock }, choice.account);
    const { account, keyOnHand } = found;
    const state = createDatabaseState({
      accountId: account.id,
      database,
      clock,
      holder: randomUUID(),
      host: hostName(context),
      kind: programKind(context.arguments),
      version: context.version,
      processes: context.processes,
    });
    const store = createPostgresStore({ database, account });
    return {
      store,
      recovery: createPostgresRecovery({ database, account, store, clock }),
      ...state,
      // Each machine notifies those who sit before it.
      notifyCursor: openNotifyCursor(session, `${database.place} ${account.name}`),
      clock,
      files: null,
      database: { database, account },
      unmade: null,
      place: database.place,
      admitKey: async (key) => {
        if (key !== keyOnHand) await claimKey(database, account, { baseUrl, isNamed: choice.account !== null, key });
      },
      close: async () => {
        // What cannot be told to a database that is away needs not be told.
        await state.presence.leave().catch(ignoreStoreError);
        await database.close().catch(ignoreStoreError);
      },
    };
  } catch (error) {
    await database.close().catch(ignoreStoreError);
    throw error;
  }
}

/**
 * The account that is meant, and the key that is known to be one of its keys; null where none is. A program that prints the
 * key is run only where nothing else tells the account.
 */
async function accountOf(
  session: Session,
  database: Database,
  choice: DatabaseChoice,
  purpose: StorePurpose,
): Promise<(Pick<FoundAccount, 'account'> & { readonly keyOnHand: string | null }) | null> {
  const { configuration } = session;
  const baseUrl = configuration.baseUrl?.href ?? '';
  const kept = createKeptAccount(session, database.place, baseUrl);
  const remembered = await kept.load();
  const isCostly = configuration.apiKey.kind === 'command';
  const key = isCostly && (choice.account !== null || remembered !== null) ? null : await keyIfThere(session);
  const wish = { named: choice.account, baseUrl, key, remembered };
  const found = await (purpose === 'write' ? findAccount(database, wish) : lookForAccount(database, wish));
  if (found === null) return null;
  const { account, hasKey } = found;
  if (account.name !== remembered) await kept.keep(account.name).catch(ignoreStoreError);
  return { account, keyOnHand: hasKey ? key : null };
}

/** What is wrong with it is said where the service is called. */
async function keyIfThere(session: Session): Promise<string | null> {
  try {
    return await session.apiKey();
  } catch (error) {
    if (error instanceof ApiKeyMissingError || error instanceof UsageError) return null;
    throw error;
  }
}

export function hostName({ processes }: Pick<Session['context'], 'processes'>): string {
  return processes.scope().split(' ')[0] ?? 'unknown';
}

async function tlsOptions({
  address: { rootCertificate, tls },
}: DatabaseChoice): Promise<{ readonly rejectUnauthorized: boolean; readonly ca?: string } | null> {
  if (tls === 'none') return null;
  const ca = rootCertificate === null ? {} : { ca: await certificateIn(rootCertificate) };
  return { rejectUnauthorized: tls === 'verified', ...ca };
}

async function certificateIn(path: string): Promise<string> {
  try {
    const text = (await readWholeFile(path)).toString('latin1');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    const code = systemCode(error);
    if (code === null && !(error instanceof StoreError)) throw error;
    throw new UsageError(
      `The certificate that "sslrootcert" in the address of the store names, ${printableText(path)}, cannot be read${code === null ? ': it is not a file' : systemWords(code)}.`,
      { cause: error },
    );
  }
  throw new UsageError(
    `${printableText(path)}, which "sslrootcert" in the address of the store names, holds no certificate.`,
  );
}
