import { cp, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStoreFolder, type StoreFolder } from './store-folder.ts';

const fixture = new URL('../fixtures/store/version-1', import.meta.url).pathname;
let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
  await cp(fixture, folder.directory, { recursive: true });
});
afterEach(() => folder.remove());

it('reads everything in files of version 1', async () => {
  const store = folder.open();
  const { parcels } = await store.read();
  expect(parcels).toMatchObject([
    { trackNo: 'RB100000005CN', label: 'Lampe 深圳', checkpointCount: 1, ofANewerTime: { kept: true } },
    { trackNo: '1Z999AA10123456784', merchant: { orderNo: '7' }, error: { kind: 'rejected' } },
  ]);
  expect((await store.readHistory('0001')).checkpoints).toMatchObject([{ detail: '航班已起飞' }]);
  expect(store.takeNotices()).toEqual([]);
});

it('leaves files of version 1 unchanged, byte for byte, if a write changes nothing', async () => {
  const text = await readFile(folder.indexPath, 'utf8');
  await folder.open().update((current) => ({ ...current }));
  expect(await readFile(folder.indexPath, 'utf8')).toBe(text);
});
