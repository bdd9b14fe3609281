import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { FileStore } from '../../src/store/file/file-store.ts';
import { addParcels, createStoreFolder, failureOf, removeParcels, type StoreFolder } from '../store/store-folder.ts';
import { someThursday } from '../support/fake-clock.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

const lamp = parcelOf('RB1CN', { label: 'Lamp', registration: 'registered' });
const archived = '2026-06-04T08:00:00.000Z';

/** Opens a store that already knows the file's contents. */
async function openUpToDate(): Promise<FileStore> {
  const store = folder.open();
  await store.read();
  await store.logEdits(someThursday, true);
  return store;
}

/** Checks for changes the way a board does. */
async function checkForEdits(store: FileStore, mayWrite = true): Promise<boolean | null> {
  const known = await store.read();
  await store.newer(known);
  return await store.logEdits(someThursday, mayWrite);
}

/** Edits the file as an editor would, without a lock or a log line. */
async function edit(id: string, fields: Partial<Parcel>): Promise<void> {
  const document = JSON.parse(await readFile(folder.indexPath, 'utf8'));
  const parcels = document.parcels.map((parcel: Parcel) => (parcel.id === id ? { ...parcel, ...fields } : parcel));
  await writeFile(folder.indexPath, JSON.stringify({ ...document, parcels }, null, 2));
}

const loggedLines = async (): Promise<readonly string[]> =>
  (await folder.open().changeLogAfter(0)).map(({ change, seq, trackNo }) => `${seq} ${change} ${trackNo}`);

describe('an edit to the file', () => {
  it('is logged once, even by several stores in any order', async () => {
    await folder.open().update(addParcels(lamp));
    const stores = [await openUpToDate(), await openUpToDate(), await openUpToDate()];
    await edit(lamp.id, { archivedAt: archived });
    await Promise.all(stores.map((store) => checkForEdits(store)));
    for (const store of stores) await checkForEdits(store);
    expect(await loggedLines()).toEqual(['1 added RB1CN', '2 archived RB1CN']);
    const [parcel] = (await folder.open().read()).parcels;
    expect(parcel).toMatchObject({ archivedAt: archived, changedAt: new Date(someThursday).toISOString() });
  });

  it('is logged as an event, an addition or a removal', async () => {
    const { checkpoints: _checkpoints, received: _received, ...record } = recordOf({ transitStatus: 'IN_TRANSIT' });
    await folder.open().update(addParcels({ ...lamp, record, addedAt: '2026-01-01T00:00:00.000Z' }));
    const store = await openUpToDate();
    await edit(lamp.id, { lastEvent: checkpointOf('Departed', '2026-06-04T08:00:00Z') });
    await checkForEdits(store);
    expect((await folder.open().read()).parcels[0]?.unread).toBeDefined();
    const document = JSON.parse(await readFile(folder.indexPath, 'utf8'));
    await writeFile(folder.indexPath, JSON.stringify({ ...document, parcels: [parcelOf('RB2CN')] }));
    await checkForEdits(store);
    expect(await loggedLines()).toEqual(['1 added RB1CN', '2 event RB1CN', '3 added RB2CN', '4 removed RB1CN']);
  });

  it('is logged by the leader, or by the process that takes over', async () => {
    await folder.open().update(addParcels(lamp));
    const [leader, follower] = [await openUpToDate(), await openUpToDate()];
    await edit(lamp.id, { archivedAt: archived });
    expect(await checkForEdits(follower, false)).toBe(false);
    expect(await loggedLines()).toEqual(['1 added RB1CN']);
    expect(await checkForEdits(leader)).toBe(true);
    expect(await checkForEdits(follower, false)).toBe(false);
    await edit(lamp.id, { archivedAt: null });
    expect(await checkForEdits(follower, false)).toBe(false);
    // The leader was killed.
    expect(await checkForEdits(follower)).toBe(true);
    expect(await loggedLines()).toEqual(['1 added RB1CN', '2 archived RB1CN', '3 restored RB1CN']);
  });

  it('is distinguished from our own simultaneous writes', async () => {
    await folder.open().update(addParcels(lamp));
    const store = await openUpToDate();
    await folder.open().update(addParcels(parcelOf('RB2CN')));
    await edit(lamp.id, { archivedAt: archived });
    await folder.open().update(removeParcels('rb2cn'));
    await checkForEdits(store);
    await checkForEdits(store);
    expect(await loggedLines()).toEqual(['1 added RB1CN', '2 added RB2CN', '3 removed RB2CN', '4 archived RB1CN']);
  });

  it('can be an older watchlist that a sync tool restored', async () => {
    await folder.open().update(addParcels(lamp));
    const older = await readFile(folder.indexPath);
    await folder.open().update(addParcels(parcelOf('RB2CN')));
    const store = await openUpToDate();
    await writeFile(folder.indexPath, older);
    await checkForEdits(store);
    expect(await loggedLines()).toEqual(['1 added RB1CN', '2 added RB2CN', '3 removed RB2CN']);
  });

  it('is not logged if it changes nothing, or if no earlier state is known', async () => {
    await folder.open().update(addParcels(lamp));
    const store = await openUpToDate();
    await edit(lamp.id, { label: 'Desk lamp' });
    expect(await checkForEdits(store)).toBe(false);
    await edit(lamp.id, { archivedAt: archived });
    await openUpToDate();
    expect(await loggedLines()).toEqual(['1 added RB1CN']);
  });

  it('is not searched for unless the file was written, and is not logged again if it was our own', async () => {
    const store = await openUpToDate();
    expect(await store.logEdits(someThursday, true)).toBeNull();
    await store.update(addParcels(lamp));
    expect(await checkForEdits(store)).toBe(false);
    expect(await store.logEdits(someThursday, true)).toBeNull();
    expect(await loggedLines()).toEqual(['1 added RB1CN']);
  });

  it('is logged with the next change if the log cannot be written', async () => {
    await folder.open().update(addParcels(lamp));
    const store = await openUpToDate();
    await edit(lamp.id, { archivedAt: archived });
    await store.read();
    const log = join(folder.directory, 'changes.jsonl');
    await rm(log);
    await folder.put('changes.jsonl/in-the-way', '');
    await failureOf(store.logEdits(someThursday, true));
    expect(await store.logEdits(someThursday, true)).toBeNull();
    await rm(log, { recursive: true });
    await edit(lamp.id, { label: 'Desk lamp' });
    expect(await checkForEdits(store)).toBe(true);
    expect((await folder.open().changeLogAfter(1)).map(({ change }) => change)).toEqual(['archived']);
  });
});
