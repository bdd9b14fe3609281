import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { minuteMs as minute } from '../../src/lib/clock.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Checkpoint } from '../../src/service/record.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { userForEachTest } from '../support/cli-user.ts';
import { realClock } from '../support/real-clock.ts';
import { checkpointOf, recordOf } from '../support/records.ts';

const user = userForEachTest();

const iso = (fromNow: number): string => new Date(realClock.now() + fromNow).toISOString();
const withStatus = (trackNo: string, transitStatus: string, fields: Partial<Parcel> = {}): Parcel =>
  parcelOf(trackNo, {
    registration: 'registered',
    record: recordOf({ transitStatus, transitSubStatus: null }),
    nextPollAt: iso(90 * minute),
    checkedAt: iso(-12.5 * minute),
    ...fields,
  });

async function saveParcels(parcels: readonly Parcel[]): Promise<void> {
  const folder = join(user.home, '.local', 'share', 'parcel-monitor');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'watchlist.json'), JSON.stringify({ version: 1, parcels }));
}

async function saveState(name: string, text: string): Promise<void> {
  const folder = join(user.home, '.local', 'state', 'parcel-monitor');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}

const meterOf = (queries: number): string =>
  JSON.stringify({ version: 1, days: { [iso(0).slice(0, 10)]: { queries } } });

/** Out for delivery since an event this far from now, in UTC. An event in the future counts as today's at any hour. */
const eventOf = (fromNow: number): Checkpoint =>
  checkpointOf('Out for delivery', iso(fromNow), { offset: '+00:00', subStatus: 'WAITING_DELIVERY_01' });

const sampleParcels: readonly Parcel[] = [
  withStatus('A1', 'ABNORMAL'),
  parcelOf('A2', { registration: 'rejected', nextPollAt: null }),
  withStatus('B1', 'OUT_FOR_DELIVERY', { lastEvent: eventOf(60 * minute) }),
  withStatus('B2', 'WAITING_DELIVERY', {
    record: recordOf({ transitStatus: 'WAITING_DELIVERY', transitSubStatus: 'WAITING_DELIVERY_02' }),
  }),
  withStatus('C1', 'IN_TRANSIT'),
  withStatus('C2', 'IN_TRANSIT', { archivedAt: iso(-minute), nextPollAt: null }),
  withStatus('D1', 'DELIVERED', { nextPollAt: null }),
];

describe('status', () => {
  it('prints one line about all watched parcels', async () => {
    await saveParcels(sampleParcels);
    const plain = { exitCode: 0, stderr: '' };
    expect(await user.run(['status'])).toEqual({ ...plain, stdout: '! 2  ▲ 1  ◆ 1  ▸ 1  ✓ 1\n' });
    expect(await user.run(['status', '--ascii'])).toEqual({ ...plain, stdout: '! 2  ^ 1  # 1  > 1  v 1\n' });
  });

  it('leaves out a snoozed parcel until its snooze ends or the parcel moves', async () => {
    const snoozed = (trackNo: string, until: string | null, fields: Partial<Parcel> = {}): Parcel =>
      withStatus(trackNo, 'ABNORMAL', { checkpointCount: 3, snoozed: { until, events: 3 }, ...fields });
    await saveParcels([
      snoozed('A1', iso(minute)),
      snoozed('A2', null),
      snoozed('B1', iso(-minute)),
      snoozed('B2', null, { checkpointCount: 4 }),
      snoozed('B3', null, { unread: { since: iso(-minute), lastRead: null } }),
      snoozed('C1', null, { archivedAt: iso(-minute), nextPollAt: null }),
    ]);
    expect((await user.run(['status'])).stdout).toBe('! 3\n');
    expect((await user.run(['status', '--format', '{attention} of {total}'])).stdout).toBe('3 of 5\n');
  });

  it('counts a cancelled, returned or lost parcel as needing attention until the user has seen it', async () => {
    const record = recordOf({ transitStatus: 'ABNORMAL', transitSubStatus: 'ABNORMAL_04' });
    const unread = { since: iso(-minute), lastRead: null };
    await saveParcels([
      withStatus('A1', 'ABNORMAL', { record }),
      withStatus('A2', 'ABNORMAL', { record, unread }),
      withStatus('A3', 'ABNORMAL', { record, registration: 'rejected' }),
      withStatus('C1', 'IN_TRANSIT'),
    ]);
    expect((await user.run(['status'])).stdout).toBe('! 2  ▸ 1\n');
    expect((await user.run(['status', '--format', '{attention} {closed} {total}'])).stdout).toBe('2 1 4\n');
    const listed = async (...args: string[]) =>
      JSON.parse((await user.run(['list', '--json', ...args])).stdout).parcels.map(
        ({ closed, stage, trackNo }: Record<string, unknown>) => [trackNo, stage, closed],
      );
    expect((await listed()).at(-1)).toEqual(['A1', 'attention', true]);
    expect(await listed('--filter', 'is:closed')).toEqual([['A1', 'attention', true]]);
    expect(await listed('--filter', 'stage:attention !is:closed')).toHaveLength(2);
  });

  it('prints how many queries all processes sent today', async () => {
    await saveParcels(sampleParcels);
    await saveState('meter.json', meterOf(38));
    expect((await user.run(['status'])).stdout).toBe('! 2  ▲ 1  ◆ 1  ▸ 1  ✓ 1  38 today\n');
    await saveState('polling.json', '{"version":1,"paused":true}');
    expect((await user.run(['status'])).stdout).toBe('! 2  ▲ 1  ◆ 1  ▸ 1  ✓ 1  38 today  paused\n');
    await saveState('meter.json', 'rubbish');
    expect((await user.run(['status'])).stdout).toBe('! 2  ▲ 1  ◆ 1  ▸ 1  ✓ 1  paused\n');
  });

  it('fills a template', async () => {
    await saveParcels(sampleParcels);
    await saveState('meter.json', meterOf(38));
    const names =
      '{attention} {out} {pickup} {transit} {announced} {norecord} {delivered} {total} {age} {queriesToday}';
    const { stdout } = await user.run(['status', '--format', `{{${names}}}`]);
    expect(stdout).toBe('{2 1 1 1 0 0 1 6 12m 38}\n');
  });

  it("prints the time of the next check in the viewer's zone", async () => {
    await saveParcels(sampleParcels);
    const next = async (...cliArguments: readonly string[]): Promise<string> =>
      (await user.run(['status', '--format', '{next}', ...cliArguments])).stdout.trim();
    expect(await next('--zone', 'utc')).toMatch(new RegExp(`${iso(90 * minute).slice(11, 14)}\\d\\d$`));
    await user.configure('{"zone": "Asia/Tokyo"} // with a comment');
    expect(await next()).toMatch(new RegExp(`${iso(90 * minute + 9 * 60 * minute).slice(11, 14)}\\d\\d$`));
    await saveParcels([withStatus('A1', 'IN_TRANSIT', { nextPollAt: iso(-minute) })]);
    expect(await next()).toBe('now');
    await saveParcels([withStatus('D1', 'DELIVERED', { nextPollAt: null })]);
    expect(await next()).toBe('-');
  });

  it('prints "paused" instead of a time', async () => {
    await saveParcels(sampleParcels);
    await saveState('polling.json', '{"version":1,"paused":true}');
    expect((await user.run(['status'])).stdout).toBe('! 2  ▲ 1  ◆ 1  ▸ 1  ✓ 1  paused\n');
    expect((await user.run(['status', '--format', '{next}'])).stdout).toBe('paused\n');
    await saveState('polling.json', 'rubbish');
    expect((await user.run(['status'])).stdout).toBe('! 2  ▲ 1  ◆ 1  ▸ 1  ✓ 1\n');
  });

  it('works with an unusable configuration, without a watchlist, and without a lock', async () => {
    await user.configure('{"zone"');
    expect(await user.run(['status'])).toEqual({ exitCode: 0, stdout: 'no parcels\n', stderr: '' });
    expect((await user.run(['status', '--format', '{total} {next} {age}'])).stdout).toBe('0 - -\n');
  });

  it('reports a damaged watchlist and does not change it', async () => {
    const folder = join(user.home, '.local', 'share', 'parcel-monitor');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'watchlist.json'), '{"parcels": [');
    const { exitCode, stderr } = await user.run(['status']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/cannot be used.*parcel-monitor list/);
  });
});
