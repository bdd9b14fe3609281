import { randomUUID } from 'node:crypto';
import { shiftedClock } from '../../service/clock/shifted-clock.ts';
import { systemWords } from '../../service/failures/system-words.ts';
import { printableText } from '../../service/text/clean-text.ts';
import { ignoreStoreError, StoreError, systemCode } from '../../watchlist/errors.ts';
import { readWholeFile } from '../../watchlist/files/open-file.ts';
import { claimKey, type FoundAccount, findAccount, lookForAccount } from '../../watchlist/postgres/accounts.ts';
import { createDatabase, type Database } from '../../watchlist/postgres/database.ts';
import { createDatabaseState } from '../../watchlist/postgres/database-state.ts';
import { areTablesThere, migrate, schemaState } from '../../watchlist/postgres/migrations.ts';
import { createPostgresRecovery } from '../../watchlist/postgres/postgres-recovery.ts';
import { createPostgresStore } from '../../watchlist/postgres/postgres-store.ts';
import { createFileNotifyCursor } from '../../watchlist/state/notify-cursor.ts';
import type { DatabaseChoice } from '../configuration/store-choice.ts';
import { databasePassword } from './database-password.ts';
import { ApiKeyMissingError, UsageError } from './errors.ts';
import { createKeptAccount } from './kept-account.ts';
import { ofWatchlistPath } from './of-watchlist-path.ts';
import type { StorePurpose, Stores } from './opened-stores.ts';
import { programKind } from './program-kind.ts';
import { type Session, say } from './session.ts';
import { unmadeStores } from './unmade-stores.ts';

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
  const { configuration, context, paths } = session;
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
      notifyCursor: createFileNotifyCursor(
        ofWatchlistPath(paths, 'notify', `${database.place} ${account.name}`),
        context,
      ),
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

/** The name of this machine, as others are told. */
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
