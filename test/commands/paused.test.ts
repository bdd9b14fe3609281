import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { parcelOf } from '../parcels/parcels.ts';
import { type CliResult, userForEachTest } from '../support/cli-user.ts';
import { realClock } from '../support/real-clock.ts';
import { recordOf } from '../support/records.ts';
import { json as jsonResponse, startScriptedServer } from '../support/scripted-server.ts';
import { exportContract, listContract, showContract } from './contract.ts';

const user = userForEachTest();

const number = 'LX123456789CN';
const nextPollAt = new Date(realClock.now() + 90 * 60_000).toISOString();

async function saveParcel(paused: boolean): Promise<void> {
  const write = async (folder: string, name: string, content: unknown): Promise<void> => {
    const path = join(user.home, '.local', folder, 'parcel-monitor');
    await mkdir(path, { recursive: true, mode: 0o700 });
    await writeFile(join(path, name), JSON.stringify(content), { mode: 0o600 });
  };
  const record = recordOf({ trackNo: number, transitStatus: 'IN_TRANSIT', nextUpdateTime: '2030-11-21 21:20:00' });
  const parcel = parcelOf(number, { registration: 'registered', record, nextPollAt });
  await write('share', 'watchlist.json', { version: 1, parcels: [parcel] });
  await write('state', 'polling.json', { version: 1, paused });
}

async function stdoutOf(...cliArguments: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr }: CliResult = await user.run(cliArguments);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

it('shows no next check while checks are paused', async () => {
  await saveParcel(false);
  expect(await stdoutOf('list')).not.toContain('paused');
  expect(await stdoutOf('show', number)).toContain('next check ');
  await saveParcel(true);
  expect(await stdoutOf('list')).toMatch(/ paused\n$/);
  const shown = await stdoutOf('show', number);
  expect(shown).toContain('automatic checks paused');
  expect(shown).not.toContain('next check ');
});

it("prints no next check as JSON while checks are paused, but keeps the service's own time", async () => {
  const readParcels = async (): Promise<readonly unknown[]> => [
    v.parse(listContract, JSON.parse(await stdoutOf('list', '--json'))).parcels[0],
    v.parse(showContract, JSON.parse(await stdoutOf('show', number, '--json'))),
    v.parse(exportContract, JSON.parse(await stdoutOf('export'))).parcels[0],
  ];
  await saveParcel(false);
  for (const parcel of await readParcels()) {
    expect(parcel).toMatchObject({ nextPollAt, nextUpdateAt: '2030-11-21T13:20:00Z' });
  }
  await saveParcel(true);
  for (const parcel of await readParcels()) {
    expect(parcel).toMatchObject({ nextPollAt: null, nextUpdateAt: '2030-11-21T13:20:00Z' });
  }
});

it('says after a failed refresh that automatic checks are paused', async () => {
  await saveParcel(true);
  const empty = { accepted: { content: [], totalPages: '1', currentPage: '1' }, rejected: [] };
  const server = await startScriptedServer(jsonResponse({ code: '00000', msg: 'Success', data: empty }));
  const environment = { PARCEL_MONITOR_BASE_URL: server.baseUrl.href, PARCEL_MONITOR_API_KEY: 'k' };
  const { exitCode, stderr } = await user.run(['refresh', number], { environment });
  await server.close();
  expect(exitCode).toBe(5);
  expect(stderr).toMatch(/LX123456789CN: .+\. Automatic checks are paused\.\n$/);
});
