import { chmod, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs as day } from '../../src/lib/clock.ts';
import { type Backup, selectBackupsToKeep } from '../../src/store/recovery.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { createFakeClock, someThursday } from '../support/fake-clock.ts';
import { forAll } from '../support/for-all.ts';
import { checkpointOf } from '../support/records.ts';
import { rounds } from '../support/rounds.ts';
import { addParcels, createStoreFolder, failureOf, removeParcels, type StoreFolder, trackNos } from './store-folder.ts';

let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

const namesOf = async (name: string): Promise<readonly string[]> =>
  (await readdir(join(folder.directory, name)).catch(() => [])).sort();

/** Opens a store whose clock shows `at`. Its changes also date the file with that time. */
function openAt(at: number) {
  const clock = createFakeClock(at);
  const store = folder.open({ clock });
  return {
    ...store,
    async change(change: Parameters<typeof store.update>[0]) {
      await store.update(change);
      await utimes(folder.indexPath, clock.now() / 1000, clock.now() / 1000);
    },
  };
}

describe('backups of the index', () => {
  it('contain the index as it was before the first change of the day', async () => {
    const yesterday = openAt(someThursday - day);
    await yesterday.change(addParcels(parcelOf('RB1CN')));
    await yesterday.change(addParcels(parcelOf('RB2CN')));
    expect(await namesOf('backups')).toEqual([]);
    const before = await readFile(folder.indexPath, 'utf8');
    await chmod(folder.indexPath, 0o644);

    const today = openAt(someThursday);
    await today.change(addParcels(parcelOf('RB3CN')));
    await today.change(addParcels(parcelOf('RB4CN')));
    expect(await namesOf('backups')).toEqual(['watchlist-2026-11-18.json']);
    const backup = join(folder.directory, 'backups', 'watchlist-2026-11-18.json');
    expect(await readFile(backup, 'utf8')).toBe(before);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder.directory, 'backups'))).mode & 0o777).toBe(0o700);
    expect(today.takeNotices()).toEqual([]);
  });

  it('are kept for the last two days and the last two weeks', async () => {
    const end = someThursday + 60 * day;
    for (let at = end - rounds(60) * day; at < end; at += day) {
      await openAt(at).change(addParcels(parcelOf(`RB${at}CN`)));
    }
    // The last day is Sunday, 17 January 2027.
    expect(await namesOf('backups')).toEqual([
      'watchlist-2027-01-03.json',
      'watchlist-2027-01-10.json',
      'watchlist-2027-01-15.json',
      'watchlist-2027-01-16.json',
    ]);
  });

  it('never prevent a change: a failed backup is only reported', async () => {
    await openAt(someThursday - day).change(addParcels(parcelOf('RB1CN')));
    await folder.put('backups', 'a file where the folder should be');
    const store = openAt(someThursday);
    await store.change(addParcels(parcelOf('RB2CN')));
    expect(trackNos(await store.read())).toEqual(['RB1CN', 'RB2CN']);
    expect(store.takeNotices()).toMatchObject([expect.stringMatching(/daily backup.*backups/)]);
  });

  it('always include the newest backup', () => {
    const backupOf = (at: number): Backup => ({ name: `${at}`, path: `${at}`, at, isDaily: true });
    forAll(fc.uniqueArray(fc.nat(400), { minLength: 1 }), (days) => {
      const backups = days.toSorted((a, b) => a - b).map((number) => backupOf(someThursday - number * day));
      const kept = selectBackupsToKeep(backups, someThursday);
      expect(kept.size).toBeLessThanOrEqual(4);
      expect([...kept]).toContain(backups[0]);
    });
  });
});

describe('restoring a backup', () => {
  const checkpoints = [checkpointOf('Arrived', '2026-11-18T08:00:00Z')];

  it('replaces the index, keeps a copy of the old one, and restores histories', async () => {
    const yesterday = openAt(someThursday - day);
    await yesterday.change(addParcels(parcelOf('RB1CN'), parcelOf('RB2CN')));
    await yesterday.updateHistory('rb1cn', (history) => ({ ...history, checkpoints }));
    const today = openAt(someThursday);
    await today.change(removeParcels('rb1cn'));
    await today.change(addParcels(parcelOf('RB3CN')));

    const { recovery } = today;
    expect(await recovery.backups()).toMatchObject([{ name: 'watchlist-2026-11-18.json', parcels: 2 }]);
    const { backup, keptAs } = await recovery.restoreBackup('2026-11-18');
    expect(backup.parcels).toBe(2);
    expect(trackNos(await folder.open().read())).toEqual(['RB1CN', 'RB2CN']);
    expect((await folder.open().readHistory('rb1cn')).checkpoints).toEqual(checkpoints);
    expect(keptAs).toBe(join(folder.directory, 'backups', 'watchlist-2026-11-19T090000Z.json'));
    expect(JSON.parse(await readFile(keptAs ?? '', 'utf8'))).toMatchObject({
      parcels: [{ trackNo: 'RB2CN' }, { trackNo: 'RB3CN' }],
    });
    // Parcels that were only in the replaced index are not lost either.
    expect(await recovery.trashed()).toMatchObject([{ parcel: { trackNo: 'RB3CN' } }]);
    await recovery.restoreBackup('watchlist-2026-11-19T090000Z.json');
    expect(trackNos(await folder.open().read())).toEqual(['RB2CN', 'RB3CN']);
  });

  it('lists the backups if the name is unknown, and refuses a damaged one', async () => {
    const { recovery } = folder.open();
    expect((await failureOf(recovery.restoreBackup('2026-01-01'))).message).toMatch(/No backup has been made yet/);
    await folder.put('backups/watchlist-2026-11-17.json', '{"version":1,"parc');
    await folder.put('backups/notes.txt', 'mine');
    expect(await recovery.backups()).toMatchObject([{ name: 'watchlist-2026-11-17.json', parcels: null }]);
    expect((await failureOf(recovery.restoreBackup('2026-01-01'))).message).toMatch(/watchlist-2026-11-17\.json/);
    expect((await failureOf(recovery.restoreBackup('2026-11-17'))).message).toMatch(/damaged/);
    expect((await failureOf(recovery.restoreBackup('../watchlist.json'))).message).toMatch(/no backup/);
  });

  it('is offered when the index is damaged, in a message that names both files', async () => {
    await openAt(someThursday - 2 * day).change(addParcels(parcelOf('RB1CN')));
    await openAt(someThursday - day).change(addParcels(parcelOf('RB2CN')));
    await folder.put('backups/watchlist-2026-11-18.json', 'damaged, too');
    await folder.put('watchlist.json', '{"version":1,"parc');
    const store = folder.open({ clock: createFakeClock(someThursday) });
    expect(trackNos(await store.read())).toEqual([]);
    const [notice] = store.takeNotices();
    expect(notice).toMatch(/watchlist\.json\.damaged-20261119T090000Z/);
    expect(notice).toMatch(/backups\/watchlist-2026-11-17\.json \(1 parcel\)/);
    expect(notice).toMatch(/"parcel-monitor restore watchlist-2026-11-17\.json"/);
    await store.recovery.restoreBackup('watchlist-2026-11-17.json');
    expect(trackNos(await store.read())).toEqual(['RB1CN']);
  });
});
