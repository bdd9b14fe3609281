import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileMark } from '../../../src/watchlist/files/file-mark.ts';
import { ParcelLines } from '../../../src/watchlist/store/parcel-lines.ts';
import { parcelOf } from '../parcels.ts';
import { adding, createStoreFolder, type StoreFolder } from '../store-folder.ts';

const parcels = [
  parcelOf('RB100000001CN', { label: 'Lamp' }),
  parcelOf('RB100000002CN', { label: '한국 화장품 선물' }),
  parcelOf('RB100000003CN', { tags: Array.from({ length: 900 }, (_, index) => `tag-${index}`) }),
  parcelOf('RB100000004CN'),
];

let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

describe('the places of the lines of a watchlist', () => {
  it('are where its parcels can be read one by one, of any length', async () => {
    const store = folder.open();
    await store.update(adding(...parcels));
    const placed = await store.placedParcels();
    const lines = ParcelLines.open(folder.indexPath, placed?.mark ?? '');
    expect(placed?.places.map((place) => lines?.parcelAt(place))).toEqual(placed?.parcels);
    expect(placed?.parcels.map(({ label }) => label)).toEqual(parcels.map(({ label }) => label));
    lines?.close();
  });

  it('are not known of a file that nobody has read, that has changed since, or that is laid out in another way', async () => {
    const store = folder.open();
    await store.update(adding(...parcels));
    expect(await folder.open().placedParcels()).toBeNull();
    const text = await readFile(folder.indexPath, 'utf8');
    await writeFile(folder.indexPath, JSON.stringify(JSON.parse(text)));
    expect(await store.placedParcels()).toBeNull();
    await store.read();
    expect(await store.placedParcels()).toBeNull();
  });
});

describe('ParcelLines', () => {
  it('reads no parcel where none begins, nor one that is not just as this program writes it', async () => {
    const store = folder.open();
    await store.update(adding(...parcels));
    const placed = await store.placedParcels();
    const [first = 0, second = 0] = placed?.places ?? [];
    const text = await readFile(folder.indexPath);
    text.write('\u0007', first + 40);
    await writeFile(folder.indexPath, text);
    const lines = ParcelLines.open(folder.indexPath, await fileMark(folder.indexPath));
    expect(lines?.parcelAt(first)).toBeNull();
    expect(lines?.parcelAt(second)?.label).toBe('한국 화장품 선물');
    for (const place of [0, first + 1, second - 1, text.length - 1, text.length, 2 ** 40]) {
      expect([place, lines?.parcelAt(place)]).toEqual([place, null]);
    }
    lines?.close();
  });

  it('opens no file but the one with the mark', async () => {
    const store = folder.open();
    await store.update(adding(...parcels));
    const mark = await fileMark(folder.indexPath);
    ParcelLines.open(folder.indexPath, mark)?.close();
    await appendFile(folder.indexPath, '\n');
    expect(ParcelLines.open(folder.indexPath, mark)).toBeNull();
    await rename(folder.indexPath, `${folder.indexPath}.away`);
    expect(ParcelLines.open(folder.indexPath, mark)).toBeNull();
    expect(ParcelLines.open(folder.directory, await fileMark(folder.directory))).toBeNull();
  });
});
