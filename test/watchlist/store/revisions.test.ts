import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ParcelPositions } from '../../../src/watchlist/model/parcel-positions.ts';
import { createMemoryStore } from '../../../src/watchlist/store/memory-store.ts';
import { applyChanges, Revisions, writesBetween } from '../../../src/watchlist/store/revisions.ts';
import type { WatchlistStore } from '../../../src/watchlist/store/store.ts';
import { parcelOf } from '../parcels.ts';
import { adding, createStoreFolder, type StoreFolder, trackNos } from '../store-folder.ts';

let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

const now = Date.UTC(2026, 5, 4, 12);
const [first, second] = [parcelOf('RB1CN'), parcelOf('RB2CN')];
const putting = (...parcels: readonly (typeof first)[]) => parcels.map((parcel) => ({ id: parcel.id, parcel }));

describe.each<[string, () => WatchlistStore]>([
  ['in files', () => folder.open()],
  ['in memory', () => createMemoryStore()],
])('writing to a store %s', (_name, open) => {
  it('adds, changes and removes, and says what has changed since a revision', async () => {
    const store = open();
    const empty = await store.read();
    const added = await store.write(putting(first, second), empty.revision, now);
    expect(added.isWritten).toBe(true);
    const lamp = { ...second, label: 'Lamp' };
    const writes = [{ id: first.id, parcel: null }, ...putting(lamp)];
    const changed = await store.write(writes, added.current.revision, now);
    expect(changed).toMatchObject({ isWritten: true, current: { parcels: [lamp] } });
    const [kept] = changed.current.parcels;
    expect(await store.changesSince(changed.current.revision)).toBeNull();
    expect(await store.changesSince(added.current.revision)).toEqual({
      revision: changed.current.revision,
      changeSeq: 3,
      changed: [kept],
      removed: [first.id],
      isAll: false,
    });
  });

  it('refuses what was decided on another state of the parcel, and leaves the others alone', async () => {
    const store = open();
    const { current } = await store.write(putting(first, second), (await store.read()).revision, now);
    const meanwhile = await store.write(putting({ ...first, label: 'theirs' }), current.revision, now);
    const refused = await store.write(putting({ ...first, label: 'mine' }), current.revision, now);
    expect(refused).toEqual({ isWritten: false, current: meanwhile.current });
    const other = await store.write(putting({ ...second, label: 'mine' }), current.revision, now);
    expect(other.isWritten).toBe(true);
    expect(other.current.parcels.map(({ label }) => label)).toEqual(['theirs', 'mine']);
  });

  it('refuses a new parcel of a number that was added meanwhile', async () => {
    const store = open();
    const { revision } = await store.read();
    await store.write(putting(first), revision, now);
    const again = { ...parcelOf('RB1CN'), id: 'again' };
    expect((await store.write(putting(again), revision, now)).isWritten).toBe(false);
    expect((await store.write(putting(second), revision, now)).isWritten).toBe(true);
  });
});

describe('a store in files', () => {
  it('is told of what another process has written', async () => {
    const [mine, other] = [folder.open(), folder.open()];
    await mine.update(adding(first, second));
    const { revision } = await mine.read();
    await other.update((list) => ({ ...list, parcels: list.parcels.map((one) => ({ ...one, label: 'theirs' })) }));
    const refused = await mine.write(putting({ ...first, label: 'mine' }), revision, now);
    expect(refused.isWritten).toBe(false);
    expect(trackNos(refused.current)).toEqual(['RB1CN', 'RB2CN']);
    expect(refused.current.parcels.map(({ label }) => label)).toEqual(['theirs', 'theirs']);
  });
});

describe('revisions', () => {
  it('stay while nothing changes, and give everything to whoever is too far behind', () => {
    const revisions = new Revisions();
    const begin = revisions.note({ parcels: [first] });
    expect(revisions.note({ parcels: [first] })).toBe(begin);
    for (let label = 0; label < 20; label += 1) revisions.note({ parcels: [{ ...first, label: `${label}` }, second] });
    const changes = revisions.since(begin.revision);
    expect(changes).toMatchObject({ isAll: true, changed: [{ label: '19' }, { trackNo: 'RB2CN' }] });
    expect(changes === null ? [] : applyChanges([parcelOf('RB9CN')], changes, new ParcelPositions())).toHaveLength(2);
    expect(revisions.areOvertaken([], begin.revision, [first])).toBe(true);
    expect(writesBetween([first], [second])).toEqual([
      { id: second.id, parcel: second },
      { id: first.id, parcel: null },
    ]);
  });
});
