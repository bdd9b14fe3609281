import { describe, expect, it } from 'vitest';
import { sandboxUser } from './sandbox-user.ts';

const { connected, user } = sandboxUser();

/** Adds parcels in several states, each checked once. */
async function addParcels(): Promise<void> {
  const environment = connected();
  await user.run(['add', 'RB100000003CN', 'RB100000048CN', '1Z999AA10123456784', '--tag', 'gift'], { environment });
  await user.run(['add', 'LX123456785CN'], { environment });
}

describe('stats', () => {
  it('prints a row for each courier, a total, this week and the forecasts', async () => {
    await addParcels();
    const { exitCode, stderr, stdout } = await user.run(['stats']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^COURIER +PARCELS +DELIVERED +MEDIAN +9 OF 10 /);
    expect(stdout).toMatch(/^UPS +1 /m);
    expect(stdout).toMatch(/^all +4 /m);
    expect(stdout).toMatch(/^Delivered this week: \d+, last week: \d+ {2}[▁-█]{8}$/m);
    expect(stdout).toMatch(/^90% forecasts: none to check yet$/m);
  });

  it('prints JSON and CSV with the same rows', async () => {
    await addParcels();
    const json = JSON.parse((await user.run(['stats', '--by', 'tag', '--json'])).stdout);
    expect(json).toMatchObject({ version: 1, since: null, by: 'tag', forecast: { made: 0, right: 0, share: null } });
    expect(json.rows.map(({ name, parcels }: { name: string | null; parcels: number }) => [name, parcels])).toEqual([
      ['gift', 3],
      [null, 1],
    ]);
    const csv = (await user.run(['stats', '--by', 'tag', '--csv'])).stdout.split('\r\n');
    expect(csv[0]).toBe('name,parcels,delivered,medianDays,p90Days,late,problems');
    expect(csv[1]).toMatch(/^gift,3,/);
  });

  it('accepts a start time, and refuses an invalid one', async () => {
    await addParcels();
    expect(JSON.parse((await user.run(['stats', '--since', 'yesterday', '--json'])).stdout).since).toMatch(/Z$/);
    const { exitCode, stderr } = await user.run(['stats', '--since', 'soon']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('"soon" is not a valid time'),
    });
    expect((await user.run(['stats', '--by', 'colour'])).exitCode).toBe(2);
  });

  it('prints a message if there is nothing to count', async () => {
    const { exitCode, stderr, stdout } = await user.run(['stats']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain('There are no parcels to count.');
  });
});
