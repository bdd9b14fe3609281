import { describe, expect, it } from 'vitest';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Recovery } from '../../src/store/recovery.ts';
import type { ParcelWrite, StoredParcels, WatchlistStore } from '../../src/store/store.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { someThursday } from '../support/fake-clock.ts';
import { checkpointOf } from '../support/records.ts';
import { failureOf, trackNos } from './store-folder.ts';

/** A watchlist for testing a store. */
export interface TriedWatchlist {
  /** Opens another store on the same watchlist, or returns the only one, as in memory. */
  open(): WatchlistStore;
  /** Recovery of removed parcels, or null. */
  recovery(): Recovery | null;
}

/** A kind of store. */
export interface StoreKind {
  /** An empty watchlist. */
  begin(): Promise<TriedWatchlist>;
  /** Whether several stores can use one watchlist, which also outlives them. */
  readonly isShared: boolean;
}

const now = someThursday;
const [first, second] = [parcelOf('RB1CN'), parcelOf('RB2CN')];
const checkpoints = [checkpointOf('Arrived', '2026-11-18T08:00:00Z')];
export const putting = (...parcels: readonly Parcel[]): readonly ParcelWrite[] =>
  parcels.map((parcel) => ({ id: parcel.id, parcel }) as ParcelWrite);
export const removing = (...ids: readonly string[]): readonly ParcelWrite[] => ids.map((id) => ({ id, parcel: null }));

/** Writes, and reads the result. */
export async function written(
  store: WatchlistStore,
  ...write: Parameters<WatchlistStore['write']>
): Promise<{ readonly isWritten: boolean; readonly isFenced?: true; readonly current: StoredParcels }> {
  return { ...(await store.write(...write)), current: await store.read() };
}

/** Writes like the program: decides again if others wrote in between. */
export async function writeAnew(
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

/** The behaviour of every store, wherever it keeps the watchlist. */
export function describeStoreContract(name: string, { begin, isShared }: StoreKind): void {
  describe(`a store ${name}`, () => {
    it('is empty before the first write', async () => {
      const store = (await begin()).open();
      expect(await store.read()).toMatchObject({ parcels: [], changeSeq: 0 });
      expect(await store.changeLogAfter(0)).toEqual([]);
      expect((await store.readHistory('rb1cn')).checkpoints).toEqual([]);
    });

    it('adds, changes and removes parcels, and knows what has changed since a read', async () => {
      const store = (await begin()).open();
      const empty = await store.read();
      const added = await written(store, putting(first, second), empty, now);
      expect(added.isWritten).toBe(true);
      const lamp = { ...second, label: 'Lamp' };
      const changed = await written(store, [...removing(first.id), ...putting(lamp)], added.current, now);
      expect(changed).toMatchObject({ isWritten: true, current: { parcels: [lamp] } });
      expect(changed.current.changeSeq).toBe(3);
      expect(await store.newer(changed.current)).toBeNull();
      expect(await store.newer(added.current)).toEqual(changed.current);
    });

    it('keeps new parcels after the others', async () => {
      const store = (await begin()).open();
      const { current } = await written(store, putting(first, second), await store.read(), now);
      const third = parcelOf('RA0CN');
      const later = await written(store, putting({ ...first, label: 'Lamp' }, third), current, now);
      expect(trackNos(later.current)).toEqual(['RB1CN', 'RB2CN', 'RA0CN']);
      expect(later.current.parcels[1]).toEqual(current.parcels[1]);
      expect((await store.read()).revision).toBe(later.current.revision);
    });

    it('refuses a change based on an outdated state of the parcel, and does not change other parcels', async () => {
      const store = (await begin()).open();
      const { current } = await written(store, putting(first, second), await store.read(), now);
      const meanwhile = await written(store, putting({ ...first, label: 'theirs' }), current, now);
      const refused = await written(store, putting({ ...first, label: 'mine' }), current, now);
      expect(refused).toEqual({ isWritten: false, current: meanwhile.current });
      const other = await written(store, putting({ ...second, label: 'mine' }), current, now);
      expect(other.isWritten).toBe(true);
      expect(other.current.parcels.map(({ label }) => label)).toEqual(['theirs', 'mine']);
    });

    it('refuses several changes together if one of them is outdated', async () => {
      const store = (await begin()).open();
      const { current } = await written(store, putting(first, second), await store.read(), now);
      await written(store, removing(first.id), current, now);
      const writes = [...putting({ ...first, label: 'mine' }), ...putting({ ...second, label: 'mine' })];
      const refused = await written(store, writes, current, now);
      expect(refused.isWritten).toBe(false);
      expect(refused.current.parcels.map(({ label }) => label)).toEqual([null]);
      expect((await store.changeLogAfter(0)).map(({ change }) => change)).toEqual(['added', 'added', 'removed']);
    });

    it('refuses a new parcel if its number was added in between', async () => {
      const store = (await begin()).open();
      const known = await store.read();
      await written(store, putting(first), known, now);
      const again = { ...parcelOf('rb1cn'), id: 'again' };
      expect((await written(store, putting(again), known, now)).isWritten).toBe(false);
      expect((await written(store, putting(second), known, now)).isWritten).toBe(true);
    });

    it('accepts a second parcel with a number that it already contains', async () => {
      const store = (await begin()).open();
      const { current } = await written(store, putting(first), await store.read(), now);
      const other = { ...parcelOf('RB1CN'), id: 'again', courierCode: 'dhl' };
      expect((await written(store, putting(other), current, now)).isWritten).toBe(true);
    });

    it('reads at least the parcels with the requested numbers', async () => {
      const store = (await begin()).open();
      const { current } = await written(store, putting(first, second), await store.read(), now);
      const { parcels, ...newest } = await store.read(['rb2cn', 'RB9CN']);
      expect(parcels).toContainEqual(current.parcels[1]);
      expect(newest).toEqual({ revision: current.revision, changeSeq: 2 });
      expect((await store.read([])).changeSeq).toBe(2);
    });

    it('writes nothing for unchanged or missing parcels', async () => {
      const store = (await begin()).open();
      const { current } = await written(store, putting(first), await store.read(), now);
      const [kept = first] = current.parcels;
      expect(await written(store, putting(kept), current, now)).toMatchObject({ isWritten: true });
      expect(await written(store, removing('nobody'), current, now)).toMatchObject({ isWritten: true });
      expect(await written(store, [], current, now)).toMatchObject({ isWritten: true });
      expect(await store.changeLogAfter(1)).toEqual([]);
    });

    it('keeps unknown fields, large numbers and unusual strings', async () => {
      const watchlist = await begin();
      const odd = {
        ...first,
        colour: 'red',
        extras: { ...first.extras, gate: 7 },
        weights: [1.5, 1e21, Number.MAX_SAFE_INTEGER, -0.1],
        'a "name"\\': `${'x'.repeat(100_000)}{},"'\\`,
      };
      await writeAnew(watchlist.open(), () => putting(odd, second));
      expect((await watchlist.open().read()).parcels).toMatchObject([odd, second]);
    });

    it.each([
      ['a null character', 'a\u0000b'],
      ['half a character', 'a\ud83d'],
      ['the other half of a character', '\ude00b'],
      ['quotes, brackets and commas', `{"a,b"},'\\',NULL,$1;--`],
      ['escape sequences', '\u001b[31mred\u001b]0;title\u0007'],
      ['a megabyte of letters', 'Lamp '.repeat(200_000)],
    ])('writes text that contains %s', async (_what, text) => {
      const watchlist = await begin();
      const store = watchlist.open();
      await writeAnew(store, () => putting({ ...first, label: text, note: text } as Parcel));
      await store.updateHistory(first.id, (history) => ({ ...history, received: { note: text } }));
      await writeAnew(store, () => putting(second));
      expect(trackNos(await watchlist.open().read())).toEqual(['RB1CN', 'RB2CN']);
      expect((await watchlist.open().changeLogAfter(0)).map(({ change }) => change)).toEqual(['added', 'added']);
      expect((await watchlist.open().readHistory(first.id)).received).toHaveProperty('note');
    });

    it('logs each real change with the old and new values, when it happened and when it was noticed', async () => {
      const store = (await begin()).open();
      const arrived = checkpointOf('Arrived', '2026-06-03T08:00:00Z');
      const lamp = parcelOf('RB1CN', { label: 'Lamp' });
      await writeAnew(store, () => putting(lamp), someThursday);
      await writeAnew(store, () => putting({ ...lamp, registration: 'registered' }), someThursday + 1_000);
      const desk: Parcel = { ...lamp, registration: 'registered', label: 'Desk lamp' };
      await writeAnew(store, () => putting(desk), someThursday + 2_000);
      const moved: Parcel = { ...lamp, registration: 'registered', lastEvent: arrived };
      const [marked] = await writeAnew(store, () => putting(moved), someThursday + 3_000);
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
      const store = (await begin()).open();
      const adding = (detail: string) =>
        store.updateHistory(first.id, (history) => ({
          ...history,
          checkpoints: [...history.checkpoints, checkpointOf(detail, null)],
        }));
      const written = await Promise.all(['a', 'b', 'c'].map(adding));
      expect(written.map((history) => history.checkpoints.length).sort()).toEqual([1, 2, 3]);
      expect(await store.updateHistory(first.id, (history) => history)).toEqual(await store.readHistory(first.id));
      expect((await store.readHistory(first.id)).checkpoints).toHaveLength(3);
      await store.removeHistory(first.id);
      await store.removeHistory(first.id);
      expect((await store.readHistory(first.id)).checkpoints).toEqual([]);
    });

    it('reports a history change that throws, and continues', async () => {
      const store = (await begin()).open();
      const failing = store.updateHistory(first.id, () => {
        throw new Error('not this one');
      });
      const other = store.updateHistory(second.id, (history) => ({ ...history, checkpoints }));
      await expect(failing).rejects.toThrow(Error);
      expect((await other).checkpoints).toEqual(checkpoints);
    });

    it('returns the history of a parcel that is restored', async () => {
      const store = (await begin()).open();
      await writeAnew(store, () => putting(first, second));
      await store.updateHistory(first.id, (history) => ({ ...history, checkpoints }));
      await writeAnew(store, () => removing(first.id));
      expect((await store.readHistory(first.id)).checkpoints).toEqual([]);
      await writeAnew(store, () => putting(first));
      expect((await store.readHistory(first.id)).checkpoints).toEqual(checkpoints);
    });
  });

  describe.runIf(isShared)(`several stores ${name}`, () => {
    it.each(['..', 'a/b', '', 'a b'])('refuse %j as the id of a history', async (id) => {
      expect((await failureOf((await begin()).open().readHistory(id))).message).toMatch(/not a valid parcel id/);
    });

    it('notice changes by each other, but not their own', async () => {
      const watchlist = await begin();
      const [mine, other] = [watchlist.open(), watchlist.open()];
      await writeAnew(mine, () => putting(first));
      const known = await mine.read();
      expect(await mine.newer(known)).toBeNull();
      await writeAnew(other, () => putting(second));
      const newer = await mine.newer(known);
      expect(newer?.parcels[0]).toBe(known.parcels[0]);
      expect(trackNos(await mine.read())).toEqual(['RB1CN', 'RB2CN']);
      expect(newer === null ? newer : await mine.newer(newer)).toBeNull();
    });

    it('are told about a conflict with each other, and the current contents', async () => {
      const watchlist = await begin();
      const [mine, other] = [watchlist.open(), watchlist.open()];
      await writeAnew(mine, () => putting(first, second));
      const known = await mine.read();
      await writeAnew(other, () => putting({ ...first, label: 'theirs' }, { ...second, label: 'theirs' }));
      const refused = await written(mine, putting({ ...first, label: 'mine' }), known, now);
      expect(refused.isWritten).toBe(false);
      expect(trackNos(refused.current)).toEqual(['RB1CN', 'RB2CN']);
      expect(refused.current.parcels.map(({ label }) => label)).toEqual(['theirs', 'theirs']);
    });

    it('lose none of 30 simultaneous changes each, and number them without a gap', async () => {
      const watchlist = await begin();
      const stores = [watchlist.open(), watchlist.open(), watchlist.open()];
      await Promise.all(
        stores.map(async (store, which) => {
          for (let index = 0; index < 30; index += 1)
            await writeAnew(store, () => putting(parcelOf(`S${which}N${index}`)));
        }),
      );
      const { parcels } = await watchlist.open().read();
      expect(new Set(parcels.map(({ id }) => id)).size).toBe(90);
      expect((await watchlist.open().changeLogAfter(0)).map(({ seq }) => seq)).toEqual(
        Array.from({ length: 90 }, (_, index) => index + 1),
      );
    });

    it('lose no history changes when they write simultaneously', async () => {
      const watchlist = await begin();
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
      const watchlist = await begin();
      const store = watchlist.open();
      const [lamp] = await writeAnew(store, () => putting({ ...first, label: 'Lamp' }, second));
      await store.updateHistory(first.id, (history) => ({ ...history, checkpoints }));
      await writeAnew(store, () => removing(first.id));
      const recovery = watchlist.recovery();
      expect(await recovery?.trashed()).toEqual([{ parcel: lamp, removedAt: expect.any(Number) }]);
      expect(await recovery?.restoreParcel(first.id)).toEqual(lamp);
      expect((await store.read()).parcels).toContainEqual({ ...lamp, changedAt: expect.any(String) });
      expect((await store.readHistory(first.id)).checkpoints).toEqual(checkpoints);
      expect(await recovery?.trashed()).toEqual([]);
    });

    it('restore neither a parcel whose number is on the list nor an unknown one', async () => {
      const watchlist = await begin();
      const recovery = watchlist.recovery();
      const store = watchlist.open();
      await writeAnew(store, () => putting(first));
      await writeAnew(store, () => removing(first.id));
      await writeAnew(store, () => putting({ ...first, id: 'other' }));
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
