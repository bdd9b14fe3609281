import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTempName, tempPath } from '../../../src/lib/paths.ts';
import { removeStaleTempFiles } from '../../../src/store/file/damaged-files.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { addParcels, createStoreFolder, type StoreFolder } from '../store-folder.ts';

const longAgo = new Date(Date.now() - 2 * 3_600_000);
let folder: StoreFolder;
/** A folder that other programs also use. */
let shared = '';
beforeEach(async () => {
  folder = await createStoreFolder();
  shared = `${folder.directory}-shared`;
  await mkdir(shared);
});
afterEach(() => folder.remove());

/** Creates an old file with this name. */
async function leaveFile(name: string, text = 'half of it'): Promise<string> {
  await writeFile(join(shared, name), text);
  await utimes(join(shared, name), longAgo, longAgo);
  return name;
}

/** Creates an old folder that contains files with these names. */
async function leaveFolder(name: string, ...files: readonly string[]): Promise<string> {
  await mkdir(join(shared, name));
  for (const file of files) await writeFile(join(shared, name, file), '{}');
  await utimes(join(shared, name), longAgo, longAgo);
  return name;
}

const suffix = '0abc1def0abc1def';

describe('cleanup', () => {
  it('removes only our files from a shared folder that the watchlist is linked into', async () => {
    await mkdir(folder.directory);
    await writeFile(join(shared, 'list.json'), '{"version":1,"parcels":[]}');
    await symlink(join(shared, 'list.json'), folder.indexPath);
    const kept = [
      await leaveFile('.x.y.tmp'),
      await leaveFile('.syncthing.list.json.tmp'),
      await leaveFile(`.syncthing.list.json.${suffix}.tmp`),
      await leaveFile(`.other.json.${suffix}.tmp`),
      await leaveFile('.list.json.short.tmp'),
      await leaveFile(`.list.json.${suffix}.tmp.tmp`),
      await leaveFolder('.a.b.tmp', 'precious'),
      await leaveFolder(`.list.json.${suffix}.tmp`, 'precious'),
      await leaveFolder(`.list.json.lock.${suffix}.tmp`, 'owner.json', 'precious'),
    ];
    await leaveFile(`.list.json.1${suffix.slice(1)}.tmp`);
    await leaveFolder(`.list.json.lock.1${suffix.slice(1)}.tmp`, 'owner.json');
    await leaveFolder(`.list.json.lock.2${suffix.slice(1)}.tmp`);
    await folder.open().update(addParcels(parcelOf('RB1CN')));
    expect((await readdir(shared)).toSorted()).toEqual([...kept, 'list.json'].toSorted());
    expect(await readdir(join(shared, '.a.b.tmp'))).toEqual(['precious']);
    expect(await readdir(join(shared, `.list.json.lock.${suffix}.tmp`))).toContain('precious');
  });

  it('never follows or removes a link', async () => {
    await leaveFolder('target', 'owner.json');
    const names = [`.list.json.${suffix}.tmp`, `.list.json.lock.${suffix}.tmp`];
    for (const name of names) await symlink(join(shared, 'target'), join(shared, name));
    await removeStaleTempFiles(shared, Date.now() + 100 * 86_400_000, () => true);
    expect((await readdir(shared)).toSorted()).toEqual([...names, 'target'].toSorted());
    expect(await readdir(join(shared, 'target'))).toEqual(['owner.json']);
  });

  it('keeps recent files, which may be in use', async () => {
    await writeFile(join(shared, `.list.json.${suffix}.tmp`), 'half of it');
    await removeStaleTempFiles(shared, Date.now(), () => true);
    expect(await readdir(shared)).toEqual([`.list.json.${suffix}.tmp`]);
  });

  it('recognises the names of our temp files', () => {
    const name = (path: string): string => tempPath(path, Math.random).slice('/x/'.length);
    expect(readTempName(name('/x/list.json'))).toEqual({ base: 'list.json', isLock: false });
    expect(readTempName(name('/x/list.json.lock'))).toEqual({ base: 'list.json', isLock: true });
    expect(readTempName('list.json')).toBeNull();
  });
});
