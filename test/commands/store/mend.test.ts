import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';

it('rows that cannot be used are named by doctor, moved aside by store mend, and nothing else is', async () => {
  const database = await createTestDatabase();
  const user = await createCliUser({ environment: { PARCEL_MONITOR_STORE: database.address } });
  onTestFinished(() => user.remove());
  expect(await user.run(['add', 'RB100000005CN', 'LX123456789CN', '1Z999AA10123456784'])).toMatchObject({
    exitCode: 0,
  });
  expect(await user.run(['remove', 'LX123456789CN'])).toMatchObject({ exitCode: 0 });
  expect((await user.run(['store', 'mend'])).stderr).toContain('All rows can be used');
  expect((await user.run(['doctor', '--offline'])).stdout).toMatch(/^ok {4}damaged rows +none$/m);

  const [row] = await database.query<{ id: string }>(
    "update parcel_monitor.parcel set body = '[7]' where number_key = 'RB100000005CN' returning id",
  );
  await database.query(`update parcel_monitor.removed set body = '"odd"'`);
  expect((await user.run(['list'])).stderr).toContain('"parcel-monitor store mend" moves it aside');
  expect((await user.run(['doctor', '--offline'])).stdout).toMatch(
    /^warn {2}damaged rows +2 cannot be used .*\n.*\n +Run: parcel-monitor store mend$/m,
  );

  // A copy compares what can be used: it says what it does without.
  const leftOut = expect.stringContaining('2 rows cannot be used and are no part of the copy');
  expect(await user.run(['store', 'copy', 'file', '--dry-run'])).toMatchObject({ exitCode: 0, stderr: leftOut });
  const copied = await user.run(['store', 'copy', 'file', '--json']);
  expect(copied).toMatchObject({ exitCode: 0, stderr: leftOut });
  expect(JSON.parse(copied.stdout)).toMatchObject({ copied: { parcels: { count: 1 }, trash: { count: 0 } } });

  const mended = await user.run(['store', 'mend']);
  expect(mended).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Take out by hand what you need') });
  expect(mended.stdout).toContain(`parcel ${row?.id}  moved aside`);
  const folder = join(user.home, '.local/share/parcel-monitor');
  const [kept = ''] = (await readdir(folder)).filter((name) => name.startsWith('database-rows.damaged-'));
  expect(JSON.parse(await readFile(join(folder, kept), 'utf8'))).toMatchObject([
    { table: 'parcel', id: row?.id, body: '[7]' },
    { table: 'removed', body: '"odd"' },
  ]);
  expect((await user.run(['list'])).stdout).toContain('1Z999AA10123456784');
  expect((await user.run(['store', 'mend'])).stderr).toContain('nothing was changed');
  expect((await user.run(['store'])).stdout).toMatch(/^parcels {5}1, 0 more in the trash$/m);
});
