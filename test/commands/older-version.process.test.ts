import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliUser, createCliUser } from '../support/cli-user.ts';
import { createTestDatabase } from '../support/postgres/test-server.ts';
import { createSkippingClock } from '../support/skipping-clock.ts';

/** Written by the last version that stored parcels in two formats. The URL of its service no longer exists. */
const fixture = new URL('../fixtures/version-with-light-parcels/', import.meta.url).pathname;
const lastWrittenAt = Date.parse('2026-11-24T12:10:00Z');

const folders = { config: '.config', data: '.local/share', state: '.local/state' };

async function createUserWithOldFiles(environment: Readonly<Record<string, string>> = {}): Promise<CliUser> {
  const clock = createSkippingClock(lastWrittenAt - Date.now());
  const user = await createCliUser({ clock, environment: { PARCEL_MONITOR_API_KEY: 'sandbox-key', ...environment } });
  onTestFinished(() => user.remove());
  for (const [name, folder] of Object.entries(folders)) {
    const target = join(user.home, folder, 'parcel-monitor');
    await mkdir(target, { recursive: true, mode: 0o700 });
    await cp(join(fixture, name), target, { recursive: true });
  }
  return user;
}

async function createOldDatabase(): Promise<string> {
  const database = await createTestDatabase();
  for (const statement of (await readFile(join(fixture, 'database.sql'), 'utf8')).split(/;\n/)) {
    if (statement.trim() !== '') await database.query(statement);
  }
  // The trash uses the server's clock, which tests do not set.
  await database.query('update parcel_monitor.removed set removed_at = clock_timestamp()');
  await database.query('update parcel_monitor.history set removed_at = clock_timestamp() where removed_at is not null');
  return database.address;
}

interface ListOutput {
  readonly parcels: readonly Record<string, unknown>[];
}

describe.each(['files', 'a database'] as const)('a list from an older version in %s', (place) => {
  const open = async (): Promise<CliUser> => {
    if (place === 'files') return await createUserWithOldFiles();
    const user = await createUserWithOldFiles({ PARCEL_MONITOR_STORE: await createOldDatabase() });
    // Read-only commands do not change the tables.
    expect(await user.run(['list'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('"parcel-monitor store"'),
    });
    expect(await user.run(['store'])).toMatchObject({ exitCode: 0 });
    return user;
  };

  it('is listed and shown completely', async () => {
    const user = await open();
    const listed = await user.run(['list', '--all', '--json']);
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    const { parcels } = JSON.parse(listed.stdout) as ListOutput;
    expect(parcels).toHaveLength(4);
    expect(parcels.find(({ trackNo }) => trackNo === 'RB100000005CN')).toMatchObject({
      courierCode: 'china-post',
      label: 'Blue socks',
      tags: place === 'files' ? ['gift'] : ['gift', 'blue'],
      state: 'watching',
      stage: 'in-transit',
      checkpointCount: 8,
      orderNo: 'A-77',
      remark: 'for Ann',
      trackingLink: 'https://yjcx.chinapost.com.cn/qps/yjcx?mailNo=RB100000005CN',
    });
    expect(parcels.find(({ trackNo }) => trackNo === 'LX123456789CN')).toMatchObject({ state: 'archived' });
    expect(parcels.find(({ trackNo }) => trackNo === 'NOTANUMBER123')).toMatchObject({ state: 'rejected' });

    const shown = JSON.parse((await user.run(['show', '1Z999AA10123456784', '--json'])).stdout) as {
      readonly checkpoints: readonly unknown[];
      readonly record: Record<string, unknown>;
    };
    expect(shown.checkpoints.length).toBeGreaterThan(3);
    expect(shown.record).toMatchObject({ trackNo: '1Z999AA10123456784' });
    const exported = JSON.parse((await user.run(['export', '--all'])).stdout) as ListOutput;
    expect(exported.parcels.find(({ trackNo }) => trackNo === '1Z999AA10123456784')).toMatchObject({
      postalCode: '10115',
    });
    expect(JSON.stringify(exported)).toContain('ann@example.com');
    expect(JSON.stringify(exported)).toContain('"custom1":"shelf"');
  });

  it('keeps its log, usage, settings and trash, and can be changed', async () => {
    const user = await open();
    const changes = (await user.run(['changes', '--json'])).stdout.trim().split('\n');
    expect(changes).toHaveLength(20);
    expect(JSON.parse(changes.at(-1) ?? '')).toMatchObject({ seq: 20, change: 'removed', trackNo: 'RB848719115CN' });
    expect((await user.run(['config', 'get', 'zone'])).stdout).toBe('Europe/Berlin\n');

    expect(await user.run(['edit', 'RB100000005CN', '--label', 'Red socks'])).toMatchObject({ exitCode: 0 });
    expect(await user.run(['edit', 'LX123456789CN', '--restore'])).toMatchObject({ exitCode: 0 });
    expect(await user.run(['restore', '--parcel', 'RB848719115CN'])).toMatchObject({ exitCode: 0 });
    const { parcels } = JSON.parse((await user.run(['list', '--json'])).stdout) as ListOutput;
    expect(parcels.map(({ trackNo }) => trackNo).toSorted()).toEqual([
      '1Z999AA10123456784',
      'LX123456789CN',
      'NOTANUMBER123',
      'RB100000005CN',
      'RB848719115CN',
    ]);
    expect(parcels.find(({ trackNo }) => trackNo === 'RB100000005CN')).toMatchObject({
      label: 'Red socks',
      orderNo: 'A-77',
      trackingLink: 'https://yjcx.chinapost.com.cn/qps/yjcx?mailNo=RB100000005CN',
    });
    expect((await user.run(['show', 'RB848719115CN', '--json'])).stdout).toContain('"checkpoints"');
    const log = (await user.run(['changes', '--since', '20', '--json'])).stdout.trim().split('\n');
    expect(log.map((line) => (JSON.parse(line) as { seq: number }).seq)).toContain(21);
  });
});
