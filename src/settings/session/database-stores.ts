import { randomUUID } from 'node:crypto';
import { printableText } from '../../lib/clean-text.ts';
import { shiftedClock } from '../../lib/clock-skew.ts';
import { systemText } from '../../lib/error-text.ts';
import { ignoreStoreError, StoreError, systemCode } from '../../lib/store-errors.ts';
import { readWholeFile } from '../../store/file/open-file.ts';
import { areTablesCurrent, migrate, type SchemaState, schemaState } from '../../store/postgres/administration.ts';
import {
  type Account,
  createDatabase,
  type Database,
  findAccount,
  lookUpAccount,
  quotedName,
} from '../../store/postgres/database.ts';
import { createPostgresRecovery, createPostgresStore } from '../../store/postgres/postgres-store.ts';
import { createDatabaseState } from '../../store/postgres/shared-state.ts';
import { createFileDocument, createNotifyCursor, readCursor } from '../../store/shared-state.ts';
import { UsageError } from '../errors.ts';
import { type DatabaseChoice, databasePassword } from '../store-choice.ts';
import { printNote } from './output.ts';
import { NotInitialisedError, type Session, type StorePurpose, type Stores, watchlistStatePath } from './session.ts';

function tablesNotInitialised(place: string, { version, required }: SchemaState): NotInitialisedError {
  const sentence =
    version === 0
      ? `${place} has no parcel-monitor tables yet. "parcel-monitor store" creates them, as does the first command that writes.`
      : `The tables in ${place} are from an older version (${version}; this program needs ${required}). Run "parcel-monitor store" once with a role that may change them.`;
  return new NotInitialisedError(place, sentence, {
    missing: 'tables',
    found: version === 0 ? 'none yet' : 'from an older version',
  });
}

function accountNotInitialised(place: string, accountName: string | null): NotInitialisedError {
  const found =
    accountName === null
      ? `${place} does not contain your watchlist yet.`
      : `There is no watchlist ${quotedName({ name: accountName })} in ${place} yet.`;
  const sentence = `${found} The first command that writes creates it, such as "parcel-monitor add".`;
  return new NotInitialisedError(place, sentence, { missing: 'account', found: 'none yet' });
}

/**
 * Connects to the database of a session. Rejects with a `StoreError`, and with a {@link UsageError} if a certificate
 * cannot be read or a command must not run.
 */
async function connectDatabase({ context }: Pick<Session, 'context'>, choice: DatabaseChoice): Promise<Database> {
  const { password: _, rootCertificate: _certificate, ...address } = choice.address;
  if (choice.password.kind === 'refused') throw new UsageError(choice.password.reason);
  const { clock, random } = context;
  const database = createDatabase({
    address: {
      ...address,
      password: databasePassword(choice, context, (sentence) => printNote(context, sentence)),
      tls: await tlsOptions(choice),
    },
    clock,
    random,
    applicationName: `parcel-monitor ${programKind(context)} ${hostName(context)}`,
  });
  try {
    await database.open();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens a watchlist in a database and its other data. Rejects like {@link connectDatabase}. */
export async function openDatabaseStores(
  session: Session,
  choice: DatabaseChoice,
  purpose: StorePurpose,
): Promise<Stores> {
  const { configuration, context } = session;
  const database = await connectDatabase(session, choice);
  try {
    const clock = shiftedClock(context.clock, () => database.clockOffsetMs());
    if (purpose === 'write') await migrate(database);
    const account =
      purpose === 'write'
        ? await findAccount(database, choice.account, configuration.baseUrl?.href ?? '')
        : await findExistingAccount(database, choice.account);
    const state = createDatabaseState({
      accountId: account.id,
      database,
      clock,
      holder: randomUUID(),
      host: hostName(context),
      kind: programKind(context),
      version: context.version,
      processes: context.processes,
    });
    const store = createPostgresStore({ database, account });
    return {
      store,
      recovery: createPostgresRecovery({ database, account, store, clock }),
      ...state,
      // Stays on this machine, because each machine notifies its own user.
      notifyCursor: createNotifyCursor(
        createFileDocument(
          watchlistStatePath(session.paths, 'notify', `${database.place} ${account.name}`),
          readCursor,
          context,
        ),
        context.processes,
      ),
      clock,
      files: null,
      database: { database, account },
      place: database.place,
      close: async () => {
        // If the database is unreachable, other hosts cannot see this process anyway.
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
 * Finds the account without creating anything, for commands that only read. Rejects with a {@link NotInitialisedError}
 * if something is missing.
 */
async function findExistingAccount(database: Database, accountName: string | null): Promise<Account> {
  const schema = await schemaState(database);
  if (!areTablesCurrent(database, schema)) throw tablesNotInitialised(database.place, schema);
  const account = await lookUpAccount(database, accountName);
  if (account === null) throw accountNotInitialised(database.place, accountName);
  return account;
}

/** Tells other users of the database which command is connected. */
const programKind = ({ command = 'board' }: Session['context']): string => command;

function hostName({ processes }: Pick<Session['context'], 'processes'>): string {
  return processes.scope().split(' ')[0] ?? 'unknown';
}

async function tlsOptions({
  address: { rootCertificate, tls },
}: DatabaseChoice): Promise<{ readonly rejectUnauthorized: boolean; readonly ca?: string } | null> {
  if (tls === 'none') return null;
  const ca = rootCertificate === null ? {} : { ca: await readCertificate(rootCertificate) };
  return { rejectUnauthorized: tls === 'verified', ...ca };
}

async function readCertificate(path: string): Promise<string> {
  try {
    const text = (await readWholeFile(path)).toString('latin1');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    const code = systemCode(error);
    if (code === null && !(error instanceof StoreError)) throw error;
    throw new UsageError(
      `The certificate ${printableText(path)} ("sslrootcert" in the store address) cannot be read${code === null ? ': it is not a file' : systemText(code)}.`,
      { cause: error },
    );
  }
  throw new UsageError(`${printableText(path)} ("sslrootcert" in the store address) contains no certificate.`);
}
