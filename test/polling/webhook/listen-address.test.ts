import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exposureWarning,
  formatHostPort,
  parseHostPort,
  UnusableListenAddressError,
} from '../../../src/polling/webhook/callers.ts';
import { forAll } from '../../support/for-all.ts';

describe('openToOthers', () => {
  it.each(['127.0.0.1:8787', '127.8.0.1:1', '[::1]:8787'])('does not warn about %s', (address) => {
    expect(exposureWarning(address)).toBeNull();
  });

  it.each(['0.0.0.0:8787', '[::]:8787', '192.0.2.7:80', '[::ffff:0.0.0.0]:80'])('warns about %s', (address) => {
    expect(exposureWarning(address)).toContain(`reach ${address} can call the webhook receiver over plain HTTP`);
  });
});

describe('an address to listen on', () => {
  it.each([
    ['8787', '127.0.0.1', 8787],
    [':8787', '127.0.0.1', 8787],
    ['0', '127.0.0.1', 0],
    ['0.0.0.0:8787', '0.0.0.0', 8787],
    ['192.168.1.10:65535', '192.168.1.10', 65_535],
    ['[::1]:8787', '::1', 8787],
    ['[::]:8787', '::', 8787],
    ['localhost:8787', 'localhost', 8787],
    ['my-host.example:80', 'my-host.example', 80],
    [' 8787 ', '127.0.0.1', 8787],
  ])('parses %s as %s, port %i', (text, host, port) => expect(parseHostPort(text)).toEqual({ host, port }));

  it.each([
    '',
    'localhost',
    '65536',
    '99999',
    '-1',
    '80.5',
    '::1:8787',
    '[::1]',
    '[nonsense]:80',
    'http://host:80',
    '*:80',
    'a b:80',
    '0.0.0.0:',
    '[]:80',
  ])('rejects "%s"', (text) => expect(() => parseHostPort(text)).toThrow(UnusableListenAddressError));

  it('defaults to loopback', () =>
    forAll(fc.nat(65_535), fc.constantFrom('', ':'), (port, colon) => {
      expect(parseHostPort(`${colon}${port}`)).toEqual({ host: '127.0.0.1', port });
    }));

  it('formats an address as it is parsed', () =>
    forAll(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(65_535), (host, port) => {
      const address = { host, port };
      expect(parseHostPort(formatHostPort(address))).toEqual(address);
    }));
});
