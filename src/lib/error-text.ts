import { cleanText } from './clean-text.ts';

export type ErrorText =
  | string
  | {
      readonly what: string;
      readonly advice: string | null;
      /** How the running program continues, as a clause. Only shown in the message. */
      readonly consequence?: string | null;
    };

/** An error named after its class. `message` has at most two sentences if `what` and `advice` have one each. */
export abstract class NamedError extends Error {
  readonly what: string;
  /** What the user can do, or null. */
  readonly advice: string | null;

  constructor(text: ErrorText, options?: ErrorOptions) {
    const { what, advice, consequence = null } = typeof text === 'string' ? { what: text, advice: null } : text;
    const happened = consequence === null ? what : `${what.replace(/\.$/, '')}; ${consequence}.`;
    super(advice === null ? happened : `${happened} ${advice}`, options);
    this.name = new.target.name;
    this.what = what;
    this.advice = advice;
  }
}

export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

export const messageOf = (thrown: unknown): string => toError(thrown).message;

/** Returns a copy of an error with cleaned texts, safe for logs: a network error may contain bytes of a response. */
export function safeCause(error: unknown): Error {
  const words = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : messageOf(error);
  const safe = new Error(cleanText(words));
  if (!(error instanceof Error)) return safe;
  safe.name = cleanText(error.name);
  return 'code' in error && typeof error.code === 'string'
    ? Object.assign(safe, { code: cleanText(error.code) })
    : safe;
}

/** Keeps only the position of a JSON error, because its message quotes the body. */
export function jsonCause(error: unknown): Error {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return new SyntaxError(position === undefined ? 'The body is not JSON.' : `The body is not JSON ${position}.`);
}

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'you have no permission',
  EPERM: 'the system does not allow it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'the file would be too large',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOMEM: 'there is not enough memory',
  EAGAIN: 'too many processes are running',
  E2BIG: 'its arguments are too long',
  ENOEXEC: 'it is not a program',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'it is a link to itself',
  EBUSY: 'another program is using it',
  ETXTBSY: 'another program is writing it',
  EIO: 'the disk reports an error',
  ESTALE: 'it is no longer on the network drive',
  ENXIO: 'the device is not there',
  ENODEV: 'the device is not there',
  EPIPE: 'the connection was closed',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  ECONNABORTED: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'its name cannot be looked up now',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  EHOSTDOWN: 'the machine is down',
  ENETDOWN: 'the network is down',
  EADDRINUSE: 'another program uses this address',
  EADDRNOTAVAIL: 'this machine has no such address',
  EPROTO: 'the TLS handshake failed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was made for another host',
  HOSTNAME_MISMATCH: 'it was made for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its CA is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'its CA is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its CA is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its CA is not trusted here',
};

export function systemWords(code: string | null | undefined): string {
  if (code === null || code === undefined || code === '') return '';
  return Object.hasOwn(meanings, code) ? `: ${meanings[code]} (${code})` : ` (${code})`;
}
