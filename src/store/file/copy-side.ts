import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '../../lib/clock.ts';
import { asStoreErrors, nullIfMissing, toStoreError } from '../../lib/store-errors.ts';
import { historyIdOf, idPattern, refuseOddId } from '../../parcels/identity.ts';
import { emptyWatchlist, type Parcel, type ParcelHistory, type Watchlist } from '../../parcels/parcel.ts';
import {
  anotherCopy,
  type BeginOptions,
  type CopyItem,
  type CopyKind,
  type CopySide,
  type CopyTarget,
  occupied,
  takenOver,
} from '../copy.ts';
import { trashEntryName } from '../trash.ts';
import { createWatchlistFormat, historyFormat } from '../watchlist-format.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { replaceableFormat, usableData } from './document-format.ts';
import { fileMark } from './file-calls.ts';
import { createFileStore, type FileStoreOptions } from './file-store.ts';
import { makeFolder } from './folders.ts';
import { JsonDocument } from './json-document.ts';
import { FolderLock, type TakenLock } from './lock.ts';
import { readListedFile, readWholeFile } from './open-file.ts';
import { removeFile } from './replace-file.ts';
import { namesIn } from './saved-copies.ts';

/** How many pieces make a page. */
const pageItems = 500;
/** A copy that nobody has renewed for so long has died, in milliseconds. */
const staleMs = 5_000;
const betweenTriesMs = 500;
/** Longer than it takes for the lock of a dead process to go stale. */
const mostTries = 16;
const historyFile = /^(.+)\.json$/;
const trashEntry = /^removed\..*\.json$/;

/** The watchlist in files, as a whole. */
export function createFileSide(options: FileStoreOptions): CopySide {
  const { directory } = options;
  const store = createFileStore(options);
  const [historyFolder, trashFolder] = [join(directory, 'history'), join(directory, 'trash')];

  async function* histories(): AsyncGenerator<CopyItem> {
    const live = await historyNames(historyFolder);
    for (const id of live) yield item(id, await store.readHistory(id));
    const removedAt = new Map((await store.recovery.trashed()).map((one) => [historyIdOf(one.parcel), one.removedAt]));
    const known = new Set(live);
    for (const id of await historyNames(trashFolder)) {
      const removed = removedAt.get(id);
      // What belongs to no parcel any more, or to one with a newer history, will not come back.
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

/** What changes with a file, or with the names in a folder. */
const markIn =
  (directory: string) =>
  async (name: string): Promise<string> => {
    const path = join(directory, name);
    const stats = await nullIfMissing(stat(path));
    return stats?.isDirectory() === true ? String(stats.mtimeMs) : await fileMark(path);
  };

/** As {@link createFileSide}, to be copied to: there may be no other watchlist. */
export function createFileTarget(options: FileStoreOptions): CopyTarget {
  const { clock, directory, processes = null, random } = options;
  const side = createFileSide(options);
  const path = (...names: readonly string[]): string => join(directory, ...names);
  const noteFormat = replaceableFormat(readNote);
  const documents = { clock, random, processes };
  const note = new JsonDocument(path('copying.json'), { format: noteFormat }, documents);
  const index = new JsonDocument<Watchlist>(
    path('watchlist.json'),
    { format: createWatchlistFormat(options.versions) },
    documents,
  );
  /** What is written as a whole, at the end. */
  const gathered = {
    parcels: new Map<string, CopyItem>(),
    trash: new Map<string, CopyItem>(),
    changes: new Map<string, CopyItem>(),
  };

  const writeHistories = async (items: readonly CopyItem[]): Promise<number> => {
    let written = 0;
    for (const { id, removedAt, value } of items) {
      refuseOddId(id, directory);
      const file = path(removedAt === null ? 'history' : 'trash', `${id}.json`);
      const text = historyFormat.encode(value as ParcelHistory);
      const kept = (await nullIfMissing(readWholeFile(file)))?.toString('utf8');
      if (kept === text) continue;
      await writeFileAtomically(file, text, random);
      written += 1;
    }
    return written;
  };
  const settleTrash = async (): Promise<void> => {
    for (const name of await namesIn(path('trash'))) if (trashEntry.test(name)) await removeFile(path('trash', name));
    const together = Map.groupBy(gathered.trash.values(), ({ removedAt }) => removedAt ?? 0);
    for (const [removedAt, items] of together) {
      const parcels = items.map(({ value }) => value as Parcel);
      const text = createWatchlistFormat().encode({ ...emptyWatchlist, parcels });
      await writeFileAtomically(path('trash', trashEntryName(removedAt, 'copied')), text, random);
    }
  };
  const check = async (from: string): Promise<boolean> => {
    const known = await note.read();
    if (known?.from === from) return true;
    const isEmpty = (await index.read()).parcels.length === 0 && (await side.lastSeq()) === 0;
    if (known !== null || !isEmpty) throw occupied(side.place, known?.from ?? null);
    return false;
  };
  const lock = new FolderLock(path('copying.lock'), documents, staleMs);
  let held: TakenLock | null = null;
  const hold = async ({ onWaiting, signal }: BeginOptions): Promise<void> => {
    for (let tries = 1; held === null; tries += 1) {
      held = await lock.tryToTake();
      if (held !== null) return;
      if (tries > mostTries) throw anotherCopy(side.place);
      if (tries === 1) onWaiting?.();
      await sleep(clock, betweenTriesMs, signal);
      signal?.throwIfAborted();
    }
  };
  const assertHeld = (): void => {
    if (held !== null && !held.isHeld()) throw takenOver(side.place);
  };
  const letGo = async (): Promise<void> => {
    const lost = held;
    held = null;
    // A lock that cannot be given back goes stale by itself.
    await lost?.release().catch(() => undefined);
  };
  const begin = async (from: string, options: BeginOptions): Promise<boolean> => {
    await check(from);
    await makeFolder(directory);
    await hold(options);
    try {
      // Somebody else may have been faster.
      if (await check(from)) return true;
      await note.update(() => ({ from }));
      return false;
    } catch (error) {
      await letGo();
      throw error;
    }
  };
  return {
    ...side,
    check: async (from) => await asStoreErrors(directory, async () => await check(from)),
    begin: async (from, given = {}) => {
      try {
        return await begin(from, given);
      } catch (error) {
        given.signal?.throwIfAborted();
        throw toStoreError(error, directory);
      }
    },
    write: async (kind, items) =>
      await asStoreErrors(directory, async () => {
        assertHeld();
        if (kind === 'histories') return await writeHistories(items);
        for (const one of items) gathered[kind].set(one.id, one);
        return items.length;
      }),
    keepOnly: async (kind, ids) =>
      await asStoreErrors(directory, async () => {
        assertHeld();
        if (kind === 'histories')
          for (const folder of ['history', 'trash'])
            for (const id of await historyNames(path(folder)))
              if (!ids.has(id)) await removeFile(path(folder, `${id}.json`));
        if (kind !== 'histories') for (const id of gathered[kind].keys()) if (!ids.has(id)) gathered[kind].delete(id);
      }),
    settle: async (lastSeq) =>
      await asStoreErrors(directory, async () => {
        assertHeld();
        await settleTrash();
        const lines = [...gathered.changes.values()].map(({ value }) => `${JSON.stringify(value)}\n`);
        await writeFileAtomically(path('changes.jsonl'), { pieces: () => lines.values() }, random);
        const parcels = [...gathered.parcels.values()].map(({ value }) => value as Parcel);
        await index.update((current) => ({ ...current, changes: { seq: lastSeq, recent: [] }, parcels }));
      }),
    finish: async () => await note.remove(),
    leave: letGo,
  };
}

/** The note of a copy that is not complete. */
interface CopyNote {
  readonly from: string;
}

function readNote(value: unknown): CopyNote | null {
  const from = typeof value === 'object' && value !== null && 'from' in value ? value.from : null;
  return typeof from === 'string' ? { from } : null;
}

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

/** Pieces a page at a time. */
async function* inPages(items: AsyncIterable<CopyItem>): AsyncGenerator<readonly CopyItem[]> {
  let page: CopyItem[] = [];
  for await (const one of items) {
    page.push(one);
    if (page.length < pageItems) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
