import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sleep } from '../../src/lib/clock.ts';
import type { Parcel, Watchlist } from '../../src/parcels/parcel.ts';
import { type CopySide, type CopyTarget, copyWatchlist, digestOf } from '../../src/store/copy.ts';
import { createFileSide, createFileTarget } from '../../src/store/file/copy-side.ts';
import { createFileStore, type FileStore } from '../../src/store/file/file-store.ts';
import { createPostgresSide, createPostgresTarget } from '../../src/store/postgres/copy-side.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createPostgresRecovery } from '../../src/store/postgres/recovery.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { createHurryingClock } from '../support/hurrying-clock.ts';
import { createTestDatabase } from '../support/postgres/test-server.ts';
import { realClock } from '../support/real-clock.ts';
import { checkpointOf } from '../support/records.ts';
import { makeTables, newAccount, openDatabase } from './postgres/test-database.ts';
import { adding, createStoreFolder, failureOf, removing } from './store-folder.ts';

let address = '';
beforeAll(async () => {
  ({ address } = await createTestDatabase());
  await makeTables(address);
});

const files = { clock: realClock, random: Math.random };
const odd = {
  ...parcelOf('RB1CN', { label: 'Lampe 深圳 "quoted", {braces}', archivedAt: '2026-11-01T00:00:00.000Z' }),
  colour: 'red',
  volume: 1e21,
} as Parcel;

async function emptyFolder(): Promise<string> {
  const folder = await createStoreFolder();
  onTestFinished(() => folder.remove());
  return folder.directory;
}

/** A folder with a watchlist that has some of everything. */
async function fullFolder(): Promise<{ directory: string; store: FileStore }> {
  const folder = await createStoreFolder();
  onTestFinished(() => folder.remove());
  const store = folder.open();
  const many = Array.from({ length: 520 }, (_, index) => parcelOf(`N${index}`));
  await store.update(adding(odd, parcelOf('RB2CN'), parcelOf('RB3CN'), ...many));
  for (const id of ['rb1cn', 'rb2cn', 'n7'])
    await store.updateHistory(id, (history) => ({
      ...history,
      checkpoints: [checkpointOf(`Arrived ${id}`, '2026-11-18T08:00:00Z')],
      received: { big: 9_007_199_254_740_991, note: 'a\u0000b' },
    }));
  await store.update(removing('rb2cn', 'n3'));
  await store.update((list: Watchlist) => ({
    ...list,
    parcels: list.parcels.map((parcel) => (parcel.id === 'n9' ? { ...parcel, archivedAt: parcel.addedAt } : parcel)),
  }));
  return { directory: folder.directory, store };
}

type Opening = Pick<typeof files, 'clock'>;

/** Where a copy can go to, opened as often as wanted. */
const targets: Readonly<Record<'a database' | 'files', () => Promise<(opening?: Opening) => CopyTarget>>> = {
  'a database': async () => {
    const account = await newAccount(openDatabase(address));
    return (opening) => createPostgresTarget(openDatabase(address), account, { ...files, ...opening });
  },
  files: async () => {
    const directory = await emptyFolder();
    return () => createFileTarget({ ...files, directory });
  },
};

describe('two copies at once', () => {
  it.each(Object.entries(targets))('to %s: the other is told to wait for the end', async (_where, makePlace) => {
    const source = createFileSide({ ...files, directory: (await fullFolder()).directory });
    const open = await makePlace();
    const [one, other] = [open(), open()];
    const [begun, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isRefused = false;
    const first = copyWatchlist(source, {
      ...one,
      async settle(seq) {
        begun.resolve();
        while (!isRefused) {
          await one.write('changes', []);
          await Promise.race([refused.promise, sleep(realClock, 20)]);
        }
        await one.settle(seq);
      },
    });
    await begun.promise;
    let waits = 0;
    const error = await failureOf(copyWatchlist(source, other, { onWaiting: () => (waits += 1) }));
    isRefused = true;
    refused.resolve();
    expect({ kind: error.kind, message: error.message, waits }).toEqual({
      kind: 'locked',
      message: expect.stringContaining('goes on just now'),
      waits: 1,
    });
    await first;
    expect(await digestOf(one)).toEqual(await digestOf(source));
  });

  it('to a database: what stood still for long has lost its place, and writes nothing any more', async () => {
    const source = createFileSide({ ...files, directory: (await fullFolder()).directory });
    const open = await targets['a database']();
    const [one, other] = [open(), open({ clock: createHurryingClock() })];
    await one.begin(source.place);
    expect((await copyWatchlist(source, other)).isResumed).toBe(true);
    expect((await failureOf(one.write('changes', []))).message).toContain('while this one stood still');
  });
});

describe('a copy of a watchlist', () => {
  it('goes from files to a database, on to another account, and back to files without a difference', async () => {
    const { directory, store } = await fullFolder();
    const source = createFileSide({ ...files, directory });
    const database = openDatabase(address);
    const [one, two] = [await newAccount(database), await newAccount(database)];
    const there = await copyWatchlist(source, createPostgresTarget(database, one, files));
    await copyWatchlist(createPostgresSide(database, one), createPostgresTarget(database, two, files));
    const home = await emptyFolder();
    const back = await copyWatchlist(
      createPostgresSide(database, two),
      createFileTarget({ ...files, directory: home }),
    );
    expect(back.kinds).toEqual(there.kinds);
    expect(await digestOf(createFileSide({ ...files, directory: home }))).toEqual(await digestOf(source));
    expect(there).toMatchObject({
      isResumed: false,
      kinds: { parcels: { count: 521 }, histories: { count: 3 }, trash: { count: 2 }, changes: { count: 526 } },
    });
    expect(await readdir(home)).not.toContain('copying.json');

    const [copied, kept] = [createPostgresStore({ database, account: two }), await store.read()];
    expect((await copied.read()).parcels).toEqual(kept.parcels);
    expect((await copied.read()).changeSeq).toBe(kept.changeSeq);
    expect(await copied.changeLogAfter(0)).toEqual(await store.changeLogAfter(0));
    const recovery = createPostgresRecovery({ database, account: two, store: copied, clock: realClock });
    await recovery.restoreParcel('rb2cn');
    expect((await copied.readHistory('rb2cn')).checkpoints).toHaveLength(1);
    expect((await copied.read()).parcels.at(-1)?.id).toBe('rb2cn');
    expect((await copied.changeLogAfter(kept.changeSeq)).map(({ seq }) => seq)).toEqual([kept.changeSeq + 1]);
  });

  it.each(Object.entries(targets))(
    'to %s goes on where it was interrupted, with what has changed since',
    async (_where, makePlace) => {
      const { directory, store } = await fullFolder();
      const source = createFileSide({ ...files, directory });
      const target = (await makePlace())();
      const ending = new AbortController();
      const onProgress = ({ kind }: { kind: string }): void => {
        if (kind === 'trash') ending.abort(new Error('interrupted'));
      };
      await expect(copyWatchlist(source, target, { signal: ending.signal, onProgress })).rejects.toThrow('interrupted');
      await store.update(removing('n5'));
      await store.removeHistory('n7');
      const other = createFileSide({ ...files, directory: await emptyFolder() });
      expect((await failureOf(copyWatchlist(other, target))).message).toMatch(/part of a copy/);
      const report = await copyWatchlist(source, target);
      expect(report.isResumed).toBe(true);
      expect(await digestOf(target)).toEqual(await digestOf(source));
      expect((await failureOf(copyWatchlist(source, target))).message).toMatch(/holds a watchlist already/);
    },
  );

  it('writes nothing twice that stands in the database already', async () => {
    const { directory } = await fullFolder();
    const source = createFileSide({ ...files, directory });
    const database = openDatabase(address);
    const target = createPostgresTarget(database, await newAccount(database), files);
    const ending = new AbortController();
    const onProgress = ({ isVerifying }: { isVerifying: boolean }): void => {
      if (isVerifying) ending.abort(new Error('interrupted'));
    };
    await expect(copyWatchlist(source, target, { signal: ending.signal, onProgress })).rejects.toThrow('interrupted');
    expect((await copyWatchlist(source, target)).written).toBe(0);
  });

  it('leaves out nobody who shares a place in the list with others', async () => {
    const { directory } = await fullFolder();
    const database = openDatabase(address);
    const [one, two] = [await newAccount(database), await newAccount(database)];
    await copyWatchlist(createFileSide({ ...files, directory }), createPostgresTarget(database, one, files));
    // As another program may have written them.
    await database.query('update parcel_monitor.parcel set position = 7 where account_id = $1', [one.id]);
    const report = await copyWatchlist(createPostgresSide(database, one), createPostgresTarget(database, two, files));
    expect(report.kinds.parcels.count).toBe(521);
  });

  it('keeps when something was removed to the millisecond', async () => {
    const { directory } = await fullFolder();
    const database = openDatabase(address);
    const account = await newAccount(database);
    await copyWatchlist(createFileSide({ ...files, directory }), createPostgresTarget(database, account, files));
    await database.query(
      "update parcel_monitor.removed set removed_at = '2026-11-18 08:00:00.123456Z' where account_id = $1 and id = 'rb2cn'",
      [account.id],
    );
    const home = await emptyFolder();
    await copyWatchlist(createPostgresSide(database, account), createFileTarget({ ...files, directory: home }));
    const trashed = await createFileStore({ ...files, directory: home }).recovery.trashed();
    expect(trashed.find(({ parcel }) => parcel.id === 'rb2cn')?.removedAt).toBe(Date.parse('2026-11-18T08:00:00.123Z'));
  });

  it('is gone through again while somebody writes, and given up where that does not end', async () => {
    const { directory, store } = await fullFolder();
    const source = createFileSide({ ...files, directory });
    let writes = 0;
    const busy = (most: number): CopySide => ({
      ...source,
      async lastSeq() {
        writes += 1;
        if (writes <= most) await store.update(adding(parcelOf(`LATE${writes}`)));
        return await source.lastSeq();
      },
    });
    const database = openDatabase(address);
    const target = createPostgresTarget(database, await newAccount(database), files);
    expect((await failureOf(copyWatchlist(busy(Number.POSITIVE_INFINITY), target))).message).toMatch(
      /keeps being changed/,
    );
    writes = 0;
    await copyWatchlist(busy(1), target);
    expect(await digestOf(target)).toEqual(await digestOf(source));
  });

  it('says so when what arrived is not what was sent', async () => {
    const { directory } = await fullFolder();
    const home = await emptyFolder();
    const target = createFileTarget({ ...files, directory: home });
    const lossy: CopyTarget = {
      ...target,
      write: async (kind, items) => await target.write(kind, kind === 'histories' ? items.slice(1) : items),
    };
    const error = await failureOf(copyWatchlist(createFileSide({ ...files, directory }), lossy));
    expect(error.message).toMatch(/differs from the original \(histories: 2 of 3\)/);
    expect(await readdir(home)).toContain('copying.json');
    expect(await readdir(join(home, 'history'))).toHaveLength(1);
  });
});
