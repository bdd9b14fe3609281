import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { sleep } from '../../lib/clock.ts';
import { ChangedMeanwhileError, systemCode } from '../../lib/store-errors.ts';
import { writeFileAtomically } from './atomic-write.ts';
import type { Decoded } from './document-format.ts';
import { fileMarkSync, noFile } from './file-calls.ts';
import { type HeldLock, LockLostError, withFileLock } from './lock.ts';
import {
  type ChangeHooks,
  type DocumentContext,
  dataOfMissing,
  inspectDocument,
  newerVersion,
  type OpenDocument,
  preciousData,
} from './open-document.ts';
import { copyFile, damagedName, keepCopy, moveDamagedFile, removeLeftOvers } from './saved-copies.ts';

/** A file written this recently, in milliseconds, may be written still by an editor that writes in place. */
const settlesWithinMs = 1_000;
const settlePauseMs = 150;

/**
 * lowdb adapter of one file, to be used while holding the file's lock: validates what it reads,
 * moves damaged files aside instead of overwriting them, writes atomically, and only over the file that it has read.
 * Where there is no file it answers what was last known of it, since a board that
 * runs must not lose its parcels when its folder does; else the empty document.
 */
class FileAdapter<Data> implements Adapter<Data> {
  readonly #document: OpenDocument<Data>;
  readonly #path: string;
  readonly #lock: HeldLock;
  readonly #context: DocumentContext;
  #mark = noFile;
  #migratedFrom: number | null = null;
  /** Done when the new text is on the disk and the old one about to go. */
  beforeReplacing: (() => Promise<void>) | undefined;

  constructor(document: OpenDocument<Data>, lock: HeldLock, context: DocumentContext) {
    this.#document = document;
    this.#path = document.path;
    this.#lock = lock;
    this.#context = context;
  }

  /** The version of the file that was read when it is an older one, else null. */
  get migratedFrom(): number | null {
    return this.#migratedFrom;
  }

  async read(): Promise<Data> {
    this.#mark = fileMarkSync(this.#path);
    const known = this.#document.memory.recall(this.#mark);
    if (known !== null) {
      this.#migratedFrom = known.migratedFrom;
      return known.data;
    }
    if (this.#mark === noFile) return this.#learn(dataOfMissing(this.#document, this.#context));
    const decoded = await this.#inspectSettled();
    switch (decoded.kind) {
      case 'whole':
        this.#migratedFrom = decoded.migratedFrom;
        return this.#learn(decoded.data);
      case 'newer':
        throw newerVersion(this.#path, decoded.version);
      case 'partly-damaged':
        return await this.#keepTheGood(decoded.data, decoded.lost);
      case 'damaged':
        return await this.#startAnew(decoded.reason);
    }
  }

  async write(data: Data): Promise<void> {
    const text = this.#document.kind.format.encode(data);
    try {
      this.#mark = await writeFileAtomically(this.#path, text, this.#context.random, {
        beforeReplacing: this.beforeReplacing,
        beforeRename: (temp) => {
          const passing = this.#lock.passThrough(temp);
          if (fileMarkSync(this.#path) !== this.#mark) throw new ChangedMeanwhileError(this.#path);
          return passing;
        },
      });
    } catch (error) {
      // The lock was taken over, and the new text with it.
      if (systemCode(error) === 'ENOENT') this.#lock.assertHeld();
      throw error;
    }
    this.#migratedFrom = null;
    this.#learn(data);
  }

  #learn(data: Data): Data {
    return this.#document.memory.learn(this.#mark, data, this.#migratedFrom);
  }

  async #inspectSettled(): Promise<Decoded<Data>> {
    const { clock } = this.#context;
    for (let tries = 1; ; tries += 1) {
      const decoded = await inspectDocument(this.#document);
      if (decoded.kind !== 'damaged' || tries > 5) return decoded;
      const age = clock.now() - (await stat(this.#path)).mtimeMs;
      if (!(age >= 0 && age < settlesWithinMs)) return decoded;
      await sleep(clock, settlePauseMs);
      const before = this.#mark;
      this.#mark = fileMarkSync(this.#path);
      if (this.#mark === before) return decoded;
    }
  }

  async #keepTheGood(data: Data, lost: string): Promise<Data> {
    const aside = await damagedName(this.#path, this.#context.clock.now());
    await copyFile(this.#path, aside, this.#context.random);
    await this.write(data);
    await this.#notify(
      `${this.#path} was partly damaged (${lost}). The rest is kept; the file as it was is ${aside}, to be mended by hand.`,
    );
    return data;
  }

  async #startAnew(reason: string): Promise<Data> {
    const { format } = this.#document.kind;
    const aside = await damagedName(this.#path, this.#context.clock.now());
    const isGone = await moveDamagedFile(this.#path, aside, { reason, random: this.#context.random });
    if (isGone) this.#mark = noFile;
    const known = preciousData(this.#document);
    if (known !== null) {
      await this.write(known);
      await this.#notify(
        `${this.#path} was damaged (${reason}) and was moved to ${aside}. What this program knew of it was written anew; mend the old one by hand if it held more.`,
      );
      return known;
    }
    await this.#notify(
      `${this.#path} was damaged (${reason}) and was moved to ${aside}. A new one was begun; mend the old one by hand to get its contents back.`,
    );
    if (!isGone) await this.write(format.empty);
    return this.#learn(format.empty);
  }

  async #notify(sentence: string): Promise<void> {
    const offer = (await this.#document.kind.offerCopy?.()) ?? null;
    this.#context.notify?.(offer === null ? sentence : `${sentence} ${offer}`);
  }
}

/** One change of one document. */
interface DocumentWork<Data> {
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
