import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sandboxUser } from './sandbox-user.ts';

const { connected, parcels, user } = sandboxUser();
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
  await user.run(['add', number]);
  await user.run(['edit', number, '--note', 'for my eyes'], { environment: connected() });
  expect((await user.run(['show', number, '--json'], { environment: connected() })).stdout).toContain('for my eyes');
  const { record } = JSON.parse((await user.run(['show', number, '--json'])).stdout) as { readonly record: unknown };
  expect(JSON.stringify(record)).not.toContain('for my eyes');
  expect(await readFile(join(user.home, '.local/share/parcel-monitor/watchlist.json'), 'utf8')).toContain(
    'for my eyes',
  );
});
