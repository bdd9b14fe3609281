import { expect, it } from 'vitest';
import { versionCheck } from '../../../src/settings/doctor/database-checks.ts';

it.each([
  ['PostgreSQL 18.4', 'ok'],
  ['PostgreSQL 13.23 (Debian 13.23-0)', 'ok'],
  ['PostgreSQL 12.22 (Debian 12.22-1)', 'warn'],
  ['PostgreSQL 9.6.24', 'warn'],
  ['CockroachDB CCL v24.1.0', 'ok'],
  [null, 'ok'],
])('doctor reads the server version %s as %s', (version, status) => {
  const check = versionCheck(version);
  expect(check.status).toBe(status);
  if (status === 'warn') expect(check.advice).toContain('PostgreSQL 13 and newer');
});
