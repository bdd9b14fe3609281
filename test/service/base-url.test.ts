import { describe, expect, test } from 'vitest';
import { operationUrl, parseBaseUrl, UnusableBaseUrlError } from '../../src/service/base-url.ts';

describe('parseBaseUrl', () => {
  test.each([
    'https://api.example.com/gateway/open-api',
    'http://127.0.0.1:8080',
    'http://localhost:1/x',
    'http://[::1]:9',
  ])('%s is fine', (text) => {
    expect(parseBaseUrl(text).href).toContain(text.replace(/\/$/, ''));
  });

  test.each([
    ['http://api.example.com', /Plain http to api\.example\.com is refused/],
    ['http://127.0.0.1.evil.example', /Plain http/],
    ['ftp://api.example.com', /must begin with https/],
    ['api.example.com', /is no URL/],
    ['https://me:secret@api.example.com', /user name or password/],
    ['https://api.example.com/?key=1', /query/],
  ])('%s is refused with a reason', (text, reason) => {
    expect(() => parseBaseUrl(text)).toThrow(UnusableBaseUrlError);
    expect(() => parseBaseUrl(text)).toThrow(reason);
  });

  test('paths are joined with one slash', () => {
    expect(operationUrl(parseBaseUrl('https://h.example/gateway/'), '/tk/v2/x').href).toBe(
      'https://h.example/gateway/tk/v2/x',
    );
    expect(operationUrl(parseBaseUrl('https://h.example'), '/tk/v2/x').href).toBe('https://h.example/tk/v2/x');
  });
});
