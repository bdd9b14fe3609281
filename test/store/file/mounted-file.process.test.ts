import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { parcelsInFile } from '../../../src/store/file/formats.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { createFakeClock, someThursday } from '../../support/fake-clock.ts';
import { mountOver, mountSmallDisk, type SmallDisk } from '../../support/faulty-disk.ts';
import { checkpointOf } from '../../support/records.ts';
import {
  addParcels,
  createStoreFolder,
  failureOf,
  removeParcels,
  type StoreFolder,
  trackNos,
} from '../store-folder.ts';

const checkpoints = [checkpointOf('Arrived', '2026-11-18T08:00:00Z')];
let folder: StoreFolder;
let disk: SmallDisk | null = null;
let unmounts: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = await createStoreFolder();
  await mkdir(folder.directory);
  disk = await mountSmallDisk();
});
afterEach(async () => {
  for (const unmount of unmounts) await unmount();
  unmounts = [];
  await disk?.remove();
  await folder.remove();
});

/** Mounts a file or folder of the small disk over a name in the store's folder. */
async function mount(name: string, isFolder: boolean, skip: TestContext['skip']): Promise<string> {
  if (disk === null) return skip('no disk can be mounted here');
  const [source, target] = [join(disk.path, 'mounted'), join(folder.directory, name)];
  for (const path of [source, target]) await (isFolder ? mkdir(path) : writeFile(path, '{"version":1,"parcels":[]}'));
  const unmount = await mountOver(source, target);
  if (unmount === null) return skip('no file can be mounted over another here');
  unmounts.push(unmount);
  return source;
}

describe('a watchlist file that is a mount point', () => {
  it('is written in place, even if it grows or shrinks, without extra files', async ({ skip }) => {
    const source = await mount('watchlist.json', false, skip);
    const { ino } = await stat(source);
    const store = folder.open();
    await store.update(addParcels(parcelOf('RB1CN', { label: 'Lamp'.repeat(100) }), parcelOf('RB2CN')));
    const known = await store.read();
    expect(await store.newer(known)).toBeNull();
    await store.update(removeParcels('rb1cn'));
    expect(trackNos(await folder.open().read())).toEqual(['RB2CN']);
    expect(JSON.parse(await readFile(source, 'utf8'))).toMatchObject({ parcels: [{ trackNo: 'RB2CN' }] });
    expect((await stat(source)).ino).toBe(ino);
    expect((await readdir(folder.directory)).sort()).toEqual(['changes.jsonl', 'trash', 'watchlist.json']);
  });

  it('loses no changes made by simultaneous writers', async ({ skip }) => {
    await mount('watchlist.json', false, skip);
    const numbers = Array.from({ length: 12 }, (_, index) => `RB${10 + index}CN`);
    const stores = numbers.map(() => folder.open());
    await Promise.all(stores.map((store, index) => store.update(addParcels(parcelOf(numbers[index] ?? '')))));
    expect([...trackNos(await folder.open().read())].sort()).toEqual(numbers);
  });

  it('keeps its old text when there is no room for the new one', async ({ skip }) => {
    const source = await mount('watchlist.json', false, skip);
    await folder.open().update(addParcels(parcelOf('RB1CN')));
    await disk?.fill();
    const before = await readFile(source, 'utf8');
    // Too long for the free part of its last block.
    const error = await failureOf(folder.open().update(addParcels(parcelOf('RB2CN', { label: 'x'.repeat(10_000) }))));
    expect(error.kind).toBe('disk-full');
    expect(await readFile(source, 'utf8')).toBe(before);
    expect((await readdir(folder.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
    await disk?.free();
    await folder.open().update(addParcels(parcelOf('RB2CN')));
    expect(trackNos(await folder.open().read())).toEqual(['RB1CN', 'RB2CN']);
  });

  it('gets its new text even if its writer was killed halfway', async ({ skip }) => {
    const source = await mount('watchlist.json', false, skip);
    await folder.open().update(addParcels(parcelOf('RB1CN'), parcelOf('RB2CN')));
    const newText = await readFile(source, 'utf8');
    await writeFile(`${folder.indexPath}.next`, newText);
    await writeFile(source, newText.slice(0, newText.length / 2));
    const store = folder.open();
    expect(trackNos(await store.read())).toEqual(['RB1CN', 'RB2CN']);
    expect(await parcelsInFile(folder.indexPath)).toHaveLength(2);
    expect(store.takeNotices()).toEqual([]);
    await store.update(addParcels(parcelOf('RB3CN')));
    expect(JSON.parse(await readFile(source, 'utf8')).parcels).toHaveLength(3);
    expect((await readdir(folder.directory)).sort()).toEqual(['changes.jsonl', 'watchlist.json']);
  });

  it('is copied to a different name when it is damaged, and starts empty', async ({ skip }) => {
    const source = await mount('watchlist.json', false, skip);
    await writeFile(source, 'rubbish');
    const store = folder.open();
    expect(trackNos(await store.read())).toEqual([]);
    const [notice] = store.takeNotices();
    const aside = /moved to (\S+)\. /.exec(notice ?? '')?.[1] ?? '';
    expect(await readFile(aside, 'utf8')).toBe('rubbish');
    await folder.open().update(addParcels(parcelOf('RB1CN')));
    expect(trackNos(await folder.open().read())).toEqual(['RB1CN']);
  });
});

describe.each(['trash', 'history', 'backups'])('%s on another file system', (name) => {
  it('supports removing, restoring and backing up as usual', async ({ skip }) => {
    await mount(name, true, skip);
    const store = folder.open({ clock: createFakeClock(someThursday) });
    await store.update(addParcels(parcelOf('RB1CN')));
    await store.updateHistory('rb1cn', (history) => ({ ...history, checkpoints }));
    await store.update(removeParcels('rb1cn'));
    expect(await readdir(join(folder.directory, 'trash'))).toContain('rb1cn.json');
    expect(await readdir(join(folder.directory, 'history'))).toEqual([]);
    await store.recovery.restoreParcel('rb1cn');
    expect((await store.readHistory('rb1cn')).checkpoints).toEqual(checkpoints);
    expect((await readdir(join(folder.directory, 'trash'))).filter((file) => file === 'rb1cn.json')).toEqual([]);
    const later = folder.open({ clock: createFakeClock(Date.now() + 86_400_000) });
    await later.update(addParcels(parcelOf('RB2CN')));
    expect(await later.recovery.backups()).toMatchObject([{ parcels: 1 }]);
    expect([...store.takeNotices(), ...later.takeNotices()]).toEqual([]);
  });
});

describe('the daily backup', () => {
  it('is never a hard link to the watchlist, even if the change fails', async ({ skip }) => {
    if (disk === null) return skip('no disk can be mounted here');
    const own = await createStoreFolder(disk.path);
    await own.open().update(addParcels(parcelOf('RB1CN')));
    const tomorrow = { clock: createFakeClock(Date.now() + 86_400_000) };
    const tooLong = parcelOf('RB2CN', { label: 'x'.repeat(2_000_000) });
    expect((await failureOf(own.open(tomorrow).update(addParcels(tooLong)))).kind).toBe('disk-full');
    expect((await stat(own.indexPath)).nlink).toBe(1);
    await own.open(tomorrow).update(addParcels(parcelOf('RB2CN')));
    const [backup] = await own.open().recovery.backups();
    expect(backup?.parcels).toBe(1);
    for (const path of [own.indexPath, backup?.path ?? '']) expect((await stat(path)).nlink).toBe(1);
  });

  it('leaves the last free space for the change', async ({ skip }) => {
    if (disk === null) return skip('no disk can be mounted here');
    const own = await createStoreFolder(disk.path);
    // The disk has room for only two of these: the old text, the new text and a copy.
    const tags = ['x'.repeat(1_000)];
    await own
      .open()
      .update(addParcels(...Array.from({ length: 210 }, (_, index) => parcelOf(`RB${index}CN`, { tags }))));
    const store = own.open({ clock: createFakeClock(Date.now() + 86_400_000) });
    await store.update(addParcels(parcelOf('RBNEW1CN')));
    expect(trackNos(await own.open().read())).toContain('RBNEW1CN');
    expect(store.takeNotices()).toMatchObject([expect.stringMatching(/No space left/)]);
    expect(await readdir(join(own.directory, 'backups'))).toEqual([]);
  });
});
