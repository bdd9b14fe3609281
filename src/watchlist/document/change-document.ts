import { basename, dirname } from 'node:path';
import { Low } from 'lowdb';
import { ChangedMeanwhileError } from '../errors.ts';
import { keepCopy } from '../files/keep-copy.ts';
import { removeLeftOvers } from '../files/left-overs.ts';
import { type HeldLock, LockLostError, withFileLock } from '../lock/lock.ts';
import { FileAdapter } from './file-adapter.ts';
import type { ChangeHooks, DocumentContext, OpenDocument } from './open-document.ts';

/** One change of one document. */
export interface DocumentWork<Data> {
  readonly document: OpenDocument<Data>;
  readonly change: (current: Data) => Data | Promise<Data>;
  readonly hooks: ChangeHooks<Data>;
}

/** How often a change is made anew because others wrote without the lock, or took it from us. */
const mostTries = 50;

/**
 * Makes a change: lock, re-read, apply, write. When somebody wrote the file without its lock between our reading and our
 * writing, or took the lock because we were held up, all of it is done again on what is there now. Throws a
 * `StoreError` or what the system throws.
 */
export async function changeDocument<Data>(work: DocumentWork<Data>, context: DocumentContext): Promise<Data> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withFileLock(work.document.path, context, async (lock) => await changeLocked(work, lock, context));
    } catch (error) {
      const isOvertaken = error instanceof LockLostError || error instanceof ChangedMeanwhileError;
      if (!isOvertaken || tries === mostTries) throw error;
    }
  }
}

async function changeLocked<Data>(
  { document, change, hooks }: DocumentWork<Data>,
  lock: HeldLock,
  context: DocumentContext,
): Promise<Data> {
  const { path } = document;
  await hooks.beforeReading?.();
  const adapter = new FileAdapter(document, lock, context);
  const low = new Low<Data>(adapter, document.kind.format.empty);
  await low.read();
  const before = low.data;
  const after = await change(before);
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

/**
 * Removes what killed processes left of a document. Its folder may be shared with other programs: a linked watchlist
 * lies wherever its user has put it.
 */
export async function tidyUp(
  path: string,
  others: ReadonlySet<string> | undefined,
  { clock }: DocumentContext,
): Promise<void> {
  if (others === undefined) return;
  await removeLeftOvers(dirname(path), clock.now(), (name) => name === basename(path) || others.has(name));
}

/** A file of an older version stays beside the new one, for whoever has to go back. */
async function keepOldVersion(path: string, version: number, { notify, random }: DocumentContext): Promise<void> {
  const copy = `${path.replace(/\.json$/, '')}.version-${version}.json`;
  if (await keepCopy(path, copy, random)) {
    notify?.(`${path} is now of the newest file version; as it was, of version ${version}, it is kept as ${copy}.`);
  }
}
