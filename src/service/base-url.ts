/** A base URL that cannot be used; the message says what to change. */
export class UnusableBaseUrlError extends Error {
  readonly kind = 'unusable-base-url';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnusableBaseUrlError';
  }
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(hostname);

/**
 * Reads the address of the service's gateway, `{base_url}` of the interface. The key travels with every call, hence
 * plain http is refused except to a loopback address. Throws an {@link UnusableBaseUrlError}.
 */
export function parseBaseUrl(text: string): URL {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) {
    throw new UnusableBaseUrlError(
      `The base URL "${trimmed}" is no URL. Give it as https://host/path, without the /tk/… part.`,
    );
  }
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UnusableBaseUrlError(`The base URL must begin with https://, not with ${url.protocol}//.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UnusableBaseUrlError(
      `Plain http to ${url.host} is refused, because the API key would travel unprotected. Use https://${url.host}${url.pathname}.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UnusableBaseUrlError('The base URL must not hold a user name or password. The API key goes in a header.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UnusableBaseUrlError('The base URL must not hold a query ("?") or a fragment ("#").');
  }
  return url;
}

/** The URL of an operation's path below the base URL. */
export function operationUrl(baseUrl: URL, path: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${baseUrl.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  return url;
}
