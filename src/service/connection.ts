import { NamedError, safeCause, systemText } from '../lib/error-text.ts';
import { dataKeptClause } from './failures.ts';
import {
  BadResponseError,
  CancelledError,
  ResponseTooLargeError,
  ServiceError,
  type ServiceErrorDetails,
  ServiceTimeoutError,
  UnreachableError,
} from './port.ts';

export class UnusableBaseUrlError extends NamedError {
  readonly kind = 'unusable-base-url';
}

/** `localhost` is the only name that counts: the network might resolve `sub.localhost` and `localhost.`. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(hostname) ||
  /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(hostname);

/**
 * Throws an {@link UnusableBaseUrlError}. Plain http is allowed only for loopback addresses, because each call contains
 * the key.
 */
export function parseBaseUrl(text: string): URL {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) {
    throw new UnusableBaseUrlError({
      what: `The base URL "${withoutPassword(trimmed)}" is not a URL.`,
      advice: 'Write it as https://host/path, without the /tk/… part.',
    });
  }
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UnusableBaseUrlError(`The base URL must begin with https://, not with ${url.protocol}//.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UnusableBaseUrlError({
      what: `Plain HTTP to ${url.host} is refused, because it would expose the API key.`,
      advice: `Use https://${url.host}${url.pathname}.`,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new UnusableBaseUrlError(
      'The base URL must not contain a user name or password. The API key is sent in a header.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UnusableBaseUrlError('The base URL must not contain a query ("?") or a fragment ("#").');
  }
  // Saved data is keyed by the address, so each address must have a single form.
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

export const isSameAddress = (a: URL | string, b: URL | string): boolean => canonicalForm(a) === canonicalForm(b);

function canonicalForm(address: URL | string): string {
  const text = typeof address === 'string' ? address.trim() : address.href;
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, '');
}

export function operationUrl(baseUrl: URL, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${baseUrl.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  return url;
}

function withoutPassword(text: string): string {
  return text.replace(/^([^/?#]*\/\/)?[^/?#]*@/, '$1…@');
}

/** Whether the URL points to this machine. Includes subdomains of `localhost`, which a proxy would resolve to itself. */
export function pointsToThisMachine({ hostname }: URL): boolean {
  const host = hostname.replace(/\.$/, '');
  return isLoopback(host) || host.endsWith('.localhost');
}

export interface ServiceProxy {
  /** An `http:` or `https:` URL. It may contain a user name and password, which are never shown. */
  readonly url: URL;
  /** The environment variable or setting that contains the URL. */
  readonly setBy: string;
}

const proxyName = ({ url, setBy }: ServiceProxy): string => `${url.host} (${setBy})`;

export class ProxyFailure extends NamedError {
  readonly httpStatus: number | null;

  constructor(httpStatus: number | null, options?: ErrorOptions) {
    super(httpStatus === null ? 'The proxy did not respond.' : `The proxy returned HTTP ${httpStatus}.`, options);
    this.httpStatus = httpStatus;
  }
}

export const isHeaderName = (text: string): boolean => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(text);

/** Whether an API key can be sent in a header unchanged: it must be ASCII without spaces. */
export const isKeyText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

interface FailureContext {
  readonly baseUrl: URL;
  readonly proxy: ServiceProxy | null;
  readonly timeoutMs: number;
  readonly isCancelled: boolean;
  readonly isLate: boolean;
}

const certificateCode =
  /^(?:ERR_TLS_CERT|CERT_|CRL_|ERROR_IN_C|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|HOSTNAME_MISMATCH)/;

export const isCertificateCode = (code: string | null): boolean => code !== null && certificateCode.test(code);

/** We compare codes, because importing undici's error classes would load undici too early. */
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
  const cause = proxyFailure?.cause ?? error;
  const code = codeOf(cause);
  const details = { code, cause: safeCause(cause) };
  if (context.isCancelled) return new CancelledError('The request was cancelled.', details);
  const via = proxy === null ? '' : ` through the proxy ${proxyName(proxy)}`;
  if (context.isLate || timeoutCodes.has(code ?? '')) {
    return new ServiceTimeoutError(
      {
        what: `The service at ${host} did not respond${via} within ${Math.round(context.timeoutMs / 1000)} seconds.`,
        advice: null,
        consequence: dataKeptClause,
      },
      details,
    );
  }
  if (proxyFailure !== null && proxy !== null) return toProxyError(proxyFailure, proxy, context, details);
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
        consequence: dataKeptClause,
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
      consequence: dataKeptClause,
    },
    details,
  );
}

function toProxyError(
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
  ): UnreachableError => new UnreachableError({ what, advice, consequence: dataKeptClause }, details);
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
