import { expect, it } from 'vitest';
import { systemText } from '../../src/lib/error-text.ts';

it.each([
  ['EACCES', ': permission denied (EACCES)'],
  ['ECONNREFUSED', ': nothing is listening there (ECONNREFUSED)'],
  ['ENOTFOUND', ': the host is unknown (ENOTFOUND)'],
  ['EHOSTUNREACH', ': there is no route to it (EHOSTUNREACH)'],
  ['SELF_SIGNED_CERT_IN_CHAIN', ': its CA is not trusted on this machine (SELF_SIGNED_CERT_IN_CHAIN)'],
  ['EWHATEVER', ' (EWHATEVER)'],
  ['constructor', ' (constructor)'],
  [null, ''],
])('explains %s, followed by the code', (code, text) => expect(systemText(code)).toBe(text));
