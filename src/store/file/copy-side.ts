import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asStoreErrors, nullIfMissing, StoreError } from '../../lib/store-errors.ts';
import { assertValidId, historyIdOf, idPattern, type Parcel, type ParcelHistory } from '../../parcels/parcel.ts';
import { emptyWatchlist } from '../../parcels/parcel-list.ts';
import { type CopyItem, type CopyKind, type CopySink, type CopySource, type CopyTarget, occupied } from '../copy.ts';
import { trashEntryName } from '../trash.ts';
import { removeFile, writeFileAtomically } from './atomic-write.ts';
import { namesIn } from './damaged-files.ts';
import { createFileStore, type FileStoreOptions } from './file-store.ts';
import { makeFolder } from './folders.ts';
import { historyFormat, usableData, watchlistFormat } from './formats.ts';
import { JsonDocument } from './json-document.ts';
import { FolderLock } from './lock.ts';
import { fileMark, readListedFile } from './open-file.ts';

const pageItems = 500;
/** In milliseconds. A copy's lock counts as abandoned if it was not renewed for this long. */
const staleMs = 5_000;
const historyFile = /^(.+)\.json$/;

export function createFileSource(options: FileStoreOptions): CopySource {
  const { directory } = options;
  const store = createFileStore(options);
  const [historyFolder, trashFolder] = [join(directory, 'history'), join(directory, 'trash')];

  async function* histories(): AsyncGenerator<CopyItem> {
    const live = await historyNames(historyFolder);
    for (const id of live) yield item(id, await store.readHistory(id));
    const removedAt = new Map(
      (await store.recovery.trashed()).map((trashed) => [historyIdOf(trashed.parcel), trashed.removedAt]),
    );
    const known = new Set(live);
    for (const id of await historyNames(trashFolder)) {
      const removed = removedAt.get(id);
      // Leave out histories without a parcel, and those that have a newer version outside the trash.
      if (removed === undefined || known.has(id)) continue;
      const history = await readHistoryFile(join(trashFolder, `${id}.json`));
      if (history !== null) yield item(id, history, { removedAt: removed });
    }
  }
  async function* items(kind: CopyKind): AsyncGenerator<CopyItem> {
    if (kind === 'parcels')
      for (const [position, parcel] of (await store.read()).parcels.entries())
        yield item(parcel.id, parcel, { position });
    else if (kind === 'trash')
      for (const { parcel, removedAt } of await store.recovery.trashed()) yield item(parcel.id, parcel, { removedAt });
    else if (kind === 'changes')
      for (const change of await store.changeLogAfter(0)) yield item(String(change.seq), change);
    else yield* histories();
  }
  return {
    place: join(directory, 'watchlist.json'),
    mark: async () =>
      await asStoreErrors(directory, async () =>
        JSON.stringify(
          await Promise.all(['watchlist.json', 'changes.jsonl', 'history', 'trash'].map(markIn(directory))),
        ),
      ),
    lastSeq: async () => (await store.read()).changeSeq,
    pages: (kind) => inPages(items(kind)),
    takeNotices: () => store.takeNotices(),
  };
}

/** Returns a mark that changes when a file changes, or when files are added to or removed from a folder. */
const markIn =
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
    if (parcels.length > 0 || (changes?.seq ?? 0) > 0) throw occupied(place);
  };
  const sink: CopySink = {
    async clear() {
      collected.parcels = [];
      collected.trash = [];
      collected.changes = [];
      for (const folder of ['history', 'trash'])
        for (const name of await namesIn(path(folder)))
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
    async settle(lastSeq) {
      for (const [removedAt, items] of Map.groupBy(collected.trash, (trashed) => trashed.removedAt ?? 0)) {
        const text = watchlistFormat.encode({ ...emptyWatchlist, parcels: items.map(parcelIn) });
        await writeFileAtomically(path('trash', trashEntryName(removedAt, 'copied')), text, random);
      }
      const lines = collected.changes.map(({ value }) => `${JSON.stringify(value)}\n`);
      await writeFileAtomically(path('changes.jsonl'), { pieces: () => lines.values() }, random);
      const parcels = collected.parcels.map(parcelIn);
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

const parcelIn = ({ value }: CopyItem): Parcel => value as Parcel;

const withStoreErrors = (directory: string, { clear, pages, settle, write }: CopySink): CopySink => ({
  clear: async () => await asStoreErrors(directory, clear),
  write: async (kind, items) => await asStoreErrors(directory, async () => await write(kind, items)),
  settle: async (lastSeq) => await asStoreErrors(directory, async () => await settle(lastSeq)),
  pages,
});

const item = (id: string, value: object, more: Partial<CopyItem> = {}): CopyItem => ({
  id,
  position: 0,
  removedAt: null,
  value,
  ...more,
});

async function historyNames(folder: string): Promise<readonly string[]> {
  const ids = (await namesIn(folder)).flatMap((name) => historyFile.exec(name)?.[1] ?? []);
  return ids.filter((id) => idPattern.test(id)).sort();
}

async function readHistoryFile(path: string): Promise<ParcelHistory | null> {
  const bytes = await readListedFile(path);
  return bytes === null ? null : usableData(await historyFormat.decode(bytes));
}

async function* inPages(items: AsyncIterable<CopyItem>): AsyncGenerator<readonly CopyItem[]> {
  let page: CopyItem[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < pageItems) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
