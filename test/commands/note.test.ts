import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { json, startScriptedServer } from '../support/scripted-server.ts';
import { sandboxUser } from './sandbox-user.ts';

const { parcels, user } = sandboxUser();
const number = 'RB100000003CN';

it('keeps a note, shows and finds it, and clears it again', async () => {
  await user.run(['add', number]);
  expect(await parcels()).toMatchObject([{ note: null }]);
  const { exitCode, stdout } = await user.run(['edit', number, '--note', 'refund asked']);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('changed') });
  expect(await parcels('--filter', 'refund')).toMatchObject([{ note: 'refund asked' }]);
  expect((await user.run(['show', number])).stdout).toContain('note: refund asked');
  await user.run(['edit', number, '--note', '']);
  expect(await parcels()).toMatchObject([{ note: null }]);
});

it('imports a note that was exported', async () => {
  await user.run(['add', number]);
  await user.run(['edit', number, '--note', 'ring twice']);
  const file = join(user.home, 'list.csv');
  await writeFile(file, (await user.run(['export', '--format', 'csv'])).stdout);
  await user.run(['remove', number]);
  await user.run(['import', file]);
  expect(await parcels()).toMatchObject([{ note: 'ring twice' }]);
});

it('never sends a note to the service', async () => {
  const server = await startScriptedServer(json({ code: 'A0500', msg: 'Busy' }, 500));
  const environment = { PARCEL_MONITOR_BASE_URL: server.baseUrl.href, PARCEL_MONITOR_API_KEY: 'k' };
  await user.run(['add', number]);
  await user.run(['edit', number, '--note', 'for my eyes']);
  await user.run(['refresh', number], { environment });
  await user.run(['edit', number, '--note', 'for my eyes only', '--courier', 'ups'], { environment });
  await server.close();
  expect(server.requests.map(({ body }) => body).filter((body) => body.includes(number))).not.toEqual([]);
  expect(JSON.stringify(server.requests)).not.toContain('for my eyes');
  expect(await parcels()).toMatchObject([{ note: 'for my eyes only' }]);
});
