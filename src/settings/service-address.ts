import { BlockList, isIP } from 'node:net';
import { nearestWord } from '../lib/text.ts';
import {
  isHeaderName,
  parseBaseUrl,
  pointsToThisMachine,
  type ServiceProxy,
  UnusableBaseUrlError,
} from '../service/connection.ts';
import { defaultKeyHeader } from '../service/port.ts';
import type { Environment } from '../system/environment.ts';
import { orUsageError, UsageError } from './errors.ts';

/** A known deployment of the service. */
interface Profile {
  readonly profile: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly header: string;
  /** How to get a key from the service's pages, as a sentence. */
  readonly keyHint: string;
  /** The page for accounts and keys, an http or https address. */
  readonly page: string;
}

export const profiles: readonly Profile[] = [
  {
    profile: 'track123',
    name: 'Track123',
    baseUrl: 'https://api.track123.com/gateway/open-api',
    header: 'Track123-Api-Secret',
    keyHint: 'The key is in the admin portal, under Developers, API.',
    page: 'https://www.track123.com',
  },
];

export const profileNames: readonly string[] = profiles.map(({ profile }) => profile);

/**
 * Returns the deployment with this name. Throws a {@link UsageError} that names the nearest one, or all, if there is
 * none.
 */
export function profileNamed(name: string): Profile {
  const profile = knownProfile(name);
  if (profile !== null) return profile;
  const nearest = nearestWord(name, profileNames);
  const advice = nearest === null ? `known profiles: ${profileNames.join(', ')}.` : `did you mean ${nearest}?`;
  throw new UsageError(`The profile "${name}" is not known; ${advice}`);
}

export const knownProfile = (name: string): Profile | null => profiles.find(({ profile }) => profile === name) ?? null;

/** Parses a gateway address. Throws a {@link UsageError} if it cannot be used. */
export const usableBaseUrl = (text: string): URL => orUsageError(UnusableBaseUrlError, () => parseBaseUrl(text));

/** Returns a valid header name unchanged. Throws a {@link UsageError} if it is not valid. */
export function usableHeader(name: string): string {
  if (isHeaderName(name)) return name;
  throw new UsageError(`"${name}" is not a valid header name; the default is ${defaultKeyHeader}.`);
}

type ProxyChoice =
  /** `why`: what exempts the address from the proxy, such as `NO_PROXY`, or null if no proxy is set. */
  | { readonly kind: 'direct'; readonly why: string | null }
  | { readonly kind: 'proxy'; readonly proxy: ServiceProxy }
  /** Names the variable and never its value, which may contain a password. */
  | { readonly kind: 'unusable'; readonly setBy: string; readonly message: string };

/**
 * Chooses the proxy of a base URL from the usual variables: `HTTPS_PROXY`, or `HTTP_PROXY` if that is not set (as npm
 * and Node do), unless `NO_PROXY` names the host. The lower-case spelling takes precedence. This machine is always
 * reached directly.
 */
export function chooseProxy(baseUrl: URL | null, environment: Environment): ProxyChoice {
  const proxyVariable = findVariable(environment, 'HTTPS_PROXY') ?? findVariable(environment, 'HTTP_PROXY');
  if (baseUrl === null || proxyVariable === null) return { kind: 'direct', why: null };
  if (pointsToThisMachine(baseUrl)) return { kind: 'direct', why: 'this machine' };
  const exceptions = findVariable(environment, 'NO_PROXY');
  if (exceptions !== null && isExcepted(baseUrl, exceptions.value)) return { kind: 'direct', why: exceptions.name };
  const url = parseProxyUrl(proxyVariable.value);
  return url === null
    ? {
        kind: 'unusable',
        setBy: proxyVariable.name,
        message: `${proxyVariable.name} is not a valid proxy address. Write it as http://HOST:PORT, or add ${baseUrl.hostname} to NO_PROXY.`,
      }
    : { kind: 'proxy', proxy: { url, setBy: proxyVariable.name } };
}

/**
 * Returns the proxy to use, or null to reach the service directly. Throws a {@link UsageError} if the proxy cannot be
 * used.
 */
export function proxyInUse(choice: ProxyChoice): ServiceProxy | null {
  if (choice.kind === 'unusable') throw new UsageError(choice.message);
  return choice.kind === 'proxy' ? choice.proxy : null;
}

export function describeProxy(choice: ProxyChoice): { readonly value: string; readonly source: string } {
  switch (choice.kind) {
    case 'direct':
      return { value: 'none', source: choice.why ?? 'default' };
    case 'proxy': {
      const { url, setBy } = choice.proxy;
      return { value: `${url.protocol}//${url.host}${url.username === '' ? '' : ', with a user name'}`, source: setBy };
    }
    case 'unusable':
      return { value: 'cannot be used', source: choice.setBy };
  }
}

function findVariable(
  environment: Environment,
  name: string,
): { readonly name: string; readonly value: string } | null {
  for (const spelling of [name.toLowerCase(), name]) {
    // An empty variable counts as not set, as in shells.
    const value = environment[spelling]?.trim() ?? '';
    if (value !== '') return { name: spelling, value };
  }
  return null;
}

/** An address without a scheme is an HTTP address, as in other programs. */
function parseProxyUrl(text: string): URL | null {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  return isDecodable(url.username) && isDecodable(url.password) ? url : null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    // A URIError: an invalid percent sequence.
    return false;
  }
}

/**
 * Whether a `NO_PROXY` list contains the host of a URL. An entry is `*`, a name and its subdomains (also written
 * `.name`), only its subdomains (`*.name`) or an address, each with an optional port, or a network (`10.0.0.0/8`).
 */
function isExcepted(url: URL, list: string): boolean {
  const host = normaliseHost(url.hostname);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return list.split(/[\s,]+/).some((entry) => {
    if (entry.includes('/')) return isInNetwork(host, entry);
    const { name, port: entryPort } = splitPort(entry);
    return (entryPort === undefined || entryPort === port) && matchesHost(host, normaliseHost(name));
  });
}

/** An IPv6 address contains colons, so a port can follow only after its brackets. */
function splitPort(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, name, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  return { name: name ?? entry, port };
}

function matchesHost(host: string, name: string): boolean {
  if (name === '*') return true;
  if (isIP(host) !== 0) return isInNetwork(host, `${name}/${isIP(host) === 4 ? 32 : 128}`);
  const suffix = name.replace(/^\*?\./, '');
  return suffix !== '' && ((host === suffix && !name.startsWith('*')) || host.endsWith(`.${suffix}`));
}

/** Returns a host in lower case, without the brackets of an address and the final dot of a full name. */
function normaliseHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=.)\.$/, '');
}

function isInNetwork(host: string, network: string): boolean {
  const family = isIP(host);
  const [, address = '', bits = ''] = /^\[?([^\]/]+)\]?\/(\d{1,3})$/.exec(network) ?? [];
  if (family === 0 || isIP(address) !== family || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const networks = new BlockList();
  networks.addSubnet(address, Number(bits), type);
  return networks.check(host, type);
}
