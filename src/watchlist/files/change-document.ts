import { basename, dirname } from 'node:path';
import { Low } from 'lowdb';
import { ChangedMeanwhileError } from '../errors.ts';
import { type HeldLock, LockLostError, withFileLock } from '../lock/lock.ts';
import { keepCopy } from '../store/keep-copy.ts';
import type { ChangeHooks } from './document-files.ts';
import { FileAdapter, type FileAdapterContext } from './file-adapter.ts';
import type { DocumentKind } from './inspect-file.ts';
import { removeLeftOvers } from './left-overs.ts';

/** One change of one document. */
export interface DocumentWork<Data> {
  /** With links resolved. */
  readonly path: string;
  readonly kind: DocumentKind<Data>;
  readonly change: (current: Data) => Data;
  readonly hooks: ChangeHooks<Data>;
  /** Files beside which this store has tidied up. */
  readonly tidied: Set<string>;
}

/** How often a change is made anew because others wrote without the lock, or took it from us. */
const mostTries = 50;

/**
 * Makes a change: lock, re-read, apply, write (design.md, decision 6). When somebody wrote the file without its lock
 * between our reading and our writing, or took the lock because we were held up, all of it is done again on what is
 * there now. Throws a `StoreError` or what the system throws.
 */
export async function changeDocument<Data>(work: DocumentWork<Data>, context: FileAdapterContext): Promise<Data> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withFileLock(work.path, context, async (lock) => await changeUnderLock(work, lock, context));
    } catch (error) {
      const isOvertaken = error instanceof LockLostError || error instanceof ChangedMeanwhileError;
      if (!isOvertaken || tries === mostTries) throw error;
    }
  }
}

async function changeUnderLock<Data>(
  { path, kind, change, hooks, tidied }: DocumentWork<Data>,
  lock: HeldLock,
  context: FileAdapterContext,
): Promise<Data> {
  if (kind.tidiesUp) await tidyUp(path, tidied, context);
  const adapter = new FileAdapter(path, kind, lock, context);
  const low = new Low<Data>(adapter, kind.format.empty);
  await low.read();
  const before = low.data;
  const after = change(before);
  if (after === before) return before;
  await hooks.beforeWriting?.({ path, before, after });
  adapter.beforeReplacing = async () => {
    await hooks.beforeReplacing?.({ path, before, after });
    if (adapter.migratedFrom !== null) await keepOldVersion(path, adapter.migratedFrom, context);
  };
  low.data = after;
  await low.write();
  await hooks.afterWriting?.({ path, before, after });
  return after;
}

/** The folder may be shared with other programs: a linked watchlist lies wherever its user has put it. */
async function tidyUp(path: string, tidied: Set<string>, { clock }: FileAdapterContext): Promise<void> {
  if (tidied.has(path)) return;
  tidied.add(path);
  await removeLeftOvers(dirname(path), clock.now(), (name) => name === basename(path));
}

/** A file of an older version stays beside the new one, for whoever has to go back. */
async function keepOldVersion(path: string, version: number, { notify, random }: FileAdapterContext): Promise<void> {
  const copy = `${path.replace(/\.json$/, '')}.version-${version}.json`;
  if (await keepCopy(path, copy, random)) {
    notify({
      kind: 'migrated',
      message: `${path} is now of the newest file version; as it was, of version ${version}, it is kept as ${copy}.`,
    });
  }
}
