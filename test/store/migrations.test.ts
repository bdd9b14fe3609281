import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Migration, migrateTo } from '../../src/store/file/document-format.ts';
import { currentVersion, historyMigrations, watchlistMigrations } from '../../src/store/watchlist-format.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { adding, createStoreFolder, failureOf, type StoreFolder, trackNos } from './store-folder.ts';

const fixtures = new URL('../fixtures/store/', import.meta.url).pathname;
let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

/** Migrations of a future program: tags become marks, then marks get a colour. */
const stepsToCome: readonly Migration[] = [
  { from: 1, migrate: (document) => ({ ...document, migratedBy: ['one'] }) },
  { from: 2, migrate: (document) => ({ ...document, migratedBy: ['one', 'two'] }) },
];

describe('files of earlier versions', () => {
  it('have a fixture and a migration each', async () => {
    const versions = Array.from({ length: currentVersion }, (_, index) => index + 1);
    expect((await readdir(fixtures)).sort()).toEqual(versions.map((version) => `version-${version}`));
    for (const steps of [watchlistMigrations, historyMigrations]) {
      expect(steps.map(({ from }) => from)).toEqual(versions.slice(0, -1));
    }
  });

  it.each(Array.from({ length: currentVersion }, (_, index) => index + 1))(
    'are read whole: version %i',
    async (version) => {
      await cp(join(fixtures, `version-${version}`), folder.directory, { recursive: true });
      const store = folder.open();
      const { parcels } = await store.read();
      expect(parcels).toMatchObject([
        { trackNo: 'RB100000005CN', label: 'Lampe 深圳', checkpointCount: 1, ofANewerTime: { kept: true } },
        { trackNo: '1Z999AA10123456784', merchant: { orderNo: '7' }, error: { kind: 'rejected' } },
      ]);
      expect((await store.readHistory('0001')).checkpoints).toMatchObject([{ detail: '航班已起飞' }]);
      expect(store.takeNotices()).toEqual([]);
    },
  );

  it('of the newest version are unchanged byte by byte after a change', async () => {
    await cp(join(fixtures, `version-${currentVersion}`), folder.directory, { recursive: true });
    const text = await readFile(folder.indexPath, 'utf8');
    await folder.open().update((current) => ({ ...current }));
    expect(await readFile(folder.indexPath, 'utf8')).toBe(text);
  });
});

describe('a migration', () => {
  const versions = { current: 3, migrations: stepsToCome };

  it('goes step by step, keeps unknown fields, and reports a missing step', () => {
    const document = { version: 1, parcels: [], theme: 'dark' };
    expect(migrateTo(3, stepsToCome, document, 1)).toEqual({ ...document, version: 3, migratedBy: ['one', 'two'] });
    expect(migrateTo(3, stepsToCome, document, 2)).toEqual({ ...document, version: 3, migratedBy: ['one', 'two'] });
    expect(() => migrateTo(4, stepsToCome, document, 1)).toThrow(/No migration from file version 3/);
  });

  it('changes no file before the first write, and then copies the old one', async () => {
    const before = '{"version":1,"parcels":[{"id":"a","trackNo":"RB1CN"}]}';
    await folder.put('watchlist.json', before);
    const store = folder.open({ versions });
    const read = await store.read();
    expect(trackNos(read)).toEqual(['RB1CN']);
    expect(await store.newer(read)).toBeNull();
    expect(await readFile(folder.indexPath, 'utf8')).toBe(before);
    expect(store.takeNotices()).toEqual([]);

    await store.update(adding(parcelOf('RB2CN')));
    expect(JSON.parse(await readFile(folder.indexPath, 'utf8'))).toMatchObject({
      version: 3,
      migratedBy: ['one', 'two'],
      parcels: [{ trackNo: 'RB1CN' }, { trackNo: 'RB2CN' }],
    });
    const old = join(folder.directory, 'watchlist.version-1.json');
    expect(await readFile(old, 'utf8')).toBe(before);
    expect(store.takeNotices()).toMatchObject([expect.stringContaining(old)]);
    await store.update(adding(parcelOf('RB3CN')));
    expect(store.takeNotices()).toEqual([]);
    // An older program does not change the new file.
    expect(await failureOf(folder.open().update(adding(parcelOf('RB4CN'))))).toMatchObject({ kind: 'newer-version' });
  });
});
