import {
  AnswerTooLargeError,
  BadAnswerError,
  CancelledError,
  ServiceError,
  ServiceTimeoutError,
  UnreachableError,
} from './errors.ts';
import { safeCause } from './safe-cause.ts';

/** What is known of a call that brought no answer. */
export interface FailureContext {
  readonly baseUrl: URL;
  /** Limit of the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether we ended the call. */
  readonly cancelled: boolean;
  /** Whether the limit has passed. */
  readonly late: boolean;
}

/** Codes of Node and OpenSSL for a certificate that does not verify. */
const certificateCode =
  /^(?:ERR_TLS_CERT|CERT_|CRL_|ERROR_IN_C|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|HOSTNAME_MISMATCH)/;

/** Told by code, since naming undici's classes would load it before it is needed. */
const timeoutCodes: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const tooLargeCodes: ReadonlySet<string> = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW']);

function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** The named error for whatever undici, the network or the abort signals threw; a ServiceError stays as it is. */
export function networkFailure(error: unknown, context: FailureContext): ServiceError {
  if (error instanceof ServiceError) return error;
  const { host } = context.baseUrl;
  const code = codeOf(error);
  const details = { code, cause: safeCause(error) };
  if (context.cancelled) return new CancelledError('The call was ended.', details);
  const isTimeout = context.late || timeoutCodes.has(code ?? '');
  if (isTimeout) {
    return new ServiceTimeoutError(
      `The service at ${host} gave no answer within ${Math.round(context.timeoutMs / 1000)} seconds. The last good data stays; the next try follows by itself.`,
      details,
    );
  }
  if (tooLargeCodes.has(code ?? '')) {
    return new AnswerTooLargeError(
      `The answer of ${host} is larger than the limit and was refused. Check the base URL.`,
      details,
    );
  }
  // Not every fault that undici's parser finds has a code.
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return new BadAnswerError(
      `What answers at ${host} does not speak HTTP as it should (${code ?? 'no code'}). Check the base URL; the last good data stays.`,
      details,
    );
  }
  if (code !== null && certificateCode.test(code)) {
    return new UnreachableError(
      `The certificate of ${host} does not verify (${code}), so nothing was sent. Check the base URL, the clock and the network.`,
      details,
    );
  }
  return new UnreachableError(
    `The service at ${host} cannot be reached${code === null ? '' : ` (${code})`}. Check the network and the base URL; the last good data stays.`,
    details,
  );
}
