import { cleanText } from './clean-text.ts';

/** What an error says: sentences about what happened, or those with what to do apart. Another error says it, too. */
export type ErrorText =
  | string
  | {
      readonly what: string;
      readonly advice: string | null;
      /** What a running program does by itself, of which nobody needs to know where none runs. */
      readonly meanwhile?: string | null;
    };

/** An error that goes by the name of its class. `message` is all that it says. */
export abstract class NamedError extends Error {
  readonly what: string;
  /** What a person can do; null where there is nothing to say of that. */
  readonly advice: string | null;

  constructor(text: ErrorText, options?: ErrorOptions) {
    const { what, advice, meanwhile = null } = typeof text === 'string' ? { what: text, advice: null } : text;
    super([what, advice, meanwhile].filter((part) => part !== null).join(' '), options);
    this.name = new.target.name;
    this.what = what;
    this.advice = advice;
  }
}

/** What was thrown, as an error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

export const messageOf = (thrown: unknown): string => toError(thrown).message;

/** Name, code and cleaned words of an error, fit to be logged: a network error may carry bytes of an answer. */
export function safeCause(error: unknown): Error {
  const words = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : messageOf(error);
  const safe = new Error(cleanText(words));
  if (!(error instanceof Error)) return safe;
  safe.name = cleanText(error.name);
  return 'code' in error && typeof error.code === 'string'
    ? Object.assign(safe, { code: cleanText(error.code) })
    : safe;
}

/** Keeps only the position of a JSON error: its words quote the body. */
export function jsonCause(error: unknown): Error {
  const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
  return new SyntaxError(position === undefined ? 'The body is no JSON.' : `The body is no JSON ${position}.`);
}

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'what should be a folder on its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'you have no permission',
  EPERM: 'the system does not permit it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'your share of the disk is used up',
  EFBIG: 'the file would be too large',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOMEM: 'there is not enough memory',
  EAGAIN: 'too much is running at once',
  E2BIG: 'it was given too much text',
  ENOEXEC: 'it is not a program',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'it is a link that leads back to itself',
  EBUSY: 'another program is using it',
  ETXTBSY: 'another program is writing it',
  EIO: 'the disk reports an error',
  ESTALE: 'the network drive has lost it',
  ENXIO: 'the device is not there',
  ENODEV: 'the device is not there',
  EPIPE: 'the connection was broken off',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was broken off',
  ECONNABORTED: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'its name cannot be looked up now',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'no route leads there',
  ENETUNREACH: 'no route leads there',
  EHOSTDOWN: 'the machine is down',
  ENETDOWN: 'the network is down',
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EPROTO: 'what answers there does not speak TLS as expected',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers there does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what answers there does not speak TLS',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was made for another host',
  HOSTNAME_MISMATCH: 'it was made for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself only',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not known here',
};

export function systemWords(code: string | null | undefined): string {
  if (code === null || code === undefined || code === '') return '';
  return Object.hasOwn(meanings, code) ? `: ${meanings[code]} (${code})` : ` (${code})`;
}
