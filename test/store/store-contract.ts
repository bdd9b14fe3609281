import { describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Recovery } from '../../src/store/recovery.ts';
import type { ParcelWrite, StoredParcels, WatchlistStore } from '../../src/store/store.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { someThursday } from '../support/fake-clock.ts';
import { checkpointOf } from '../support/records.ts';
import { failureOf, trackNos } from './store-folder.ts';

/** A watchlist for testing a store. */
export interface TestWatchlist {
  /** Opens another store for the same watchlist. In memory, returns the only one. */
  open(): WatchlistStore;
  /** Recovery of removed parcels, or null. */
  recovery(): Recovery | null;
}

/** A kind of store. */
export interface StoreKind {
  /** Creates an empty watchlist. */
  create(): Promise<TestWatchlist>;
  /** Whether several stores can use one watchlist, which also outlives them. */
  readonly isShared: boolean;
}

const now = someThursday;
const [first, second] = [parcelOf('RB1CN'), parcelOf('RB2CN')];
const checkpoints = [checkpointOf('Arrived', '2026-11-18T08:00:00Z')];
export const put = (...parcels: readonly Parcel[]): readonly ParcelWrite[] =>
  parcels.map((parcel) => ({ id: parcel.id, parcel }) as ParcelWrite);
export const remove = (...ids: readonly string[]): readonly ParcelWrite[] => ids.map((id) => ({ id, parcel: null }));

/** Writes, and then reads the result. */
export async function writeAndRead(
  store: WatchlistStore,
  ...write: Parameters<WatchlistStore['write']>
): Promise<{ readonly isWritten: boolean; readonly isFenced?: true; readonly current: StoredParcels }> {
  return { ...(await store.write(...write)), current: await store.read() };
}

/** Writes as the program does: decides again if a different client wrote first. */
export async function writeWithRetry(
  store: WatchlistStore,
  decide: (parcels: readonly Parcel[]) => readonly ParcelWrite[],
  at = now,
): Promise<readonly Parcel[]> {
  let current = await store.read();
  for (;;) {
    const { isWritten } = await store.write(decide(current.parcels), current, at);
    current = await store.read();
    if (isWritten) return current.parcels;
  }
}

/** Describes the behaviour of every store, wherever it keeps the watchlist. */
export function describeStoreContract(name: string, { create, isShared }: StoreKind): void {
  describe(`a store ${name}`, () => {
    it('is empty before the first write', async () => {
      const store = (await create()).open();
      expect(await store.read()).toMatchObject({ parcels: [], changeSeq: 0 });
      expect(await store.changeLogAfter(0)).toEqual([]);
      expect((await store.readHistory('rb1cn')).checkpoints).toEqual([]);
    });

    it('adds, changes and removes parcels, and knows what has changed since a read', async () => {
      const store = (await create()).open();
      const empty = await store.read();
      const added = await writeAndRead(store, put(first, second), empty, now);
      expect(added.isWritten).toBe(true);
      const lamp = { ...second, label: 'Lamp' };
      const changed = await writeAndRead(store, [...remove(first.id), ...put(lamp)], added.current, now);
      expect(changed).toMatchObject({ isWritten: true, current: { parcels: [lamp] } });
      expect(changed.current.changeSeq).toBe(3);
      expect(await store.newer(changed.current)).toBeNull();
      expect(await store.newer(added.current)).toEqual(changed.current);
    });

    it('keeps new parcels after the others', async () => {
      const store = (await create()).open();
      const { current } = await writeAndRead(store, put(first, second), await store.read(), now);
      const third = parcelOf('RA0CN');
      const later = await writeAndRead(store, put({ ...first, label: 'Lamp' }, third), current, now);
      expect(trackNos(later.current)).toEqual(['RB1CN', 'RB2CN', 'RA0CN']);
      expect(later.current.parcels[1]).toEqual(current.parcels[1]);
      expect((await store.read()).revision).toBe(later.current.revision);
    });

    it('refuses a change based on an outdated parcel, but accepts one based on an up-to-date parcel', async () => {
      const store = (await create()).open();
      const { current } = await writeAndRead(store, put(first, second), await store.read(), now);
      const theirs = await writeAndRead(store, put({ ...first, label: 'theirs' }), current, now);
      const refused = await writeAndRead(store, put({ ...first, label: 'mine' }), current, now);
      expect(refused).toEqual({ isWritten: false, current: theirs.current });
      const accepted = await writeAndRead(store, put({ ...second, label: 'mine' }), current, now);
      expect(accepted.isWritten).toBe(true);
      expect(accepted.current.parcels.map(({ label }) => label)).toEqual(['theirs', 'mine']);
    });

    it('refuses several changes as a whole if one of them is outdated', async () => {
      const store = (await create()).open();
      const { current } = await writeAndRead(store, put(first, second), await store.read(), now);
      await writeAndRead(store, remove(first.id), current, now);
      const writes = [...put({ ...first, label: 'mine' }), ...put({ ...second, label: 'mine' })];
      const refused = await writeAndRead(store, writes, current, now);
      expect(refused.isWritten).toBe(false);
      expect(refused.current.parcels.map(({ label }) => label)).toEqual([null]);
      expect((await store.changeLogAfter(0)).map(({ change }) => change)).toEqual(['added', 'added', 'removed']);
    });

    it('refuses a new parcel if its number was added in between', async () => {
      const store = (await create()).open();
      const known = await store.read();
      await writeAndRead(store, put(first), known, now);
      const again = { ...parcelOf('rb1cn'), id: 'again' };
      expect((await writeAndRead(store, put(again), known, now)).isWritten).toBe(false);
      expect((await writeAndRead(store, put(second), known, now)).isWritten).toBe(true);
    });

    it('accepts a second parcel with a number that it already contains', async () => {
      const store = (await create()).open();
      const { current } = await writeAndRead(store, put(first), await store.read(), now);
      const other = { ...parcelOf('RB1CN'), id: 'again', courierCode: 'dhl' };
      expect((await writeAndRead(store, put(other), current, now)).isWritten).toBe(true);
    });

    it('reads at least the parcels with the requested numbers', async () => {
      const store = (await create()).open();
      const { current } = await writeAndRead(store, put(first, second), await store.read(), now);
      const { parcels, ...newest } = await store.read(['rb2cn', 'RB9CN']);
      expect(parcels).toContainEqual(current.parcels[1]);
      expect(newest).toEqual({ revision: current.revision, changeSeq: 2 });
      expect((await store.read([])).changeSeq).toBe(2);
    });

    it('writes nothing for unchanged or missing parcels', async () => {
      const store = (await create()).open();
      const { current } = await writeAndRead(store, put(first), await store.read(), now);
      const [kept = first] = current.parcels;
      expect(await writeAndRead(store, put(kept), current, now)).toMatchObject({ isWritten: true });
      expect(await writeAndRead(store, remove('nobody'), current, now)).toMatchObject({ isWritten: true });
      expect(await writeAndRead(store, [], current, now)).toMatchObject({ isWritten: true });
      expect(await store.changeLogAfter(1)).toEqual([]);
    });

    it('keeps unknown fields, large numbers and unusual strings', async () => {
      const watchlist = await create();
      const odd = {
        ...first,
        colour: 'red',
        extras: { ...first.extras, gate: 7 },
        weights: [1.5, 1e21, Number.MAX_SAFE_INTEGER, -0.1],
        'a "name"\\': `${'x'.repeat(100_000)}{},"'\\`,
      };
      await writeWithRetry(watchlist.open(), () => put(odd, second));
      expect((await watchlist.open().read()).parcels).toMatchObject([odd, second]);
    });

    it.each([
      ['a null character', 'a\u0000b'],
      ['a lone high surrogate', 'a\ud83d'],
      ['a lone low surrogate', '\ude00b'],
      ['quotes, brackets and commas', `{"a,b"},'\\',NULL,$1;--`],
      ['escape sequences', '\u001b[31mred\u001b]0;title\u0007'],
      ['a megabyte of letters', 'Lamp '.repeat(200_000)],
    ])('writes text that contains %s', async (_what, text) => {
      const watchlist = await create();
      const store = watchlist.open();
      await writeWithRetry(store, () => put({ ...first, label: text, note: text } as Parcel));
      await store.updateHistory(first.id, (history) => ({ ...history, received: { note: text } }));
      await writeWithRetry(store, () => put(second));
      expect(trackNos(await watchlist.open().read())).toEqual(['RB1CN', 'RB2CN']);
      expect((await watchlist.open().changeLogAfter(0)).map(({ change }) => change)).toEqual(['added', 'added']);
      expect((await watchlist.open().readHistory(first.id)).received).toHaveProperty('note');
    });

    it('logs each real change with its old and new values, and when it happened and was noticed', async () => {
      const store = (await create()).open();
      const arrived = checkpointOf('Arrived', '2026-06-03T08:00:00Z');
      const lamp = parcelOf('RB1CN', { label: 'Lamp' });
      await writeWithRetry(store, () => put(lamp), someThursday);
      await writeWithRetry(store, () => put({ ...lamp, registration: 'registered' }), someThursday + 1_000);
      const desk: Parcel = { ...lamp, registration: 'registered', label: 'Desk lamp' };
      await writeWithRetry(store, () => put(desk), someThursday + 2_000);
      const moved: Parcel = { ...lamp, registration: 'registered', lastEvent: arrived };
      const [marked] = await writeWithRetry(store, () => put(moved), someThursday + 3_000);
      const changes = await store.changeLogAfter(0);
      expect(changes.map(({ change, seq }) => [seq, change])).toEqual([
        [1, 'added'],
        [2, 'registered'],
        [3, 'event'],
      ]);
      expect(changes[1]).toMatchObject({ from: { state: 'pending' }, to: { state: 'watching' }, label: 'Lamp' });
      expect(changes[2]).toMatchObject({
        at: arrived.at,
        noticedAt: new Date(someThursday + 3_000).toISOString(),
        from: { lastEvent: null },
        to: { lastEvent: { detail: 'Arrived' } },
        message: 'Arrived',
      });
      expect(marked?.changedAt).toBe(new Date(someThursday + 3_000).toISOString());
      expect(await store.changeLogAfter(2)).toEqual(changes.slice(2));
      expect(await store.changeLogAfter(3)).toEqual([]);
      expect((await store.read()).changeSeq).toBe(3);
    });

    it('applies changes to the latest history, and deletes a history', async () => {
      const store = (await create()).open();
      const addCheckpoint = (detail: string) =>
        store.updateHistory(first.id, (history) => ({
          ...history,
          checkpoints: [...history.checkpoints, checkpointOf(detail, null)],
        }));
      const histories = await Promise.all(['a', 'b', 'c'].map(addCheckpoint));
      expect(histories.map((history) => history.checkpoints.length).sort()).toEqual([1, 2, 3]);
      expect(await store.updateHistory(first.id, (history) => history)).toEqual(await store.readHistory(first.id));
      expect((await store.readHistory(first.id)).checkpoints).toHaveLength(3);
      await store.removeHistory(first.id);
      await store.removeHistory(first.id);
      expect((await store.readHistory(first.id)).checkpoints).toEqual([]);
    });

    it('reports a history change that throws, and continues', async () => {
      const store = (await create()).open();
      const failing = store.updateHistory(first.id, () => {
        throw new Error('not this one');
      });
      const other = store.updateHistory(second.id, (history) => ({ ...history, checkpoints }));
      await expect(failing).rejects.toThrow(Error);
      expect((await other).checkpoints).toEqual(checkpoints);
    });

    it("brings back a parcel's history when the parcel is added again", async () => {
      const store = (await create()).open();
      await writeWithRetry(store, () => put(first, second));
      await store.updateHistory(first.id, (history) => ({ ...history, checkpoints }));
      await writeWithRetry(store, () => remove(first.id));
      expect((await store.readHistory(first.id)).checkpoints).toEqual([]);
      await writeWithRetry(store, () => put(first));
      expect((await store.readHistory(first.id)).checkpoints).toEqual(checkpoints);
    });
  });

  describe.runIf(isShared)(`several stores ${name}`, () => {
    it.each(['..', 'a/b', '', 'a b'])('refuse %j as the id of a history', async (id) => {
      expect((await failureOf((await create()).open().readHistory(id))).message).toMatch(/not a valid parcel id/);
    });

    it("notice each other's changes, but not their own", async () => {
      const watchlist = await create();
      const [mine, other] = [watchlist.open(), watchlist.open()];
      await writeWithRetry(mine, () => put(first));
      const known = await mine.read();
      expect(await mine.newer(known)).toBeNull();
      await writeWithRetry(other, () => put(second));
      const newer = await mine.newer(known);
      expect(newer?.parcels[0]).toBe(known.parcels[0]);
      expect(trackNos(await mine.read())).toEqual(['RB1CN', 'RB2CN']);
      expect(newer === null ? newer : await mine.newer(newer)).toBeNull();
    });

    it("refuse a write that conflicts with another store's, and then read the current contents", async () => {
      const watchlist = await create();
      const [mine, other] = [watchlist.open(), watchlist.open()];
      await writeWithRetry(mine, () => put(first, second));
      const known = await mine.read();
      await writeWithRetry(other, () => put({ ...first, label: 'theirs' }, { ...second, label: 'theirs' }));
      const refused = await writeAndRead(mine, put({ ...first, label: 'mine' }), known, now);
      expect(refused.isWritten).toBe(false);
      expect(trackNos(refused.current)).toEqual(['RB1CN', 'RB2CN']);
      expect(refused.current.parcels.map(({ label }) => label)).toEqual(['theirs', 'theirs']);
    });

    it('lose none of 90 simultaneous changes, and number them without gaps', async () => {
      const watchlist = await create();
      const stores = [watchlist.open(), watchlist.open(), watchlist.open()];
      await Promise.all(
        stores.map(async (store, which) => {
          for (let index = 0; index < 30; index += 1)
            await writeWithRetry(store, () => put(parcelOf(`S${which}N${index}`)));
        }),
      );
      const { parcels } = await watchlist.open().read();
      expect(new Set(parcels.map(({ id }) => id)).size).toBe(90);
      expect((await watchlist.open().changeLogAfter(0)).map(({ seq }) => seq)).toEqual(
        Array.from({ length: 90 }, (_, index) => index + 1),
      );
    });

    it('lose no history changes made simultaneously', async () => {
      const watchlist = await create();
      const stores = [watchlist.open(), watchlist.open()];
      await Promise.all(
        stores.flatMap((store, which) =>
          Array.from({ length: 10 }, (_, index) =>
            store.updateHistory(first.id, (history) => ({
              ...history,
              checkpoints: [...history.checkpoints, checkpointOf(`${which} ${index}`, null)],
            })),
          ),
        ),
      );
      expect((await watchlist.open().readHistory(first.id)).checkpoints).toHaveLength(20);
    });

    it('restore a removed parcel unchanged', async () => {
      const watchlist = await create();
      const store = watchlist.open();
      const [lamp] = await writeWithRetry(store, () => put({ ...first, label: 'Lamp' }, second));
      await store.updateHistory(first.id, (history) => ({ ...history, checkpoints }));
      await writeWithRetry(store, () => remove(first.id));
      const recovery = watchlist.recovery();
      expect(await recovery?.trashed()).toEqual([{ parcel: lamp, removedAt: expect.any(Number) }]);
      expect(await recovery?.restoreParcel(first.id)).toEqual(lamp);
      expect((await store.read()).parcels).toContainEqual({ ...lamp, changedAt: expect.any(String) });
      expect((await store.readHistory(first.id)).checkpoints).toEqual(checkpoints);
      expect(await recovery?.trashed()).toEqual([]);
    });

    it('refuse to restore a parcel whose number is on the list, or an unknown parcel', async () => {
      const watchlist = await create();
      const recovery = watchlist.recovery();
      const store = watchlist.open();
      await writeWithRetry(store, () => put(first));
      await writeWithRetry(store, () => remove(first.id));
      await writeWithRetry(store, () => put({ ...first, id: 'other' }));
      expect((await failureOf(recovery?.restoreParcel(first.id) ?? Promise.resolve())).message).toMatch(
        /already on the list/,
      );
      expect((await failureOf(recovery?.restoreParcel('nobody') ?? Promise.resolve())).message).toMatch(
        /no longer in the trash/,
      );
      expect((await recovery?.trashed())?.map(({ parcel }) => parcel.id)).toEqual([first.id]);
    });
  });
}
