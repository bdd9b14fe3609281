import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/test-server.ts';
import { startTlsFront } from '../../support/postgres/tls-front.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}.pem`, import.meta.url));
const ownCertificate = 'self-signed-for-tests-only';
const otherCertificate = 'self-signed-service-for-tests-only';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** Runs `store` on the database, which presents this certificate (or none), and trusts only this authority. */
async function store(certificate: string | null, authority: string, host = 'localhost') {
  const user = await createCliUser();
  onTestFinished(() => user.remove());
  const address = new URL(database.address);
  address.hostname = host;
  if (certificate !== null) {
    const [cert, key] = ['cert', 'key'].map((kind) => readFileSync(pathOf(`${certificate}.${kind}`), 'utf8'));
    const front = await startTlsFront(database.address, { cert: cert ?? '', key: key ?? '' });
    onTestFinished(() => front.close());
    address.port = String(front.port);
  }
  address.searchParams.set('sslrootcert', pathOf(`${authority}.cert`));
  const { exitCode, stderr, stdout } = await user.run(['store'], {
    environment: { PARCEL_MONITOR_STORE: address.href },
  });
  return { exitCode, output: stdout + stderr };
}

describe('a database with a certificate', () => {
  it('is accepted if the address names its certificate authority', async () => {
    const { exitCode, output } = await store(ownCertificate, ownCertificate);
    expect(output).toMatch(/^server +PostgreSQL/m);
    expect(exitCode).toBe(0);
  });

  it.each([
    [
      'is from a different authority',
      ownCertificate,
      otherCertificate,
      'localhost',
      /untrusted certificate: .* "\?sslrootcert=FILE"/,
    ],
    // An address of this machine that is not in the certificates.
    [
      'is for a different host name',
      ownCertificate,
      ownCertificate,
      '0.0.0.0',
      /for a different host name\. Use that name in the address/,
    ],
    ['is missing', null, ownCertificate, 'localhost', /does not support TLS/],
  ])('is refused if its certificate %s', async (_, certificate, authority, host, message) => {
    expect(await store(certificate, authority, host)).toEqual({ exitCode: 1, output: expect.stringMatching(message) });
  });
});
