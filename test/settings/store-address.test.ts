import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { UsageError } from '../../src/settings/errors.ts';
import { parseStoreAddress, redactedStoreAddress } from '../../src/settings/store-address.ts';
import { forAll } from '../support/for-all.ts';

const environment = { USER: 'ann' };
const errorFor = (text: string): string => {
  try {
    parseStoreAddress(text, environment);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'no error';
};

describe("a database's address", () => {
  it.each([
    ['postgres://nas/parcels', { host: 'nas', port: 5432, database: 'parcels', user: 'ann', tls: 'verified' }],
    ['postgresql://bob@nas:6000/p', { host: 'nas', port: 6000, database: 'p', user: 'bob', tls: 'verified' }],
    ['postgres://bob:a%20b@nas/p', { user: 'bob', password: 'a b', place: 'postgres://bob@nas/p' }],
    ['postgres://bob:a@b@nas/p', { user: 'bob', password: 'a@b', host: 'nas' }],
    ['postgres://nas/p/', { database: 'p' }],
    ['postgres://nas/p?sslmode=verify-full', { tls: 'verified' }],
    ['postgres://nas/p?sslrootcert=/etc/nas.crt', { tls: 'verified', rootCertificate: '/etc/nas.crt' }],
    ['postgres://nas/p?sslrootcert=system', { tls: 'verified', rootCertificate: null }],
    ['postgres://localhost/p', { tls: 'none' }],
    ['postgres://127.0.0.2/p', { tls: 'none' }],
    ['postgres://127.999.0.1/p', { tls: 'verified' }],
    ['postgres://127.0.0.1.example.com/p', { tls: 'verified' }],
    ['postgres://localhost/p?host=nas', { host: 'nas', tls: 'verified' }],
    ['postgres://localhost/p?sslmode=require', { tls: 'encrypted' }],
    ['postgres://localhost/p?sslmode=verify-full', { tls: 'verified' }],
    ['postgres://[::1]:6000/p', { host: '::1', port: 6000, tls: 'none', place: 'postgres://ann@[::1]:6000/p' }],
    ['postgres://[fe80::2]/p', { host: 'fe80::2', tls: 'verified' }],
    [
      'postgres:///p?host=/run/postgresql',
      { host: '/run/postgresql', tls: 'none', place: 'postgres://ann@/p?host=/run/postgresql' },
    ],
    ['postgres://%2Frun%2Fpostgresql/p', { host: '/run/postgresql' }],
    [' postgres://nas/p ', { host: 'nas' }],
    ['POSTGRES://nas/p', { host: 'nas' }],
  ])('is parsed: %s', (text, expected) => expect(parseStoreAddress(text, environment)).toMatchObject(expected));

  it('uses the same default user as PostgreSQL’s programs', () => {
    expect(parseStoreAddress('postgres://nas/p', { PGUSER: 'eve', USER: 'ann' }).user).toBe('eve');
    expect(() => parseStoreAddress('postgres://nas/p', {})).toThrow(
      'has no user. The nearest is postgres://user@nas/p.',
    );
  });

  it.each([
    ['nas/parcels', 'The nearest is postgres://nas/parcels.'],
    ['./parcels', 'The nearest is'],
    ['postgres:nas/parcels', 'The nearest is postgres://nas/parcels.'],
    ['postgres:/nas/parcels', 'The nearest is postgres://nas/parcels.'],
    ['http://bob@nas:6000/p', 'The nearest is postgres://bob@nas:6000/p.'],
    ['mysql://nas/p', 'The nearest is postgres://nas/p.'],
    ['postgres://nas', 'has no database. The nearest is postgres://nas/parcels.'],
    ['postgres:///p', 'has no host. The nearest is postgres://localhost/p.'],
    ['postgres://nas/p/q', 'path in the store address must be a database name. The nearest is postgres://nas/p.'],
    ['postgres://nas:p/q', 'must be a number from 1 to 65535'],
    ['postgres://nas:70000/q', 'must be a number from 1 to 65535'],
    ['postgres://a,b/q', 'has several hosts'],
    ['postgres://nas/p?sslmode=require', 'Leave "sslmode" out or write verify-full'],
    ['postgres://nas/p?sslmode=disable', 'The nearest is postgres://ann@nas/p.'],
    ['postgres://nas/p?sslmode=verify_full', 'The nearest is verify-full.'],
    ['postgres://nas/p?sslmod=disable', '"sslmod" in the store address is not known; the closest match is "sslmode".'],
    ['postgres://nas/p?sslrootcert=ca.crt', 'must be an absolute path'],
    ['postgres://nas/p?user=a&user=b', '"user" appears twice'],
    ['postgres://bob:%zz@nas/p', 'written as "%25"'],
    ['postgres://nas/p%00', 'control characters'],
    ['file:///var/parcels', 'A store is "file" or an address such as postgres://user@host/database.'],
  ])('is refused with advice: %s', (text, message) => expect(errorFor(text)).toContain(message));

  const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/);

  test('can be parsed from the form in which it is displayed, without its password', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
      .filter((text) => !/[\p{C}\s/]/u.test(text));
    forAll(name, name, word, fc.integer({ min: 1, max: 65_535 }), name, (user, password, host, port, database) => {
      const part = encodeURIComponent;
      const address = parseStoreAddress(`postgres://${part(user)}:${part(password)}@${host}:${port}/${part(database)}`);
      expect(address).toMatchObject({ user, password, host, port, database });
      expect(parseStoreAddress(address.place)).toEqual({ ...address, password: null });
    });
  });

  test('is never shown with its password, however odd', () => {
    const odd = fc.string({ maxLength: 10 });
    forAll(
      fc.constantFrom('', 'postgres://', 'postgres:', 'http://', '//', 'pg:/'),
      odd,
      fc.constantFrom('@nas', '@nas/p', '@', '@nas:x/p', '@nas/p?x=1', '@nas/p?sslmode=disable', '@/p', '@a,b/p'),
      (scheme, noise, rest) => {
        const text = `${scheme}bob:${noise}SECRET${noise}${rest}`;
        expect(errorFor(text)).not.toContain('SECRET');
        expect(redactedStoreAddress(text) ?? '').not.toContain('SECRET');
      },
    );
  });

  test('is parsed from any text, or causes a usage error', () =>
    forAll(fc.string({ maxLength: 200 }), (text) => {
      errorFor(text);
      errorFor(`postgres://${text}`);
    }));
});
