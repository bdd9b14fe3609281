import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asStoreErrors, nullIfMissing, StoreError } from '../../lib/store-errors.ts';
import { historyIdOf } from '../../parcels/identity.ts';
import { assertValidId, idPattern, type Parcel, type ParcelHistory } from '../../parcels/parcel.ts';
import { emptyWatchlist } from '../../parcels/parcel-list.ts';
import {
  type CopyItem,
  type CopyKind,
  type CopySink,
  type CopySource,
  type CopyTarget,
  occupiedError,
} from '../copy.ts';
import { trashEntryName } from '../trash.ts';
import { removeFile, writeFileAtomically } from './atomic-write.ts';
import { listNames } from './damaged-files.ts';
import { createFileStore, type FileStoreOptions } from './file-store.ts';
import { makeFolder } from './folders.ts';
import { historyFormat, usableData, watchlistFormat } from './formats.ts';
import { JsonDocument } from './json-document.ts';
import { FolderLock } from './lock.ts';
import { fileMark, readListedFile } from './open-file.ts';

const pageItems = 500;
/** A copy's lock counts as abandoned if it was not renewed for this long. */
const staleMs = 5_000;
const historyFile = /^(.+)\.json$/;

export function createFileSource(options: FileStoreOptions): CopySource {
  const { directory } = options;
  const store = createFileStore(options);
  const [historyFolder, trashFolder] = [join(directory, 'history'), join(directory, 'trash')];

  async function* histories(): AsyncGenerator<CopyItem> {
    const liveIds = await historyNames(historyFolder);
    for (const id of liveIds) yield createItem(id, await store.readHistory(id));
    const removedAt = new Map(
      (await store.recovery.trashed()).map((trashed) => [historyIdOf(trashed.parcel), trashed.removedAt]),
    );
    const known = new Set(liveIds);
    for (const id of await historyNames(trashFolder)) {
      const removalTime = removedAt.get(id);
      // Leave out histories without a parcel, and those that have a newer version outside the trash.
      if (removalTime === undefined || known.has(id)) continue;
      const history = await readHistoryFile(join(trashFolder, `${id}.json`));
      if (history !== null) yield createItem(id, history, { removedAt: removalTime });
    }
  }
  async function* items(kind: CopyKind): AsyncGenerator<CopyItem> {
    if (kind === 'parcels')
      for (const [position, parcel] of (await store.read()).parcels.entries())
        yield createItem(parcel.id, parcel, { position });
    else if (kind === 'trash')
      for (const { parcel, removedAt } of await store.recovery.trashed())
        yield createItem(parcel.id, parcel, { removedAt });
    else if (kind === 'changes')
      for (const change of await store.changeLogAfter(0)) yield createItem(String(change.seq), change);
    else yield* histories();
  }
  return {
    place: join(directory, 'watchlist.json'),
    mark: async () =>
      await asStoreErrors(directory, async () =>
        JSON.stringify(
          await Promise.all(['watchlist.json', 'changes.jsonl', 'history', 'trash'].map(createMarkReader(directory))),
        ),
      ),
    lastSeq: async () => (await store.read()).changeSeq,
    pages: (kind) => paginate(items(kind)),
    takeNotices: () => store.takeNotices(),
  };
}

/** Returns a mark that changes when a file changes, or when files are added to or removed from a folder. */
const createMarkReader =
  (directory: string) =>
  async (name: string): Promise<string> => {
    const path = join(directory, name);
    const stats = await nullIfMissing(stat(path));
    return stats?.isDirectory() === true ? String(stats.mtimeMs) : await fileMark(path);
  };

/**
 * Returns the watchlist in files as the target of a copy. Rejects if there already is a watchlist. The index is written
 * last, which completes the copy.
 */
export function createFileTarget(options: FileStoreOptions): CopyTarget {
  const { clock, directory, processes = null, random } = options;
  const source = createFileSource(options);
  const { place } = source;
  const path = (...names: readonly string[]): string => join(directory, ...names);
  const documents = { clock, random, processes };
  const index = new JsonDocument(path('watchlist.json'), { format: watchlistFormat }, documents);
  /** Items that are collected and then written together at the end. */
  const collected: Record<'parcels' | 'trash' | 'changes', CopyItem[]> = { parcels: [], trash: [], changes: [] };
  const check = async (): Promise<void> => {
    const { changes, parcels } = await index.read();
    if (parcels.length > 0 || (changes?.seq ?? 0) > 0) throw occupiedError(place);
  };
  const sink: CopySink = {
    async clear() {
      collected.parcels = [];
      collected.trash = [];
      collected.changes = [];
      for (const folder of ['history', 'trash'])
        for (const name of await listNames(path(folder)))
          if (historyFile.test(name)) await removeFile(path(folder, name));
    },
    async write(kind, items) {
      if (kind !== 'histories') collected[kind].push(...items);
      else
        for (const { id, removedAt, value } of items) {
          assertValidId(id, directory);
          const file = path(removedAt === null ? 'history' : 'trash', `${id}.json`);
          await writeFileAtomically(file, historyFormat.encode(value as ParcelHistory), random);
        }
    },
    async finish(lastSeq) {
      for (const [removedAt, items] of Map.groupBy(collected.trash, (trashed) => trashed.removedAt ?? 0)) {
        const text = watchlistFormat.encode({ ...emptyWatchlist, parcels: items.map(itemParcel) });
        await writeFileAtomically(path('trash', trashEntryName(removedAt, 'copied')), text, random);
      }
      const lines = collected.changes.map(({ value }) => `${JSON.stringify(value)}\n`);
      await writeFileAtomically(path('changes.jsonl'), { pieces: () => lines.values() }, random);
      const parcels = collected.parcels.map(itemParcel);
      await index.update((current) => ({ ...current, changes: { seq: lastSeq, recent: [] }, parcels }));
    },
    pages: source.pages,
  };
  return {
    place,
    check: async () => await asStoreErrors(directory, check),
    receive: async (work) => {
      await asStoreErrors(directory, async () => await makeFolder(directory));
      const lock = await new FolderLock(path('copying.lock'), documents, staleMs).tryAcquire();
      // Two copies at the same time would overwrite each other.
      if (lock === null)
        throw new StoreError('locked', `Another copy to ${place} is in progress. Wait for it to finish.`, place);
      try {
        await asStoreErrors(directory, check);
        return await work(withStoreErrors(directory, sink));
      } finally {
        // A lock that cannot be released expires by itself.
        await lock.release().catch(() => undefined);
      }
    },
  };
}

const itemParcel = ({ value }: CopyItem): Parcel => value as Parcel;

const withStoreErrors = (directory: string, { clear, pages, finish, write }: CopySink): CopySink => ({
  clear: async () => await asStoreErrors(directory, clear),
  write: async (kind, items) => await asStoreErrors(directory, async () => await write(kind, items)),
  finish: async (lastSeq) => await asStoreErrors(directory, async () => await finish(lastSeq)),
  pages,
});

const createItem = (id: string, value: object, fields: Partial<CopyItem> = {}): CopyItem => ({
  id,
  position: 0,
  removedAt: null,
  value,
  ...fields,
});

async function historyNames(folder: string): Promise<readonly string[]> {
  const ids = (await listNames(folder)).flatMap((name) => historyFile.exec(name)?.[1] ?? []);
  return ids.filter((id) => idPattern.test(id)).sort();
}

async function readHistoryFile(path: string): Promise<ParcelHistory | null> {
  const bytes = await readListedFile(path);
  return bytes === null ? null : usableData(await historyFormat.decode(bytes));
}

async function* paginate(items: AsyncIterable<CopyItem>): AsyncGenerator<readonly CopyItem[]> {
  let page: CopyItem[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < pageItems) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
