import { cleanText } from '../../lib/clean-text.ts';
import { systemWords } from '../../lib/error-text.ts';
import { StoreError, type StoreErrorKind, systemCode } from '../../lib/store-errors.ts';
import { CleartextPasswordError } from './connection.ts';

/** The server's error, without values that it may quote. */
export class StatementError extends Error {
  /** SQLSTATE, five characters. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A sentence for the user that names the database. */
type Sentence = (place: string) => string;

const schemaMissing: Sentence = (place) =>
  `${place} does not have the tables that this version of parcel-monitor needs. Run "parcel-monitor store" once with a role that may create them.`;

const locked: Sentence = (place) => `Other programs keep changing the same parcels in ${place}. Try again.`;

const unreachable = (place: string, why = ''): string =>
  `${place} cannot be reached${why}. Check the server and the network, then try again.`;

const outOfRange: Sentence = (place) =>
  `${place} refused a number that is too large: another program has written there. The manual says what to do ("A list in a database").`;

/** Sentences by SQLSTATE, or by its class of two characters. */
const sentences: Readonly<Partial<Record<StoreErrorKind, Readonly<Record<string, Sentence>>>>> = {
  'no-permission': {
    '28P01': (place) =>
      `${place} does not accept this password. Check PGPASSWORD, the passfile (~/.pgpass) or storePasswordCommand; the administrator of the server can set another one with "\\password" in psql.`,
    '28': (place) =>
      `${place} does not let this user log in: the user does not exist, may not log in, or pg_hba.conf on the server does not allow the connection. Check the user in the address; the manual has the SQL that creates one ("A list in a database").`,
    '42501': (place) =>
      `${place} does not allow this role to do that. The manual has the SQL that the owner of the database must run ("A list in a database").`,
  },
  'read-only': {
    '25006': (place) => `${place} is read-only. Use the primary server to write.`,
  },
  'disk-full': {
    '53100': (place) => `The disk of ${place} is full. Free some space on the server and try again.`,
  },
  locked: {
    '57014': (place) =>
      `${place} took too long to respond. Try again; if this keeps happening, check the server's load.`,
    '55P03': locked,
    '40': locked,
  },
  'cut-off': {
    '53300': (place) =>
      `${place} accepts no more connections: the limit of the server, the database or the user is reached. Close other programs, raise the limit (max_connections on the server), or use a pooler such as PgBouncer.`,
    '57P01': (place) =>
      `${place} has ended the connection: the server is stopping, or an administrator ended it. Try again in a moment.`,
    '57P02': (place) =>
      `${place} has ended all connections because a server process has crashed; the server recovers automatically. Try again in a moment; the server's log has the details.`,
    '57P03': (place) =>
      `${place} accepts no connections now: the server is starting, recovering or stopping. Try again in a moment.`,
    '57P04': (place) =>
      `${place} has ended the connection: the database was removed. Restore it from a backup, or use another one.`,
    '57P05': (place) =>
      `${place} has ended the connection because it was idle for too long (idle_session_timeout). Try again.`,
    '57': (place) => `${place} is starting, stopping, or has ended the connection. Try again in a moment.`,
    '08': (place) => unreachable(place),
    '25P03': (place) => unreachable(place),
  },
  failed: {
    '23505': (place) =>
      `${place} already has a row with this key: another program has written there. The manual says what to do ("A list in a database").`,
    '22003': outOfRange,
    '22P02': outOfRange,
    '3D000': (place) => `${place} does not exist. Create it with "createdb", or use another database.`,
    '53200': (place) =>
      `${place} is out of memory. Try again; if this keeps happening, check what else runs on the server, and shared_buffers, work_mem and max_locks_per_transaction in its postgresql.conf.`,
    '53400': (place) =>
      `${place} has reached a limit of its configuration. Its log names the setting (such as temp_file_limit); raise it there.`,
    '53': (place) => `${place} has run out of a resource. The server's log names it; free some of it and try again.`,
    '55000': (place) =>
      `${place} cannot be used now: it is closed to connections, or the server is not ready. The server's log has the details.`,
    '3F000': schemaMissing,
    '42P01': schemaMissing,
    '42703': schemaMissing,
  },
};

/** The description of a server's error. */
interface Told {
  readonly kind: StoreErrorKind;
  readonly message: string;
}

/** @param serverText the server's own message */
function describedBy(state: string, place: string, serverText: string): Told {
  // The code that poolers use for all of their errors.
  if (state === '08P01' && /statement pooling/i.test(serverText))
    return {
      kind: 'failed',
      message: `${place} is behind a pooler in statement mode, which allows no transactions. Set pool_mode to "session" or "transaction", or use the server's own address.`,
    };
  if (state === '08P01')
    return { kind: 'cut-off', message: unreachable(place, ` (${cleanText(serverText).slice(0, 200)})`) };
  for (const code of [state, state.slice(0, 2)])
    for (const [kind, known] of Object.entries(sentences)) {
      const message = known[code]?.(place);
      if (message !== undefined) return { kind: kind as StoreErrorKind, message };
    }
  const message = `${place} refused a statement (${state}). The server's log has the details; "parcel-monitor doctor" checks the database.`;
  return { kind: 'failed', message };
}

/** Returns the SQLSTATE of a server's error, or null for any other error. */
export function stateOf(error: unknown): string | null {
  if (error instanceof StatementError) return error.code;
  if (error instanceof StoreError && error.cause instanceof StatementError) return error.cause.code;
  const code = systemCode(error);
  return code !== null && /^[0-9A-Z]{5}$/.test(code) && error instanceof Error && 'severity' in error ? code : null;
}

/** Whether a connection with such an error is unusable. */
export function endsConnection(error: unknown): boolean {
  const state = stateOf(error);
  if (state === null) return !(error instanceof StoreError) || error.kind === 'cut-off';
  return /^(?:08|57P0|25P03|28)/.test(state);
}

/** Turns a failed statement or connection into an error for the user, without values of the statement. */
export function toDatabaseError(error: unknown, place: string): StoreError {
  if (error instanceof StoreError) return error;
  const state = stateOf(error);
  if (state === null) return connectionError(error, place);
  const cause = new StatementError(state, quotesValues(state) ? state : messageOf(error));
  const { kind, message } = describedBy(state, place, messageOf(error));
  return new StoreError(kind, message, place, cause);
}

/** Whether errors of this class quote values. Errors about data and constraints do. */
const quotesValues = (state: string): boolean => /^2[23]/.test(state);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function connectionError(error: unknown, place: string): StoreError {
  const code = systemCode(firstOf(error));
  const message = messageOf(error);
  const failed = (sentence: string): StoreError => new StoreError('failed', `${place} ${sentence}`, place, error);
  if (error instanceof CleartextPasswordError)
    return new StoreError(
      'no-permission',
      {
        what: `${place} asks for the password in cleartext on a connection that is not encrypted, so it was not sent.`,
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
        what: `${place} asks for a password, but no usable password is set.`,
        advice: 'Set PGPASSWORD, a passfile (~/.pgpass) or storePasswordCommand.',
      },
      place,
      new Error('No usable password.'),
    );
  if (/does not support SSL/.test(message))
    return failed(
      `does not speak TLS, and nothing is sent to another machine without TLS. Turn "ssl" on in the server's postgresql.conf.`,
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return failed(
      `shows a certificate that was made for another name. Use that name in the address, or replace the server's certificate.`,
    );
  if (code !== null && isOfCertificate(code))
    return failed(
      `shows a certificate that cannot be trusted${systemWords(code)}. Add the authority's certificate with "?sslrootcert=FILE", or replace the server's.`,
    );
  return new StoreError(
    'cut-off',
    unreachable(place, code === null ? whyOf(message) : systemWords(code)),
    place,
    error,
  );
}

const isOfCertificate = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ISSUER/.test(code);

const whyOf = (message: string): string =>
  /timeout/i.test(message) ? ': it does not respond' : /terminated/i.test(message) ? ': the connection was lost' : '';

/** If a name has several addresses, each of them failed. */
const firstOf = (error: unknown): unknown => (error instanceof AggregateError ? (error.errors[0] as unknown) : error);
