import { safeCause, systemText } from '../lib/error-text.ts';
import { ProxyFailure, proxyName, type ServiceProxy } from './address.ts';
import {
  BadResponseError,
  CancelledError,
  ResponseTooLargeError,
  ServiceError,
  type ServiceErrorDetails,
  ServiceTimeoutError,
  UnreachableError,
} from './errors.ts';
import { dataStays } from './failures.ts';

interface FailureContext {
  readonly baseUrl: URL;
  readonly proxy: ServiceProxy | null;
  readonly timeoutMs: number;
  readonly cancelled: boolean;
  readonly late: boolean;
}

const certificateCode =
  /^(?:ERR_TLS_CERT|CERT_|CRL_|ERROR_IN_C|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|HOSTNAME_MISMATCH)/;

export const isCertificateCode = (code: string | null): boolean => code !== null && certificateCode.test(code);

/** Codes instead of undici's error classes, which would load undici too early. */
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

/** undici has no code of its own for a response that is not HTTP or that switches protocols. */
const isNotHttp = (error: unknown, code: string | null): boolean =>
  error instanceof Error &&
  (error.name === 'HTTPParserError' ||
    code === 'ERR_ASSERTION' ||
    (code === 'UND_ERR_SOCKET' && /^bad (?:upgrade|response)$/.test(error.message)));

export function networkFailure(error: unknown, context: FailureContext): ServiceError {
  if (error instanceof ServiceError) return error;
  const { proxy } = context;
  const { host } = context.baseUrl;
  const proxyFailure = error instanceof ProxyFailure ? error : null;
  const origin = proxyFailure?.cause ?? error;
  const code = codeOf(origin);
  const details = { code, cause: safeCause(origin) };
  if (context.cancelled) return new CancelledError('The request was cancelled.', details);
  const via = proxy === null ? '' : ` through the proxy ${proxyName(proxy)}`;
  const isTimeout = context.late || timeoutCodes.has(code ?? '');
  if (isTimeout) {
    return new ServiceTimeoutError(
      {
        what: `The service at ${host} did not respond${via} within ${Math.round(context.timeoutMs / 1000)} seconds.`,
        advice: null,
        consequence: dataStays,
      },
      details,
    );
  }
  if (proxyFailure !== null && proxy !== null) return failureOfProxy(proxyFailure, proxy, context, details);
  if (tooLargeCodes.has(code ?? '')) {
    return new ResponseTooLargeError(
      { what: `The response from ${host} was too large.`, advice: 'Check the base URL.' },
      details,
    );
  }
  if (isNotHttp(error, code)) {
    return new BadResponseError(
      {
        what: `The response from ${host} is not valid HTTP (${code ?? 'no code'}).`,
        advice: 'Check the base URL.',
        consequence: dataStays,
      },
      details,
    );
  }
  if (isCertificateCode(code)) {
    return new UnreachableError(
      {
        what: `The certificate of ${host} is not valid${systemText(code)}, so nothing was sent.`,
        advice: `Check the base URL, the clock and the network${via === '' ? '' : '; the certificate came'}${via}.`,
      },
      details,
    );
  }
  return new UnreachableError(
    {
      what: `The service at ${host} cannot be reached${via}${systemText(code)}.`,
      advice: 'Check the network and the base URL.',
      consequence: dataStays,
    },
    details,
  );
}

function failureOfProxy(
  { httpStatus }: ProxyFailure,
  proxy: ServiceProxy,
  { baseUrl }: FailureContext,
  details: ServiceErrorDetails,
): UnreachableError {
  const name = proxyName(proxy);
  const code = details.code ?? null;
  const failure = (
    what: string,
    advice = `Check ${proxy.setBy}, or add ${baseUrl.hostname} to NO_PROXY.`,
  ): UnreachableError => new UnreachableError({ what, advice, consequence: dataStays }, details);
  if (httpStatus === 407) {
    return proxy.url.username === ''
      ? failure(
          `The proxy ${name} requires a user name and password (HTTP 407).`,
          `Set ${proxy.setBy} as http://user:password@${proxy.url.host}.`,
        )
      : failure(`The proxy ${name} rejected the user name or password (HTTP 407).`, `Correct them in ${proxy.setBy}.`);
  }
  if (httpStatus !== null) return failure(`The proxy ${name} did not connect to ${baseUrl.host} (HTTP ${httpStatus}).`);
  return isCertificateCode(code)
    ? failure(`The certificate of the proxy ${name} is not valid${systemText(code)}, so nothing was sent.`)
    : failure(`The proxy ${name} cannot be reached${systemText(code)}, so nothing was sent.`);
}
