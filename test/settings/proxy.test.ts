import { describe, expect, it } from 'vitest';
import { chooseProxy, describeProxy, proxyInUse } from '../../src/settings/service-address.ts';

const service = new URL('https://api.example.com/gateway');
const proxy = 'http://proxy.example:3128';

const choose = (environment: Readonly<Record<string, string>>, baseUrl: URL | null = service) =>
  chooseProxy(baseUrl, environment);
const proxyFor = (environment: Readonly<Record<string, string>>, baseUrl: URL | null = service): string => {
  const { value, source } = describeProxy(choose(environment, baseUrl));
  return `${value} (${source})`;
};

describe('the proxy to a base URL', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['none is set', {}, 'none (default)'],
    ['for https', { HTTPS_PROXY: proxy }, 'http://proxy.example:3128 (HTTPS_PROXY)'],
    ['in lower case', { https_proxy: proxy }, 'http://proxy.example:3128 (https_proxy)'],
    ['lower case takes precedence', { https_proxy: 'a:1', HTTPS_PROXY: 'b:2' }, 'http://a:1 (https_proxy)'],
    ['an empty variable counts as not set', { https_proxy: ' ', HTTPS_PROXY: 'b:2' }, 'http://b:2 (HTTPS_PROXY)'],
    ['for http only', { HTTP_PROXY: proxy }, 'http://proxy.example:3128 (HTTP_PROXY)'],
    ['for both', { http_proxy: 'a:1', HTTPS_PROXY: 'b:2' }, 'http://b:2 (HTTPS_PROXY)'],
    ['over TLS', { HTTPS_PROXY: 'https://proxy.example/' }, 'https://proxy.example (HTTPS_PROXY)'],
    ['with a password', { HTTPS_PROXY: 'http://me:secret@p:1' }, 'http://p:1, with a user name (HTTPS_PROXY)'],
    ['with an exception', { HTTPS_PROXY: proxy, NO_PROXY: 'x.org,api.example.com' }, 'none (NO_PROXY)'],
    [
      'with an exception for a different host',
      { HTTPS_PROXY: proxy, no_proxy: 'x.org', NO_PROXY: '*' },
      `${proxy} (HTTPS_PROXY)`,
    ],
  ])('is chosen from the environment: %s', (_name, environment, expected) =>
    expect(proxyFor(environment)).toBe(expected),
  );

  it.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'https://127.9.9.9/x',
    'https://localhost',
    'https://localhost./x',
    'https://sub.localhost:8443',
  ])('is never used for this machine: %s', (baseUrl) => {
    for (const HTTPS_PROXY of [proxy, 'nonsense://x']) {
      const environment = { HTTPS_PROXY, HTTP_PROXY: HTTPS_PROXY, https_proxy: HTTPS_PROXY, http_proxy: HTTPS_PROXY };
      expect(proxyFor(environment, new URL(baseUrl))).toBe('none (this machine)');
    }
  });

  it.each([
    'socks5://me:secret@p:1',
    'http://me:secret@p:99999',
    'http://me:secret%zz@p:1',
    'http://',
    'ftp://me:secret@p',
    'me:secret@:',
  ])('causes a usage error if it cannot be used, without showing its value: %s', (HTTPS_PROXY) => {
    const choice = choose({ HTTPS_PROXY });
    expect(choice).toMatchObject({ kind: 'unusable', setBy: 'HTTPS_PROXY' });
    expect(() => proxyInUse(choice)).toThrow(
      /^HTTPS_PROXY is not a valid proxy address.* api\.example\.com to NO_PROXY\.$/,
    );
    expect(JSON.stringify(choice) + proxyFor({ HTTPS_PROXY })).not.toContain('secret');
  });

  it('is ignored if it is invalid but not used', () => {
    expect(proxyFor({ HTTPS_PROXY: 'socks5://p:1', NO_PROXY: '*' })).toBe('none (NO_PROXY)');
    expect(proxyFor({ HTTPS_PROXY: 'socks5://p:1' }, null)).toBe('none (default)');
  });
});

describe('NO_PROXY', () => {
  const isExcluded = (baseUrl: string, list: string): boolean =>
    proxyFor({ HTTPS_PROXY: proxy, NO_PROXY: list }, new URL(baseUrl)) === 'none (NO_PROXY)';

  it.each<[string, string]>([
    ['https://api.example.com', 'example.com'],
    ['https://api.example.com', '.example.com'],
    ['https://api.example.com', '*.example.com'],
    ['https://example.com', '.example.com'],
    ['https://API.example.com.', 'api.EXAMPLE.com'],
    ['https://api.example.com', 'a, *'],
    ['https://api.example.com', 'a  api.example.com.:443'],
    ['https://api.example.com:8443', 'api.example.com:8443'],
    ['https://10.1.2.3', '10.1.2.3'],
    ['https://10.1.2.3:1', '10.1.2.3:1'],
    ['https://10.1.2.3', '192.168.0.0/16,10.0.0.0/8'],
    ['https://[fd00::1]', 'FD00:0::1'],
    ['https://[fd00::1]:8443', '[fd00::1]:8443'],
    ['https://[fd00::1]', 'fd00::/8'],
  ])('excludes %s with %s', (baseUrl, list) => expect(isExcluded(baseUrl, list)).toBe(true));

  it.each<[string, string]>([
    ['https://api.example.com', 'ample.com'],
    ['https://api.example.com', 'api.example.com.evil.org'],
    ['https://example.com', '*.example.com'],
    ['https://api.example.com', 'api.example.com:8443'],
    ['https://api.example.com', ' , ,.'],
    ['https://api.example.com', '10.0.0.0/8'],
    ['https://10.1.2.3', '1.2.3'],
    ['https://10.1.2.3', '10.1.2.0/33,10.1.2.3/x,/8,fd00::/8'],
    ['https://[fd00::1]', 'fd00::2'],
    ['https://[fd00::1]:8443', '[fd00::1]:443'],
  ])('does not exclude %s with %s', (baseUrl, list) => expect(isExcluded(baseUrl, list)).toBe(false));
});
