import { expect, it } from 'vitest';
import { versionCheck } from '../../../src/commands/doctor/database-checks.ts';

it.each([
  ['PostgreSQL 18.4', 'ok'],
  ['PostgreSQL 15.18 (Debian 15.18-0)', 'ok'],
  ['PostgreSQL 14.23 (Debian 14.23-1)', 'warn'],
  ['PostgreSQL 9.6.24', 'warn'],
  ['CockroachDB CCL v24.1.0', 'ok'],
  [null, 'ok'],
])('doctor takes the server version %s as %s', (version, status) => {
  const check = versionCheck(version);
  expect(check.status).toBe(status);
  if (status === 'warn') expect(check.advice).toContain('PostgreSQL 15 and newer');
});
