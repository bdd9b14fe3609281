import { isIPv4 } from 'node:net';
import { nearestWord } from '../lib/text.ts';
import type { ServerAddress } from '../store/postgres/server-facts.ts';
import { type Environment, nonEmpty } from '../system/environment.ts';
import { UsageError } from './errors.ts';

export interface StoreAddress extends Omit<ServerAddress, 'password' | 'tls'> {
  /** The password in the address. Normally null, because it should not be there. */
  readonly password: string | null;
  /** `verified`: the server must prove its identity. `encrypted`: encryption alone, only for this machine. */
  readonly tls: 'none' | 'encrypted' | 'verified';
  /** A file with trusted certificate authorities. Null for the system's authorities. */
  readonly rootCertificate: string | null;
}

const defaultPort = 5432;
const example = 'postgres://user@host/database';
/** How well each of libpq's modes protects the connection. */
const sslModes = {
  disable: 'none',
  allow: 'none',
  prefer: 'none',
  require: 'encrypted',
  'verify-ca': 'encrypted',
  'verify-full': 'verified',
} as const satisfies Readonly<Record<string, StoreAddress['tls']>>;
const parameters = ['sslmode', 'sslrootcert', 'host', 'port', 'user'];
/** Prefixes that users put before a host by mistake. */
const strayPrefix = /^(?:[a-z][a-z+.-]*:\/\/?|postgres(?:ql)?:|pg:|[./\\]+)/i;
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether a value of `store` selects the files, which are also the default. */
export const isFileStore = (text: string): boolean => /^file$/i.test(text.trim());

interface Parts {
  readonly user: string | null;
  readonly password: string | null;
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly query: string;
}

/**
 * Parses `postgres://[user@]host[:port]/database[?sslmode=…&sslrootcert=FILE&host=/folder/of/socket]`. The default user
 * is `PGUSER`, then the system's user. Throws a {@link UsageError} that tells how to write it, with the nearest valid
 * address if there is one, and never contains a password.
 */
export function parseStoreAddress(text: string, environment: Environment = {}): StoreAddress {
  const trimmed = text.trim();
  const isAddress = /^postgres(?:ql)?:\/\//i.test(trimmed);
  // Anything else is also parsed, to suggest an address.
  const parts = splitAddress(trimmed.replace(isAddress ? /^[^/]*\/\// : strayPrefix, ''));
  if (!isAddress) throw addressError(`A store is "file" or an address such as ${example}.`, suggestAddress(parts));
  const query = parseQuery(parts.query);
  const hostText = query.get('host') ?? decode(parts.host.replace(/^\[(.*)\]$/, '$1'), 'host');
  // Host names ignore case, folders do not.
  const host = hostText.startsWith('/') ? hostText : hostText.toLowerCase();
  const user = nonEmptyOrNull(query.get('user') ?? parts.user) ?? defaultUser(environment);
  const port = parsePort(query.get('port') ?? parts.port);
  const [database = '', ...extraParts] = parts.database.split('/').filter((part) => part !== '');
  if (host === '')
    throw addressError('The store address has no host.', suggestAddress({ ...parts, host: 'localhost' }));
  if (host.includes(',')) throw addressError('The store address has several hosts; use the one to write to.');
  if (database === '') throw addressError('The store address has no database.', suggestAddress(parts));
  if (extraParts.length > 0)
    throw addressError(
      'The path in the store address must be a database name.',
      suggestAddress({ ...parts, database }),
    );
  if (user === null) throw addressError('The store address has no user.', suggestAddress({ ...parts, user: 'user' }));
  const name = decode(database, 'database');
  for (const part of [host, user, name]) {
    if (controlCharacters.test(part)) throw addressError('The store address contains control characters.');
  }
  const rootCertificate = parseRootCertificate(query.get('sslrootcert'));
  const address = { host, port, database: name, user };
  return {
    ...address,
    place: formatAddress(address),
    password: parts.password,
    tls: chooseTls(host, query.get('sslmode') ?? null, rootCertificate, address),
    rootCertificate,
  };
}

/**
 * Returns the address without a password, for display, or null if it is not readable, since the password may be
 * anywhere in it.
 */
export function redactedStoreAddress(text: string): string | null {
  if (isFileStore(text)) return text.trim();
  try {
    const { place, password } = parseStoreAddress(text, { PGUSER: 'user' });
    return password === null ? text.trim() : place;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return null;
  }
}

/** Whether the address reaches only this machine. */
export function isThisMachine(host: string): boolean {
  return (
    host.startsWith('/') || host === '::1' || /^localhost$/i.test(host) || (isIPv4(host) && host.startsWith('127.'))
  );
}

function splitAddress(rest: string): Parts {
  const queryAt = rest.indexOf('?');
  const path = queryAt === -1 ? rest : rest.slice(0, queryAt);
  // A password may contain any character, including a slash that should have been encoded.
  const at = path.lastIndexOf('@');
  const [account, place] = at === -1 ? [null, path] : [path.slice(0, at), path.slice(at + 1)];
  const slash = place.indexOf('/');
  const server = slash === -1 ? place : place.slice(0, slash);
  const [, host = server, port = ''] = /^(\[[^\]]*\]|[^:[]*)(?::(.*))?$/.exec(server) ?? [];
  const colon = account?.indexOf(':') ?? -1;
  const user = account === null ? null : colon === -1 ? account : account.slice(0, colon);
  return {
    user: user === null ? null : decode(user, 'user'),
    password: account === null || colon === -1 ? null : decode(account.slice(colon + 1), 'password'),
    host,
    port,
    database: slash === -1 ? '' : place.slice(slash + 1),
    query: queryAt === -1 ? '' : rest.slice(queryAt + 1),
  };
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // The error includes the text, which may be the password.
    if (!(error instanceof URIError)) throw error;
    throw addressError(`The ${what} in the store address has a "%" that must be written as "%25".`);
  }
}

function parseQuery(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const pair of query.split('&').filter((text) => text !== '')) {
    const [name = '', ...value] = pair.split('=');
    if (!parameters.includes(name)) {
      const nearest = nearestWord(name, parameters);
      const advice =
        nearest === null ? `known parameters: ${parameters.join(', ')}` : `the closest match is "${nearest}"`;
      throw addressError(`${quotedName(name)} in the store address is not known; ${advice}.`);
    }
    if (values.has(name)) throw addressError(`"${name}" appears twice in the store address.`);
    values.set(name, decode(value.join('='), name));
  }
  return values;
}

/** Anything but a plain word may be part of a password that contains a question mark. */
const quotedName = (name: string): string => (/^[a-z_]{1,30}$/.test(name) ? `"${name}"` : 'A parameter');

const nonEmptyOrNull = (text: string | null | undefined): string | null => nonEmpty(text ?? undefined) ?? null;

const defaultUser = (environment: Environment): string | null =>
  ['PGUSER', 'USER', 'LOGNAME', 'USERNAME']
    .map((name) => nonEmptyOrNull(environment[name]))
    .find((name) => name !== null) ?? null;

function parsePort(text: string): number {
  if (text === '') return defaultPort;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  // The message does not quote it, because it may be a password without a user.
  throw addressError(`The port in the store address must be a number from 1 to 65535; the default is ${defaultPort}.`);
}

function parseRootCertificate(text: string | undefined): string | null {
  // The system's authorities are trusted anyway.
  if (text === undefined || text === 'system') return null;
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(text)) return text;
  throw addressError('"sslrootcert" in the store address must be an absolute path.');
}

/** Returns the level of protection. Throws if a server on a different machine would not be verified. */
function chooseTls(
  host: string,
  mode: string | null,
  rootCertificate: string | null,
  address: Pick<StoreAddress, 'database' | 'host' | 'port' | 'user'>,
): StoreAddress['tls'] {
  if (mode !== null && !Object.hasOwn(sslModes, mode)) {
    const nearest = nearestWord(mode, Object.keys(sslModes));
    throw addressError(`"sslmode" in the store address must be one of ${Object.keys(sslModes).join(', ')}.`, nearest);
  }
  const verification = mode === null ? null : sslModes[mode as keyof typeof sslModes];
  if (host.startsWith('/')) return 'none';
  if (isThisMachine(host)) return verification ?? (rootCertificate === null ? 'none' : 'verified');
  if (verification === null || verification === 'verified') return 'verified';
  throw addressError(
    `sslmode=${mode} does not verify the server's identity. Leave "sslmode" out or write verify-full; "sslrootcert=/path/to/authority.crt" names your own authority.`,
    formatAddress(address),
  );
}

/** Returns the address that was probably meant, or null if there is too little to go on. */
function suggestAddress({ user, host, port, database }: Parts): string | null {
  if (!/^[\w.[\]:-]+$/.test(host)) return null;
  const name = database.split('/').find((part) => part !== '') ?? 'parcels';
  const isPort = /^\d{1,5}$/.test(port) && port !== String(defaultPort);
  if (!/^[\w.%-]+$/.test(name) || !/^[\w.%-]*$/.test(user ?? '')) return null;
  const account = user === null || user === '' ? '' : `${user}@`;
  return `postgres://${account}${host}${isPort ? `:${port}` : ''}/${name}`;
}

function formatAddress({
  user,
  host,
  port,
  database,
}: Pick<StoreAddress, 'database' | 'host' | 'port' | 'user'>): string {
  const end = port === defaultPort ? '' : `:${port}`;
  const part = (text: string): string => encodeURIComponent(text);
  if (host.startsWith('/')) return `postgres://${part(user)}@${end}/${part(database)}?host=${host}`;
  return `postgres://${part(user)}@${host.includes(':') ? `[${host}]` : host}${end}/${part(database)}`;
}

function addressError(sentence: string, nearest: string | null = null): UsageError {
  return new UsageError(nearest === null ? sentence : `${sentence} The nearest is ${nearest}.`);
}

const maxAccountLength = 100;

/** Returns the trimmed name of an account in a database. Throws a {@link UsageError} if it is not valid. */
export function usableAccount(text: string): string {
  const name = text.trim();
  if (name.length <= maxAccountLength && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(name)) return name;
  throw new UsageError(`An account name has at most ${maxAccountLength} characters and no invisible ones.`);
}

/** Returns a valid value of `store` unchanged. Throws a {@link UsageError} if it is not valid. */
export function usableStore(text: string): string {
  if (!isFileStore(text)) parseStoreAddress(text, { PGUSER: 'user' });
  return text;
}
