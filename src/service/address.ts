import { NamedError } from '../lib/error-text.ts';

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

export const isSameAddress = (one: URL | string, other: URL | string): boolean =>
  canonicalForm(one) === canonicalForm(other);

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
  /** The environment variable or setting that the URL is from. */
  readonly setBy: string;
}

export function proxyName({ url, setBy }: ServiceProxy): string {
  return `${url.host} (${setBy})`;
}

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
