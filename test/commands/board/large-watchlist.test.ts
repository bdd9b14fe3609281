import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { maxParcelsInFile } from '../../../src/board/status/watchlist-status.ts';
import { warnOfLargeWatchlist } from '../../../src/commands/board/backing.ts';
import type { FileStore } from '../../../src/store/file/file-store.ts';
import { createMemoryStore } from '../../../src/store/store.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { draftOf, startHarness } from '../../polling/harness.ts';
import { createCliUser } from '../../support/cli-user.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    parcelOf(`RB${index}CN`, { id: `many-${index}`, registration: 'rejected' }),
  );

it('warns on the board when a watchlist becomes too long for a file, and not again once dismissed', async () => {
  const store = createMemoryStore({ version: 1, parcels: many(maxParcelsInFile) });
  const { monitor } = await startHarness({ store });
  warnOfLargeWatchlist(monitor, { files: {} as FileStore });
  expect(monitor.getState().notices).toEqual([]);
  await monitor.add(draftOf('LAST1CN'));
  expect(monitor.getState().notices).toEqual([
    expect.stringMatching(/^The list has 10,001 parcels.* PostgreSQL .*"parcel-monitor store copy postgres:.* remove /),
  ]);
  monitor.dismissNotice();
  await monitor.add(draftOf('LAST2CN'));
  expect(monitor.getState().notices).toEqual([]);
});

it('does not warn about a long list in a database', async () => {
  const store = createMemoryStore({ version: 1, parcels: many(maxParcelsInFile + 1) });
  const { monitor } = await startHarness({ store });
  warnOfLargeWatchlist(monitor, { files: null });
  expect(monitor.getState().notices).toEqual([]);
});

it('doctor reports a list that is too long for a file as a warning, not as a failure', async () => {
  const user = await createCliUser();
  onTestFinished(() => user.remove());
  const path = join(user.home, '.local', 'share', 'parcel-monitor', 'watchlist.json');
  const write = async (count: number): Promise<void> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, JSON.stringify({ version: 1, parcels: many(count) }), { mode: 0o600 });
  };
  const watchlistCheck = async (): Promise<unknown> => {
    const { stdout } = await user.run(['doctor', '--json', '--offline']);
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly name: string }[] };
    return checks.find(({ name }) => name === 'watchlist');
  };
  await write(3);
  expect(await watchlistCheck()).toMatchObject({ status: 'ok', advice: null });
  await write(maxParcelsInFile + 1);
  expect(await watchlistCheck()).toMatchObject({ status: 'warn', advice: expect.stringContaining('10,001 parcels') });
});
