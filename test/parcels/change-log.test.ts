import { appendFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs as day } from '../../src/lib/clock.ts';
import { type Change, readChange } from '../../src/parcels/change.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import { shownStage } from '../../src/parcels/parcel-state.ts';
import type { FileStore } from '../../src/store/file/file-store.ts';
import { createMemoryStore, type WatchlistStore } from '../../src/store/store.ts';
import { addParcels, createStoreFolder, removeParcels, type StoreFolder } from '../store/store-folder.ts';
import { createFakeClock, someThursday } from '../support/fake-clock.ts';
import { checkpointOf, recordOf } from '../support/records.ts';
import { parcelOf } from './parcels.ts';

let folder: StoreFolder;
beforeEach(async () => {
  folder = await createStoreFolder();
});
afterEach(() => folder.remove());

const lamp = parcelOf('RB1CN', { label: 'Lamp' });
const logPath = (): string => join(folder.directory, 'changes.jsonl');
const fileLines = async (): Promise<readonly (Change | null)[]> =>
  (await readFile(logPath(), 'utf8')).trimEnd().split('\n').map(readChange);
const put = async (store: WatchlistStore, parcel: Parcel, now = someThursday): Promise<void> => {
  const known = await store.read();
  expect((await store.write([{ id: parcel.id, parcel }], known, now)).isWritten).toBe(true);
};
const relabel = (label: string) => (list: { version: 1; parcels: readonly Parcel[] }) => ({
  ...list,
  parcels: list.parcels.map((parcel) => ({ ...parcel, label })),
});

describe('the change log in a file', () => {
  it('stores each line once, with consecutive numbers, even for several stores', async () => {
    const stores = [folder.open(), folder.open(), folder.open()];
    await Promise.all(
      stores.flatMap((store, which) =>
        Array.from({ length: 20 }, (_, index) => store.update(addParcels(parcelOf(`S${which}N${index}`)))),
      ),
    );
    const seqs = Array.from({ length: 60 }, (_, index) => index + 1);
    expect((await fileLines()).map((change) => change?.seq)).toEqual(seqs);
    expect((await folder.open().changeLogAfter(0)).map(({ seq }) => seq)).toEqual(seqs);
  });

  it.each<[string, (size: number) => Promise<void>]>([
    ['the whole line', () => rm(logPath())],
    ['part of a line', (size) => truncate(logPath(), size - 20)],
    ['the end of a line', (size) => truncate(logPath(), size - 1)],
  ])('recovers %s from the watchlist after a kill', async (_what, damage) => {
    await folder.open().update(addParcels(lamp));
    await damage((await readFile(logPath())).length);
    expect((await folder.open().changeLogAfter(0)).map(({ change }) => change)).toEqual(['added']);
    await folder.open().update(removeParcels(lamp.id));
    expect((await fileLines()).map((change) => change?.change)).toEqual(['added', 'removed']);
    expect((await folder.open().changeLogAfter(0)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('keeps its lines in the watchlist while the log file cannot be written, and reports it', async () => {
    await folder.open().update(addParcels(lamp));
    await rm(logPath());
    await folder.put('changes.jsonl/in-the-way', '');
    const store = folder.open();
    await store.update(removeParcels(lamp.id));
    await store.update(addParcels(parcelOf('RB2CN')));
    expect(store.takeNotices()[0]).toContain('New lines of the change log could not be moved');
    await rm(logPath(), { recursive: true });
    await folder.open().update(removeParcels('rb2cn'));
    expect((await fileLines()).map((change) => change?.seq)).toEqual([1, 2, 3, 4]);
  });

  it('continues its numbering after the watchlist was deleted or edited', async () => {
    await folder.open().update(addParcels(lamp));
    await rm(folder.indexPath);
    await folder.open().update(addParcels(lamp));
    expect((await fileLines()).map((change) => change?.seq)).toEqual([1, 2]);
    await writeFile(folder.indexPath, JSON.stringify({ version: 1, changes: 'nonsense', parcels: [] }));
    await folder.open().update(addParcels(lamp));
    expect((await fileLines()).map((change) => change?.seq)).toEqual([1, 2, 3]);
  });

  it('continues its numbering after an older watchlist was restored', async () => {
    await folder.open().update(addParcels(lamp));
    const older = await readFile(folder.indexPath);
    await folder.open().update(addParcels(parcelOf('RB2CN')));
    await writeFile(folder.indexPath, older);
    const store = folder.open();
    expect((await store.read()).changeSeq).toBe(2);
    expect((await store.changeLogAfter(1)).map(({ seq }) => seq)).toEqual([2]);
    await store.update(addParcels(parcelOf('RB3CN')));
    expect((await store.changeLogAfter(0)).map(({ seq, trackNo }) => [seq, trackNo])).toEqual([
      [1, 'RB1CN'],
      [2, 'RB2CN'],
      [3, 'RB3CN'],
    ]);
  });

  it('continues its numbering after waiting for the lock', async () => {
    await folder.open().update(addParcels(lamp));
    const older = await readFile(folder.indexPath);
    // The second writer waits for the first, and then an editor restores the older file.
    const [first, second] = [folder.open(), folder.open()].map((store, which) =>
      store.update((current) => ({ ...current, parcels: [...current.parcels, parcelOf(`RB${which + 2}CN`)] })),
    );
    await first;
    await writeFile(folder.indexPath, older);
    await second;
    const lines = await fileLines();
    expect(lines.map((change) => change?.seq)).toEqual(lines.map((_line, index) => index + 1));
    expect(new Set(lines.map((change) => change?.trackNo))).toEqual(new Set(['RB1CN', 'RB2CN', 'RB3CN']));
  });

  it('keeps its latest number when a backup without changes is restored', async () => {
    await folder.open().update(addParcels(lamp));
    const older = JSON.parse(await readFile(folder.indexPath, 'utf8'));
    await folder.open().update(relabel('Desk lamp'));
    await folder.open().update(addParcels(parcelOf('RB2CN')));
    await folder.open().update(removeParcels('rb2cn'));
    await folder.open().update(() => older);
    expect((await folder.open().read()).changeSeq).toBe(3);
    expect(JSON.parse(await readFile(folder.indexPath, 'utf8')).changes.seq).toBe(3);
  });

  it('skips invalid lines', async () => {
    await folder.open().update(addParcels(lamp));
    await appendFile(logPath(), 'not a line\n{"seq":7}\n');
    await folder.open().update(removeParcels(lamp.id));
    expect((await folder.open().changeLogAfter(0)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('is readable only by the user', async () => {
    await folder.open().update(addParcels(lamp));
    expect(((await stat(logPath())).mode & 0o777).toString(8)).toBe('600');
  });

  it('has no line for a changed label', async () => {
    await folder.open().update(addParcels(lamp));
    await folder.open().update(relabel('Desk lamp'));
    expect(await fileLines()).toHaveLength(1);
  });

  it('drops lines after 90 days, but keeps counting', async () => {
    const openAt = (now: number): FileStore => folder.open({ clock: createFakeClock(now) });
    await openAt(someThursday).update(addParcels(lamp));
    await openAt(someThursday + 89 * day).update(removeParcels(lamp.id));
    expect(await fileLines()).toHaveLength(2);
    await openAt(someThursday + 91 * day).update(addParcels(lamp));
    expect((await fileLines()).map((change) => change?.seq)).toEqual([2, 3]);
  });
});

it("limits the courier's text in a line of the change log", async () => {
  const store = createMemoryStore();
  const known: Parcel = { ...lamp, registration: 'registered', record: summaryOf('IN_TRANSIT') };
  await put(store, known);
  const longText = (word: string): string => `${word} ${'W'.repeat(1990)}`;
  const lastEvent = checkpointOf(longText('event'), '2026-06-03T08:00:00Z', { address: longText('place') });
  await put(store, { ...known, lastEvent }, someThursday + day);
  const changes = await store.changeLogAfter(0);
  expect(changes.map(({ change }) => change)).toEqual(['added', 'event']);
  expect(changes.map((line) => readChange(JSON.stringify(line)))).toEqual(changes);
});

describe('an unread mark', () => {
  const known = parcelOf('RB1CN', {
    registration: 'registered',
    addedAt: new Date(someThursday - day).toISOString(),
    lastEvent: checkpointOf('Arrived', '2026-06-03T08:00:00Z'),
  });
  const unreadAfter = async (...states: readonly Parcel[]): Promise<Parcel['unread']> => {
    const store = createMemoryStore({ version: 1, parcels: [states[0] ?? known] });
    for (const [index, state] of states.slice(1).entries()) {
      const { unread } = (await store.read()).parcels[0] ?? {};
      await put(store, unread === undefined ? state : { ...state, unread }, someThursday + index * 1_000);
    }
    return (await store.read()).parcels[0]?.unread;
  };
  const departed = { ...known, lastEvent: checkpointOf('Departed', '2026-06-04T08:00:00Z') };
  const delivered = { ...known, lastEvent: checkpointOf('Delivered', '2026-06-04T09:00:00Z') };

  it('is set by events that are newer than the last one seen', async () => {
    expect(await unreadAfter(known, departed)).toBeUndefined();
    const seen = { ...known, record: summaryOf('IN_TRANSIT') };
    expect(
      await unreadAfter(
        seen,
        { ...departed, record: summaryOf('IN_TRANSIT') },
        { ...delivered, record: summaryOf('DELIVERED') },
      ),
    ).toEqual({
      since: new Date(someThursday).toISOString(),
      lastRead: known.lastEvent,
    });
  });

  it("is set neither by the user's changes nor by the first result for a new number", async () => {
    expect(await unreadAfter(known, { ...known, archivedAt: known.addedAt })).toBeUndefined();
    const fresh = { ...known, addedAt: new Date(someThursday - 60_000).toISOString(), lastEvent: null };
    expect(await unreadAfter(fresh, { ...fresh, record: summaryOf('IN_TRANSIT') })).toBeUndefined();
    const waiting = { ...known, lastEvent: null };
    expect(await unreadAfter(waiting, { ...waiting, record: summaryOf('NO_RECORD') })).toBeUndefined();
    expect(await unreadAfter(waiting, { ...waiting, record: summaryOf('IN_TRANSIT') })).toBeDefined();
  });

  it('is set if a new parcel is already lost, so that it is not closed unseen', async () => {
    const fresh = { ...known, addedAt: new Date(someThursday - 60_000).toISOString(), lastEvent: null };
    const lost = { ...fresh, record: summaryOf('ABNORMAL', 'ABNORMAL_03') };
    const unread = await unreadAfter(fresh, lost);
    expect(unread).toEqual({ since: new Date(someThursday).toISOString(), lastRead: null });
    expect(shownStage({ ...lost, ...(unread === undefined ? {} : { unread }) })).toBe('attention');
  });
});

/** Returns the summary of a record with this status. */
function summaryOf(transitStatus: string, transitSubStatus: string | null = null): NonNullable<Parcel['record']> {
  const { checkpoints: _checkpoints, received: _received, ...summary } = recordOf({ transitStatus, transitSubStatus });
  return summary;
}
