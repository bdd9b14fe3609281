import { cleanText } from './clean-text.ts';

export type ErrorText =
  | string
  | {
      readonly what: string;
      readonly advice: string | null;
      /** A clause that says how the running program carries on. Appears only in `message`. */
      readonly consequence?: string | null;
    };

/** An error named after its class. `message` has at most two sentences if `what` and `advice` have one each. */
export abstract class NamedError extends Error {
  readonly what: string;
  /** What the user can do, or null. */
  readonly advice: string | null;

  constructor(text: ErrorText, options?: ErrorOptions) {
    const { what, advice, consequence = null } = typeof text === 'string' ? { what: text, advice: null } : text;
    const summary = consequence === null ? what : `${what.replace(/\.$/, '')}; ${consequence}.`;
    super(advice === null ? summary : `${summary} ${advice}`, options);
    this.name = new.target.name;
    this.what = what;
    this.advice = advice;
  }
}

export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

export const messageOf = (thrown: unknown): string => toError(thrown).message;

/** Returns a copy of the error that is safe to log: the text of a network error may contain bytes of a response. */
export function safeCause(error: unknown): Error {
  const message = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : messageOf(error);
  const copy = new Error(cleanText(message));
  if (!(error instanceof Error)) return copy;
  copy.name = cleanText(error.name);
  return 'code' in error && typeof error.code === 'string'
    ? Object.assign(copy, { code: cleanText(error.code) })
    : copy;
}

/** Keeps only the position from a JSON error, because its message quotes the body. */
export function jsonCause(error: unknown): Error {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return new SyntaxError(
    position === undefined ? 'The body is not JSON.' : `The body is not JSON: syntax error ${position}.`,
  );
}

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'the system does not permit it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is exceeded',
  EFBIG: 'the file would be too large',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOMEM: 'there is not enough memory',
  EAGAIN: 'too many processes are running',
  E2BIG: 'its arguments are too long',
  ENOEXEC: 'it is not an executable',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
  EBUSY: 'another program is using it',
  ETXTBSY: 'another program is writing to it',
  EIO: 'the disk reported an error',
  ESTALE: 'it no longer exists on the network drive',
  ENXIO: 'the device does not exist',
  ENODEV: 'the device does not exist',
  EPIPE: 'the connection was closed',
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was closed',
  ECONNABORTED: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'its name cannot be resolved right now',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  EHOSTDOWN: 'the machine is down',
  ENETDOWN: 'the network is down',
  EADDRINUSE: 'another program is using this address',
  EADDRNOTAVAIL: 'this machine has no such address',
  EPROTO: 'the TLS handshake failed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for a different host',
  HOSTNAME_MISMATCH: 'it was issued for a different host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its CA is not trusted on this machine',
  UNABLE_TO_GET_ISSUER_CERT: 'its CA is not trusted on this machine',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its CA is not trusted on this machine',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its CA is not trusted on this machine',
};

export function systemText(code: string | null | undefined): string {
  if (code === null || code === undefined || code === '') return '';
  return Object.hasOwn(meanings, code) ? `: ${meanings[code]} (${code})` : ` (${code})`;
}
