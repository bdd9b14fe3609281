import { describe, expect, test } from 'vitest';
import { isSameAddress, operationUrl, parseBaseUrl, UnusableBaseUrlError } from '../../src/service/connection.ts';

describe('parseBaseUrl', () => {
  test.each([
    'https://api.example.com/gateway/open-api',
    'http://127.0.0.1:8080',
    'http://localhost:1/x',
    'http://[::1]:9',
  ])('accepts %s', (text) => expect(parseBaseUrl(text).href).toContain(text.replace(/\/$/, '')));

  test.each([
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://127.0.0.1./',
    'http://127.255.255.254/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://LocalHost/',
  ])('recognises %s as this machine', (text) => expect(parseBaseUrl(text).protocol).toBe('http:'));

  test.each([
    // The first two names are resolved by the network.
    'http://sub.localhost:8080',
    'http://localhost.:8080',
    'http://localhost.example.com',
    'http://notlocalhost',
    'http://127.0.0.1@evil.example',
    'http://evil.example#@localhost',
    'http://evil.example\\@localhost',
    'http://localhost%2eevil.example',
    'http://0.0.0.0:8080',
    'http://128.0.0.1',
    'http://[::ffff:8.8.8.8]',
    'http://[::ffff:a7f:1]',
    'http://[::2]',
    'http://[fe80::1]',
  ])('refuses %s, which would expose the key', (text) => expect(() => parseBaseUrl(text)).toThrow(/Plain HTTP/));

  test.each([
    ['http://api.example.com', /Plain HTTP to api\.example\.com is refused/],
    ['http://127.0.0.1.evil.example', /Plain HTTP/],
    ['ftp://api.example.com', /must begin with https/],
    ['api.example.com', /is not a URL/],
    ['https://me:secret@api.example.com', /user name or password/],
    ['https://api.example.com/?key=1', /query/],
  ])('refuses %s with a reason', (text, reason) => {
    expect(() => parseBaseUrl(text)).toThrow(UnusableBaseUrlError);
    expect(() => parseBaseUrl(text)).toThrow(reason);
  });

  test.each(['https://me:secret@h.example:99999/x', 'https://me:sec%ret@h ost/x', 'https://m@e:secret@h:x'])(
    'shows an invalid URL without its password: %s',
    (text) => {
      expect(() => parseBaseUrl(text)).toThrow(/is not a URL/);
      expect(() => parseBaseUrl(text)).not.toThrow(/sec/);
    },
  );

  test('joins paths with a single slash', () => {
    expect(operationUrl(parseBaseUrl('https://h.example/gateway/'), '/tk/v2/x').href).toBe(
      'https://h.example/gateway/tk/v2/x',
    );
    expect(operationUrl(parseBaseUrl('https://h.example'), '/tk/v2/x').href).toBe('https://h.example/tk/v2/x');
  });
});

describe('isSameAddress', () => {
  test.each([
    ['https://api.example.com/open', 'https://API.example.com:443/open/'],
    ['http://127.0.0.1:8112', 'http://127.0.0.1:8112/'],
    ['http://localhost:80//', 'http://localhost'],
  ])('treats %s and %s as the same address', (first, second) => {
    expect(isSameAddress(first, second)).toBe(true);
    expect(isSameAddress(parseBaseUrl(first), second)).toBe(true);
    // Data saved for one address is found for the other.
    expect(parseBaseUrl(first).href).toBe(parseBaseUrl(second).href);
  });

  test.each([
    ['https://api.example.com/open', 'https://api.example.com/Open'],
    ['https://api.example.com', 'https://api.example.com:8443'],
    ['https://localhost', 'http://localhost'],
    ['not an address', 'https://localhost'],
  ])('tells %s and %s apart', (first, second) => expect(isSameAddress(first, second)).toBe(false));
});
