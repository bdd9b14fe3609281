import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCliUser } from '../../support/cli-user.ts';
import { createTestDatabase } from '../../support/postgres/test-server.ts';
import { json, startScriptedServer } from '../../support/scripted-server.ts';
import { createSkippingClock } from '../../support/skipping-clock.ts';

const dayMs = 86_400_000;
const envelope = (data: unknown) => ({ code: '00000', msg: 'Success', traceId: 'c'.repeat(32), data });

/** A zone in which it is about noon. */
function noonZone(now: number): string {
  const hours = 12 - new Date(now).getUTCHours();
  return hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

it("uses the database's clock for shared times even if the local clock is days ahead", async () => {
  const database = await createTestDatabase();
  const [row] = await database.query<{ now: number }>('select (extract(epoch from now()) * 1000)::float8 as now');
  const now = row?.now ?? 0;
  const earlier = now - 3_600_000;
  const onServiceClock = new Date(earlier + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const record = {
    trackNo: 'QQ12345',
    createTime: onServiceClock,
    transitStatus: 'IN_TRANSIT',
    localLogisticsInfo: {
      courierCode: 'postnl',
      trackingDetails: [{ eventDetail: 'Sorted', eventTimeZeroUTC: new Date(earlier).toISOString() }],
    },
  };
  const unknown = { index: 0, trackNo: 'AB12345', error: { code: 'A0400', msg: 'trackNo not registered' } };
  const server = await startScriptedServer((request, response) => {
    const content = request.body.includes('AB12345') ? [] : [record];
    const rejected = content.length === 0 ? [unknown] : [];
    const data = request.path.endsWith('query')
      ? { accepted: { content, totalPages: '1', currentPage: '1' }, rejected }
      : { accepted: [{ trackNo: 'AB12345', courierCode: 'yanwen' }], rejected: [] };
    json(envelope(data))(request, response);
  });
  onTestFinished(() => server.close());
  const user = await createCliUser({
    clock: createSkippingClock(now + 3 * dayMs - Date.now()),
    environment: {
      PARCEL_MONITOR_STORE: database.address,
      PARCEL_MONITOR_BASE_URL: server.baseUrl.href,
      PARCEL_MONITOR_API_KEY: 'a-key',
      PARCEL_MONITOR_ZONE: noonZone(now),
    },
  });
  onTestFinished(() => user.remove());

  expect(await user.run(['add', 'AB12345', '@yanwen'])).toMatchObject({ exitCode: 0 });
  expect((await user.run(['refresh', 'AB12345'])).stderr).toMatch(/Next check: \d\d:\d\d\. Run/);
  expect((await user.run(['import', '--from-account', '--yes'])).stdout).toMatch(/QQ12345.* \d\d:\d\d$/m);

  const file = join(user.home, 'parcels.csv');
  await writeFile(file, 'trackNo,state\nRB100000005CN,archived\n');
  expect(await user.run(['import', file])).toMatchObject({ exitCode: 0 });
  const exported = JSON.parse((await user.run(['export', '--format', 'json', '--all'])).stdout);
  const archived = exported.parcels.find(({ trackNo }: { trackNo: string }) => trackNo === 'RB100000005CN');
  expect(Math.abs(Date.parse(archived.archivedAt) - now)).toBeLessThan(dayMs);

  const { stdout } = await user.run(['watch', '--once', '--json', '--since', '1']);
  const lines = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  expect(lines.find(({ trackNo }) => trackNo === 'QQ12345')?.parcel).toMatchObject({ stayDays: 0 });
});
