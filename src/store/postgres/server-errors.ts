import { cleanText } from '../../lib/clean-text.ts';
import { messageOf, systemText } from '../../lib/error-text.ts';
import { StoreError, type StoreErrorKind, systemCode } from '../../lib/store-errors.ts';
import { CleartextPasswordError } from './connection.ts';

/** A server error, with any quoted values stripped. */
export class StatementError extends Error {
  /** SQLSTATE, five characters. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Returns the message for the user. It names the database. */
type Sentence = (place: string) => string;

const schemaMissing: Sentence = (place) =>
  `${place} does not have the tables that this version of parcel-monitor needs. Run "parcel-monitor store" once with a role that may create them.`;

const locked: Sentence = (place) => `Other programs keep changing the same parcels in ${place}. Try again.`;

const unreachable = (place: string, reason = ''): string =>
  `${place} cannot be reached${reason}. Check the server and the network, then try again.`;

const tampered = (problem: string): string =>
  `${problem}, so another program must have modified the tables. See "A list in a database" in the manual.`;

/** Sentences by SQLSTATE, or by its class of two characters. */
const sentences: Readonly<Partial<Record<StoreErrorKind, Readonly<Record<string, Sentence>>>>> = {
  'no-permission': {
    '28P01': (place) =>
      `${place} does not accept this password. Check PGPASSWORD, the passfile (~/.pgpass) or storePasswordCommand; the server's administrator can set a new one with "\\password" in psql.`,
    '28': (place) =>
      `${place} does not let this user log in: the user does not exist, may not log in, or pg_hba.conf on the server does not allow the connection. Check the user in the address; for the SQL that creates one, see "A list in a database" in the manual.`,
    '42501': (place) =>
      `${place} does not allow this role to do that. For the SQL that the database's owner must run, see "A list in a database" in the manual.`,
  },
  'read-only': {
    '25006': (place) => `${place} is read-only. Use the primary server to write.`,
  },
  'disk-full': {
    '53100': (place) => `The server's disk is full (${place}). Free some space on it and try again.`,
  },
  locked: {
    '57014': (place) =>
      `${place} took too long to respond. Try again; if this keeps happening, check the server's load.`,
    '55P03': locked,
    '40': locked,
  },
  'cut-off': {
    '53300': (place) =>
      `${place} is not accepting any more connections: the limit of the server, the database or the user has been reached. Close other programs, raise the limit (max_connections on the server), or use a pooler such as PgBouncer.`,
    '57P01': (place) =>
      `${place} closed the connection: the server is shutting down, or an administrator ended the session. Try again in a moment.`,
    '57P02': (place) =>
      `${place} closed all connections because a server process crashed; the server recovers automatically. Try again in a moment, and check the server's log for details.`,
    '57P03': (place) =>
      `${place} is not accepting connections right now: the server is starting, recovering or shutting down. Try again in a moment.`,
    '57P04': (place) =>
      `${place} closed the connection because the database was dropped. Restore it from a backup, or use a different database.`,
    '57P05': (place) =>
      `${place} closed the connection because it was idle for too long (idle_session_timeout). Try again.`,
    '57': (place) => `${place} is starting or shutting down, or it closed the connection. Try again in a moment.`,
    '08': (place) => unreachable(place),
    '25P03': (place) => unreachable(place),
  },
  failed: {
    '23505': (place) =>
      `${place} already has a row with this key, so another program must have modified the table. See "A list in a database" in the manual.`,
    '22003': (place) => tampered(`${place} rejected a number that is too large`),
    // A number of 22 digits or more is sent as 1e+21, which is also an invalid bigint.
    '22P02': (place) => tampered(`${place} rejected a value that is not valid for its column`),
    '3D000': (place) => `${place} does not exist. Create it with "createdb", or use a different database.`,
    '53200': (place) =>
      `${place} is out of memory. Try again; if this keeps happening, check what else is running on the server, and look at shared_buffers, work_mem and max_locks_per_transaction in its postgresql.conf.`,
    '53400': (place) =>
      `${place} hit a configured limit. The server's log names the setting (such as temp_file_limit); raise it.`,
    '53': (place) => `${place} ran out of a resource. The server's log says which; free some of it and try again.`,
    '55000': (place) =>
      `${place} cannot be used right now: it does not allow connections, or the server is not ready. Check the server's log for details.`,
    '3F000': schemaMissing,
    '42P01': schemaMissing,
    '42703': schemaMissing,
  },
};

/** Returns what a server error means for the user. @param serverText the server's own message */
function describeError(
  state: string,
  place: string,
  serverText: string,
): { readonly kind: StoreErrorKind; readonly message: string } {
  // Poolers use this code for all of their errors.
  if (state === '08P01' && /statement pooling/i.test(serverText))
    return {
      kind: 'failed',
      message: `${place} is behind a pooler in statement mode, which does not allow transactions. Set pool_mode to "session" or "transaction", or use the server's own address.`,
    };
  if (state === '08P01')
    return { kind: 'cut-off', message: unreachable(place, ` (${cleanText(serverText).slice(0, 200)})`) };
  for (const code of [state, state.slice(0, 2)])
    for (const [kind, messages] of Object.entries(sentences)) {
      const message = messages[code]?.(place);
      if (message !== undefined) return { kind: kind as StoreErrorKind, message };
    }
  const message = `${place} rejected a statement (${state}). Check the server's log for details, or run "parcel-monitor doctor".`;
  return { kind: 'failed', message };
}

/** Returns the SQLSTATE of a server error, or null for any other error. */
export function sqlStateOf(error: unknown): string | null {
  if (error instanceof StatementError) return error.code;
  if (error instanceof StoreError && error.cause instanceof StatementError) return error.cause.code;
  const code = systemCode(error);
  return code !== null && /^[0-9A-Z]{5}$/.test(code) && error instanceof Error && 'severity' in error ? code : null;
}

export function endsConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state === null) return !(error instanceof StoreError) || error.kind === 'cut-off';
  return /^(?:08|57P0|25P03|28)/.test(state);
}

/** Converts a failed statement or connection into an error for the user that never contains the statement's values. */
export function toDatabaseError(error: unknown, place: string): StoreError {
  if (error instanceof StoreError) return error;
  const state = sqlStateOf(error);
  if (state === null) return connectionError(error, place);
  const cause = new StatementError(state, quotesValues(state) ? state : messageOf(error));
  const { kind, message } = describeError(state, place, messageOf(error));
  return new StoreError(kind, message, place, cause);
}

/** Whether the server quotes values in this error, as it does for data and constraint errors. */
const quotesValues = (state: string): boolean => /^2[23]/.test(state);

function connectionError(error: unknown, place: string): StoreError {
  const code = systemCode(firstError(error));
  const message = messageOf(error);
  const createError = (sentence: string): StoreError => new StoreError('failed', `${place} ${sentence}`, place, error);
  if (error instanceof CleartextPasswordError)
    return new StoreError(
      'no-permission',
      {
        what: `${place} asked for the password in cleartext over an unencrypted connection, so it was not sent.`,
        advice:
          'Use scram-sha-256 in pg_hba.conf on the server, or connect through the socket ("?host=/run/postgresql") or with TLS ("?sslmode=verify-full").',
      },
      place,
      error,
    );
  if (/^SASL|password/i.test(message))
    return new StoreError(
      'no-permission',
      {
        what: `${place} requires a password, but no usable password is set.`,
        advice: 'Set PGPASSWORD, a passfile (~/.pgpass) or storePasswordCommand.',
      },
      place,
      new Error('No usable password.'),
    );
  if (/does not support SSL/.test(message))
    return createError(
      `does not support TLS, which is required for remote servers. Turn "ssl" on in the server's postgresql.conf.`,
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return createError(
      `presented a certificate for a different host name. Use that name in the address, or replace the server's certificate.`,
    );
  if (code !== null && isCertificateError(code))
    return createError(
      `presented an untrusted certificate${systemText(code)}. Add the CA certificate with "?sslrootcert=FILE", or replace the server's.`,
    );
  return new StoreError(
    'cut-off',
    unreachable(place, code === null ? reasonFrom(message) : systemText(code)),
    place,
    error,
  );
}

const isCertificateError = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ISSUER/.test(code);

const reasonFrom = (message: string): string =>
  /timeout/i.test(message) ? ': it does not respond' : /terminated/i.test(message) ? ': the connection was lost' : '';

/** If a name resolves to several addresses, there is one error per address. */
const firstError = (error: unknown): unknown =>
  error instanceof AggregateError ? (error.errors[0] as unknown) : error;
