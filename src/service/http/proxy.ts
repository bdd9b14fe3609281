import { NamedError } from '../failures/named-error.ts';

/** The proxy through which calls go. */
export interface ServiceProxy {
  /** `http:` or `https:`, perhaps with user name and password, which are never shown. */
  readonly url: URL;
  /** What sets it, as a user can look for it: `HTTPS_PROXY`. */
  readonly setBy: string;
}

/** How a proxy is called in a sentence, without its user name and password: `proxy.example:3128 (HTTPS_PROXY)`. */
export function proxyName({ url, setBy }: ServiceProxy): string {
  return `${url.host} (${setBy})`;
}

/** The proxy itself failed, before anything was sent to the service. */
export class ProxyFailure extends NamedError {
  /** What it answered instead of a connection; null when it gave no answer. */
  readonly httpStatus: number | null;

  constructor(httpStatus: number | null, options?: ErrorOptions) {
    super(httpStatus === null ? 'The proxy gave no answer.' : `The proxy answered ${httpStatus}.`, options);
    this.httpStatus = httpStatus;
  }
}
