import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { StoreError } from '../../src/lib/store-errors.ts';
import type { Parcel } from '../../src/parcels/parcel.ts';
import type { Watchlist } from '../../src/parcels/parcel-list.ts';
import { type CopySource, type CopyTarget, copyWatchlist, digestItems } from '../../src/store/copy.ts';
import { createFileSource, createFileTarget } from '../../src/store/file/copy-side.ts';
import { createFileStore, type FileStore } from '../../src/store/file/file-store.ts';
import { createPostgresSource, createPostgresTarget } from '../../src/store/postgres/copy-side.ts';
import { createPostgresRecovery, createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { parcelOf } from '../parcels/parcels.ts';
import { createTestDatabase } from '../support/postgres/test-server.ts';
import { realClock } from '../support/real-clock.ts';
import { checkpointOf } from '../support/records.ts';
import { makeTables, newAccount, openDatabase } from './postgres/test-database.ts';
import { addParcels, createStoreFolder, failureOf, removeParcels } from './store-folder.ts';

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

/** Creates a folder with a watchlist that contains data of every kind. */
async function fullFolder(): Promise<{ directory: string; store: FileStore }> {
  const folder = await createStoreFolder();
  onTestFinished(() => folder.remove());
  const store = folder.open();
  const many = Array.from({ length: 520 }, (_, index) => parcelOf(`N${index}`));
  await store.update(addParcels(odd, parcelOf('RB2CN'), parcelOf('RB3CN'), ...many));
  for (const id of ['rb1cn', 'rb2cn', 'n7'])
    await store.updateHistory(id, (history) => ({
      ...history,
      checkpoints: [checkpointOf(`Arrived ${id}`, '2026-11-18T08:00:00Z')],
      received: { big: 9_007_199_254_740_991, note: 'a\u0000b' },
    }));
  await store.update(removeParcels('rb2cn', 'n3'));
  await store.update((list: Watchlist) => ({
    ...list,
    parcels: list.parcels.map((parcel) => (parcel.id === 'n9' ? { ...parcel, archivedAt: parcel.addedAt } : parcel)),
  }));
  return { directory: folder.directory, store };
}

/** Creates a copy's target, and returns a function that opens it, any number of times. */
const targets: Readonly<
  Record<'a database' | 'files', () => Promise<() => { target: CopyTarget; source: CopySource }>>
> = {
  'a database': async () => {
    const account = await newAccount(openDatabase(address));
    return () => {
      const database = openDatabase(address, { timings: { lockMs: 200 } });
      return { target: createPostgresTarget(database, account), source: createPostgresSource(database, account) };
    };
  },
  files: async () => {
    const directory = await emptyFolder();
    return () => ({
      target: createFileTarget({ ...files, directory }),
      source: createFileSource({ ...files, directory }),
    });
  },
};

describe.each(Object.entries(targets))('copying a watchlist to %s', (_where, createPlace) => {
  it('is refused while another copy is running', async () => {
    const source = createFileSource({ ...files, directory: (await fullFolder()).directory });
    const open = await createPlace();
    const [first, second] = [open(), open()];
    let error: StoreError | null = null;
    await copyWatchlist(
      {
        ...source,
        async lastSeq() {
          error = await failureOf(copyWatchlist(source, second.target));
          return await source.lastSeq();
        },
      },
      first.target,
    );
    expect(error).toMatchObject({ kind: 'locked' });
    expect(await digestItems(first.source.pages)).toEqual(await digestItems(source.pages));
  });

  it('starts over after an interruption, with the latest changes, and never overwrites a different watchlist', async () => {
    const { directory, store } = await fullFolder();
    const source = createFileSource({ ...files, directory });
    const { source: copy, target } = (await createPlace())();
    const interruption = new AbortController();
    const onProgress = ({ kind }: { kind: string }): void => {
      if (kind === 'trash') interruption.abort(new Error('interrupted'));
    };
    await expect(copyWatchlist(source, target, { signal: interruption.signal, onProgress })).rejects.toThrow(
      'interrupted',
    );
    await store.update(removeParcels('n5'));
    await store.removeHistory('n7');
    await copyWatchlist(source, target);
    expect(await digestItems(copy.pages)).toEqual(await digestItems(source.pages));
    expect((await failureOf(copyWatchlist(source, target))).message).toMatch(/already has a watchlist/);
  });
});

describe('copying a watchlist', () => {
  it('preserves everything from files to a database, to a second account and back to files', async () => {
    const { directory, store } = await fullFolder();
    const source = createFileSource({ ...files, directory });
    const database = openDatabase(address);
    const [first, second] = [await newAccount(database), await newAccount(database)];
    const firstReport = await copyWatchlist(source, createPostgresTarget(database, first));
    await copyWatchlist(createPostgresSource(openDatabase(address), first), createPostgresTarget(database, second));
    const home = await emptyFolder();
    const lastReport = await copyWatchlist(
      createPostgresSource(database, second),
      createFileTarget({ ...files, directory: home }),
    );
    expect(lastReport).toEqual(firstReport);
    expect(await digestItems(createFileSource({ ...files, directory: home }).pages)).toEqual(
      await digestItems(source.pages),
    );
    expect(firstReport).toMatchObject({
      parcels: { count: 521 },
      histories: { count: 3 },
      trash: { count: 2 },
      changes: { count: 526 },
    });

    const [copied, kept] = [createPostgresStore({ database, account: second }), await store.read()];
    expect((await copied.read()).parcels).toEqual(kept.parcels);
    expect((await copied.read()).changeSeq).toBe(kept.changeSeq);
    expect(await copied.changeLogAfter(0)).toEqual(await store.changeLogAfter(0));
    const recovery = createPostgresRecovery({ database, account: second, store: copied, clock: realClock });
    await recovery.restoreParcel('rb2cn');
    expect((await copied.readHistory('rb2cn')).checkpoints).toHaveLength(1);
    expect((await copied.read()).parcels.at(-1)?.id).toBe('rb2cn');
    expect((await copied.changeLogAfter(kept.changeSeq)).map(({ seq }) => seq)).toEqual([kept.changeSeq + 1]);
  });

  it('includes parcels that share a position in the list', async () => {
    const { directory } = await fullFolder();
    const database = openDatabase(address);
    const [first, second] = [await newAccount(database), await newAccount(database)];
    await copyWatchlist(createFileSource({ ...files, directory }), createPostgresTarget(database, first));
    // A different program may have written these.
    await database.query('update parcel_monitor.parcel set position = 7 where account_id = $1', [first.id]);
    const report = await copyWatchlist(
      createPostgresSource(openDatabase(address), first),
      createPostgresTarget(database, second),
    );
    expect(report.parcels.count).toBe(521);
  });

  it('preserves the time of a removal to the millisecond', async () => {
    const { directory } = await fullFolder();
    const database = openDatabase(address);
    const account = await newAccount(database);
    await copyWatchlist(createFileSource({ ...files, directory }), createPostgresTarget(database, account));
    await database.query(
      "update parcel_monitor.removed set removed_at = '2026-11-18 08:00:00.123456Z' where account_id = $1 and id = 'rb2cn'",
      [account.id],
    );
    const home = await emptyFolder();
    await copyWatchlist(createPostgresSource(database, account), createFileTarget({ ...files, directory: home }));
    const trashed = await createFileStore({ ...files, directory: home }).recovery.trashed();
    expect(trashed.find(({ parcel }) => parcel.id === 'rb2cn')?.removedAt).toBe(Date.parse('2026-11-18T08:00:00.123Z'));
  });

  it('starts over if another program writes, and gives up after a few tries', async () => {
    const { directory, store } = await fullFolder();
    const source = createFileSource({ ...files, directory });
    let writes = 0;
    const busySource = (maxWrites: number): CopySource => ({
      ...source,
      async lastSeq() {
        writes += 1;
        if (writes <= maxWrites) await store.update(addParcels(parcelOf(`LATE${writes}`)));
        return await source.lastSeq();
      },
    });
    const database = openDatabase(address);
    const account = await newAccount(database);
    const target = createPostgresTarget(database, account);
    expect((await failureOf(copyWatchlist(busySource(Number.POSITIVE_INFINITY), target))).message).toMatch(
      /keeps changing/,
    );
    writes = 0;
    await copyWatchlist(busySource(1), target);
    expect(await digestItems(createPostgresSource(database, account).pages)).toEqual(await digestItems(source.pages));
  });

  it('fails if the copy differs from the source', async () => {
    const { directory } = await fullFolder();
    const target = createFileTarget({ ...files, directory: await emptyFolder() });
    const lossy: CopyTarget = {
      ...target,
      receive: async (work) =>
        await target.receive((sink) =>
          work({
            ...sink,
            write: async (kind, items) => await sink.write(kind, kind === 'histories' ? items.slice(1) : items),
          }),
        ),
    };
    const error = await failureOf(copyWatchlist(createFileSource({ ...files, directory }), lossy));
    expect(error.message).toMatch(/differs from the original \(histories: 2 of 3\)/);
  });
});
