import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Low } from 'lowdb';
import { createSerialQueue } from '../../lib/async.ts';
import { sleep } from '../../lib/clock.ts';
import {
  asStoreErrors,
  ChangedMeanwhileError,
  nullIfMissing,
  StoreError,
  systemCode,
  toStoreError,
} from '../../lib/store-errors.ts';
import type { Document } from '../store.ts';
import { removeFile, unfinishedPath, writeFileAtomically } from './atomic-write.ts';
import { copyFile, damagedName, keepCopy, moveDamagedFile, removeStaleTempFiles } from './damaged-files.ts';
import { type Decoded, type DocumentFormat, replaceableFormat } from './document-format.ts';
import { type HeldLock, type LockContext, LockLostError, withFileLock } from './lock.ts';
import { fileMarkSync, findFilePlace, noFile, readWholeFile } from './open-file.ts';

interface DocumentContext extends LockContext {
  /** Called with a sentence for the user, for example that a damaged file was moved aside. Dropped by default. */
  readonly notify?: (notice: string) => void;
}

/** Options of one kind of document. Only the format is required. */
export interface DocumentKind<Data> {
  readonly format: DocumentFormat<Data>;
  /** Whether to keep the data in memory if the file is deleted while the program runs. */
  readonly isPrecious?: (data: Data) => boolean;
  /**
   * Names of other files in its folder. The first change removes temp files that killed processes left of these files
   * and of this one. Absent if nothing needs to be removed.
   */
  readonly tidies?: ReadonlySet<string>;
  /** Returns a sentence about a copy that can replace a damaged file, or null. */
  readonly offerCopy?: () => Promise<string | null>;
}

/** Called under the lock. May run again if the change is retried. */
interface ChangeHooks<Data> {
  /** Called when the new text is on disk and before it replaces the old one, to copy the old file. */
  readonly beforeReplacing?: (path: string) => Promise<void>;
  readonly afterWriting?: (before: Data, after: Data) => Promise<void>;
}

/** Called under the lock. */
type Change<Data> = (current: Data) => Data | Promise<Data>;

/** The last known contents of a file. While the mark is the same we need not read it again. */
interface Known<Data> {
  readonly mark: string;
  readonly data: Data;
  /** The version of an older file, or null for the current version. */
  readonly migratedFrom: number | null;
}

/** In milliseconds. A file that changed this recently may still be written in place by an editor. */
const settlesWithinMs = 1_000;
const settlePauseMs = 150;
const maxSettlePauses = 5;
/** Maximum number of tries: others may write without the lock, or take it over. */
const maxTries = 50;

/**
 * A JSON file shared with other processes, editors and synchronisers: resolves links, runs one task at a time, and
 * every change locks, reads again, applies and writes. Readers never see half a file, and a damaged or newer file is
 * not overwritten. All methods reject with a `StoreError`.
 */
export class JsonDocument<Data> {
  readonly #path: string;
  readonly #kind: DocumentKind<Data>;
  readonly #context: DocumentContext;
  readonly #queue = createSerialQueue();
  #known: Known<Data> | null = null;
  #isTidy = false;

  constructor(path: string, kind: DocumentKind<Data>, context: DocumentContext) {
    this.#path = path;
    this.#kind = kind;
    this.#context = context;
  }

  /** Reads the document, which is empty if there is no file. Repairs a damaged file under the lock. */
  async read(): Promise<Data> {
    return await asStoreErrors(this.#path, () =>
      this.#queue.run(async () => this.#readUnchanged() ?? (await this.#readAnew(await this.#place()))),
    );
  }

  /**
   * Applies a change to the newest data, writes and returns the result. Writes nothing if the change returns its
   * argument. A change may run again if another process wrote at the same time.
   */
  async update(change: Change<Data>, hooks: ChangeHooks<Data> = {}): Promise<Data> {
    return await this.#exclusive(async (path) => await this.#change(path, change, hooks));
  }

  /** Removes the file. A missing file is fine. */
  async remove(): Promise<void> {
    await this.#exclusive(removeFile);
  }

  /** Whether no work is pending, so that the object can be replaced. */
  isIdle(): boolean {
    return this.#queue.isEmpty();
  }

  async #exclusive<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    return await asStoreErrors(this.#path, () => this.#queue.run(async () => await work(await this.#place())));
  }

  async #place(): Promise<string> {
    return await findFilePlace(this.#path, this.#context.processes?.uid ?? null);
  }

  /**
   * Returns the known contents if the file has not changed. Called several times a second, so it is one system
   * call on this thread.
   */
  #readUnchanged(): Data | null {
    if (this.#known === null) return null;
    try {
      return this.#recall(fileMarkSync(this.#path))?.data ?? null;
    } catch {
      // The full read reports the error.
      return null;
    }
  }

  async #readAnew(path: string): Promise<Data> {
    // Taken before the read, so that a write in between is read twice rather than missed.
    const mark = fileMarkSync(path);
    const known = this.#recall(mark);
    if (known !== null) return known.data;
    if (mark === noFile) return this.#learn(mark, this.#dataOfMissing(path));
    const decoded = await this.#inspect(path);
    if (decoded.kind === 'whole') return this.#learn(mark, decoded.data, decoded.migratedFrom);
    if (decoded.kind === 'newer') throw newerVersion(path, decoded.version);
    try {
      return await this.#change(path, (current) => current, {});
    } catch (error) {
      if (decoded.kind === 'damaged') throw await this.#stillDamaged(path, decoded.reason, error);
      // The valid data can be used even if we cannot write.
      this.#context.notify?.(
        `${path} is partly damaged (${decoded.lost}), and no copy could be saved: ${toStoreError(error, path).message}`,
      );
      return this.#learn(mark, decoded.data);
    }
  }

  /** Retries if another program wrote the file without the lock, or took the lock over. */
  async #change(path: string, change: Change<Data>, hooks: ChangeHooks<Data>): Promise<Data> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await withFileLock(path, this.#context, (lock) => this.#changeLocked(path, lock, change, hooks));
      } catch (error) {
        const isOvertaken = error instanceof LockLostError || error instanceof ChangedMeanwhileError;
        if (!isOvertaken || tries === maxTries) throw error;
      }
    }
  }

  async #changeLocked(path: string, lock: HeldLock, change: Change<Data>, hooks: ChangeHooks<Data>): Promise<Data> {
    if (!this.#isTidy) await this.#tidyUp(path);
    this.#isTidy = true;
    const beforeReplacing = async (): Promise<void> => {
      const migratedFrom = this.#known?.migratedFrom ?? null;
      await hooks.beforeReplacing?.(path);
      if (migratedFrom !== null) await this.#keepOldVersion(path, migratedFrom);
    };
    const adapter = {
      read: () => this.#readLocked(path, lock),
      write: (data: Data) => this.#write(path, lock, data, this.#known?.mark ?? noFile, beforeReplacing),
    };
    const low = new Low<Data>(adapter, this.#kind.format.empty);
    await low.read();
    const before = low.data;
    const after = await change(before);
    if (after === before) return before;
    low.data = after;
    await low.write();
    await hooks.afterWriting?.(before, after);
    return after;
  }

  /** Checks the file, and moves a damaged one aside instead of overwriting it. */
  async #readLocked(path: string, lock: HeldLock): Promise<Data> {
    const { clock } = this.#context;
    let mark = fileMarkSync(path);
    const known = this.#recall(mark);
    if (known !== null) return known.data;
    if (mark === noFile) return this.#learn(mark, this.#dataOfMissing(path));
    let decoded = await this.#inspect(path);
    for (let pauses = 0; decoded.kind === 'damaged' && pauses < maxSettlePauses; pauses += 1) {
      const age = clock.now() - (await stat(path)).mtimeMs;
      if (!(age >= 0 && age < settlesWithinMs)) break;
      await sleep(clock, settlePauseMs);
      const before = mark;
      mark = fileMarkSync(path);
      if (mark === before) break;
      decoded = await this.#inspect(path);
    }
    if (decoded.kind === 'whole') return this.#learn(mark, decoded.data, decoded.migratedFrom);
    if (decoded.kind === 'newer') throw newerVersion(path, decoded.version);
    const { random } = this.#context;
    const aside = await damagedName(path, clock.now());
    if (decoded.kind === 'partly-damaged') {
      const { data, lost } = decoded;
      await copyFile(path, aside, random);
      await this.#write(path, lock, data, mark);
      await this.#notify(
        `${path} was partly damaged (${lost}). The rest is kept; fix the original file by hand: ${aside}.`,
      );
      return data;
    }
    const { reason } = decoded;
    const isGone = await moveDamagedFile(path, aside, { reason, random });
    if (isGone) mark = noFile;
    const precious = this.#preciousData();
    const moved = `${path} was damaged (${reason}) and was moved to ${aside}.`;
    if (precious !== null) {
      await this.#write(path, lock, precious, mark);
      await this.#notify(`${moved} A new file was written from memory; fix the old one by hand if it had more.`);
      return precious;
    }
    await this.#notify(`${moved} A new file was started; fix the old one by hand to get its contents back.`);
    const { empty } = this.#kind.format;
    if (isGone) return this.#learn(mark, empty);
    await this.#write(path, lock, empty, mark);
    return empty;
  }

  /** Writes atomically, and only if the file still has this mark. */
  async #write(
    path: string,
    lock: HeldLock,
    data: Data,
    mark: string,
    beforeReplacing?: () => Promise<void>,
  ): Promise<void> {
    try {
      const written = await writeFileAtomically(path, this.#kind.format.encode(data), this.#context.random, {
        beforeReplacing,
        beforeRename: (temp) => {
          const passing = lock.passThrough(temp);
          if (fileMarkSync(path) !== mark) throw new ChangedMeanwhileError(path);
          return passing;
        },
      });
      this.#learn(written, data);
    } catch (error) {
      // The lock was taken over, together with the new text.
      if (systemCode(error) === 'ENOENT') lock.assertHeld();
      throw error;
    }
  }

  /**
   * Reads and parses a file without a lock. A missing file is the empty document. An interrupted write in place counts
   * as complete.
   */
  async #inspect(path: string): Promise<Decoded<Data>> {
    const { format } = this.#kind;
    const known = this.#known?.data ?? null;
    const bytes = await nullIfMissing(readWholeFile(path));
    if (bytes === null) return { kind: 'whole', data: format.empty, migratedFrom: null };
    const decoded = await format.decode(bytes, known);
    if (decoded.kind !== 'damaged') return decoded;
    const unfinished = await nullIfMissing(readWholeFile(unfinishedPath(path)));
    const meant = unfinished === null ? null : await format.decode(unfinished, known);
    return meant?.kind === 'whole' ? meant : decoded;
  }

  #recall(mark: string): Known<Data> | null {
    return this.#known?.mark === mark ? this.#known : null;
  }

  #learn(mark: string, data: Data, migratedFrom: number | null = null): Data {
    this.#known = { mark, data, migratedFrom };
    return data;
  }

  /** Keeps the parcels of a running board if the folder is deleted. */
  #dataOfMissing(path: string): Data {
    const precious = this.#preciousData();
    if (precious === null) return this.#kind.format.empty;
    if (this.#known?.mark !== noFile)
      this.#context.notify?.(
        `${path} is gone. Its contents are still in memory and are written with the next change; keep the program running until then.`,
      );
    return precious;
  }

  #preciousData(): Data | null {
    const known = this.#known?.data ?? null;
    return known !== null && this.#kind.isPrecious?.(known) === true ? known : null;
  }

  async #notify(sentence: string): Promise<void> {
    const offer = (await this.#kind.offerCopy?.()) ?? null;
    this.#context.notify?.(offer === null ? sentence : `${sentence} ${offer}`);
  }

  async #tidyUp(path: string): Promise<void> {
    const { tidies } = this.#kind;
    if (tidies === undefined) return;
    const isOurs = (name: string): boolean => name === basename(path) || tidies.has(name);
    await removeStaleTempFiles(dirname(path), this.#context.clock.now(), isOurs);
  }

  /** Keeps a file from an older version for users who go back. */
  async #keepOldVersion(path: string, version: number): Promise<void> {
    const copy = `${path.replace(/\.json$/, '')}.version-${version}.json`;
    if (await keepCopy(path, copy, this.#context.random))
      this.#context.notify?.(
        `${path} now has the newest file version; the file of version ${version} is saved as ${copy}.`,
      );
  }

  /** Returns the error for a file that stays damaged. The damage comes first, because the user has to know it first. */
  async #stillDamaged(path: string, reason: string, cause: unknown): Promise<StoreError> {
    const why = toStoreError(cause, path);
    if (why.kind === 'damaged') return why;
    // An unreadable copy counts as missing: the message is about the file.
    const offer = (await this.#kind.offerCopy?.().catch(() => null)) ?? null;
    const sentence = `${path} is damaged (${reason}), and could not be moved aside. ${why.message}`;
    return new StoreError('damaged', offer === null ? sentence : `${sentence} ${offer}`, path, cause);
  }
}

function newerVersion(path: string, version: number): StoreError {
  return new StoreError(
    'newer-version',
    {
      what: `${path} was written by a newer version of parcel-monitor (file version ${version}) and is left untouched.`,
      advice: 'Update parcel-monitor.',
    },
    path,
  );
}

/** Names of other files in the folder of small documents. */
const neighbours: ReadonlySet<string> = new Set([
  'polling.json',
  'polling-lease',
  'view.json',
  'notify.json',
  'last-screen',
]);

/**
 * Creates a small document in a file (mode 0600), shared under its lock. It can be rebuilt at any time, so a damaged
 * file counts as missing. The first change also removes temp files of killed processes from its folder.
 * @param read parses a value of any shape; undefined means that there is no file
 */
export function createFileDocument<Data extends object | null>(
  path: string,
  read: (value: unknown) => Data,
  context: DocumentContext,
): Document<Data> {
  const document = new JsonDocument(path, { format: replaceableFormat(read), tidies: neighbours }, context);
  return { read: () => document.read(), update: (change) => document.update(change) };
}
