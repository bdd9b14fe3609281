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
import type { Document } from '../document.ts';
import { removeFile, unfinishedPath, writeFileAtomically } from './atomic-write.ts';
import { copyFile, damagedName, keepCopy, moveDamagedFile, removeStaleTempFiles } from './damaged-files.ts';
import { type Decoded, type DocumentFormat, replaceableFormat } from './document-format.ts';
import { fileMarkSync, findFilePlace, noFile } from './file-place.ts';
import { type HeldLock, type LockContext, LockLostError, withFileLock } from './lock.ts';
import { readWholeFile } from './open-file.ts';

/** What documents need from their surroundings. */
export interface DocumentContext extends LockContext {
  /** Takes a sentence that a person should know of our files, e.g. that a damaged one was moved aside. By default it is dropped. */
  readonly notify?: (notice: string) => void;
}

/** What is special about one kind of document. Only the format is needed. */
export interface DocumentKind<Data> {
  readonly format: DocumentFormat<Data>;
  /** Whether somebody would miss this, so that it is not lost with its file while the program runs. */
  readonly isPrecious?: (data: Data) => boolean;
  /**
   * Names of other files in its folder: with its first change it removes what killed processes left of them and of
   * itself. Absent where nothing is to be removed.
   */
  readonly tidies?: ReadonlySet<string>;
  /** A sentence with a copy that can replace a damaged file; null where there is no copy. */
  readonly offerCopy?: () => Promise<string | null>;
}

/** A change that is about to be written, or was. */
interface DocumentChange<Data> {
  /** With links resolved. */
  readonly path: string;
  readonly before: Data;
  readonly after: Data;
}

/** What is done along with a change while the lock is held; each may run again when the change has to be made again. */
export interface ChangeHooks<Data> {
  readonly beforeReading?: () => Promise<void>;
  readonly beforeWriting?: (change: DocumentChange<Data>) => Promise<void>;
  /** When the new text is on the disk and the old one about to go: for copies of it. */
  readonly beforeReplacing?: (change: DocumentChange<Data>) => Promise<void>;
  readonly afterWriting?: (change: DocumentChange<Data>) => Promise<void>;
}

type Change<Data> = (current: Data) => Data | Promise<Data>;

/** What was last read or written of a file. While the file has the same mark it need not be read again. */
interface Known<Data> {
  readonly mark: string;
  readonly data: Data;
  /** The version of the file when it is an older one, else null. */
  readonly migratedFrom: number | null;
}

/** A file written this recently, in milliseconds, may be written still by an editor that writes in place. */
const settlesWithinMs = 1_000;
const settlePauseMs = 150;
const mostSettlePauses = 5;
/** How often a change is made anew because others wrote without the lock, or took it from us. */
const mostTries = 50;

/**
 * A JSON file that other processes, editors and synchronisers use as well: links are resolved, one piece of work is done
 * at a time, and every change is lock, re-read, apply, write. Half a file is never seen, and a damaged or newer one
 * is not overwritten. All methods reject with a `StoreError`.
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

  /** Reads the document; the empty one where there is no file. One that is damaged is repaired under the lock. */
  async read(): Promise<Data> {
    return await asStoreErrors(this.#path, () =>
      this.#queue.run(async () => this.#readUnchanged() ?? (await this.#readAnew(await this.#place()))),
    );
  }

  /**
   * Applies a change to the newest data and writes what comes of it; returns that. A change that returns its argument
   * writes nothing; one may be applied again when somebody else wrote at the same time.
   */
  async update(change: Change<Data>, hooks: ChangeHooks<Data> = {}): Promise<Data> {
    return await this.#exclusive(async (path) => await this.#change(path, change, hooks));
  }

  /** Removes the file; harmless when there is none. */
  async remove(): Promise<void> {
    await this.#exclusive(removeFile);
  }

  /** Whether no work waits for this object, so that another one may take its place. */
  isIdle(): boolean {
    return this.#queue.isEmpty();
  }

  async #exclusive<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    return await asStoreErrors(this.#path, () => this.#queue.run(async () => await work(await this.#place())));
  }

  async #place(): Promise<string> {
    return await findFilePlace(this.#path, this.#context.processes?.uid ?? null);
  }

  /** What is known of the file where it has not changed. Asked several times a second: one question to the file system, on this thread. */
  #readUnchanged(): Data | null {
    if (this.#known === null) return null;
    try {
      return this.#recall(fileMarkSync(this.#path))?.data ?? null;
    } catch {
      // It is looked at once more, by what can say why it cannot be.
      return null;
    }
  }

  async #readAnew(path: string): Promise<Data> {
    // Taken before reading: a write in between is then noticed once more rather than missed.
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
      if (decoded.kind === 'damaged') throw await this.#damagedForGood(path, decoded.reason, error);
      // What is good can be used even where nothing can be written.
      this.#context.notify?.(
        `${path} is partly damaged (${decoded.lost}), and no copy could be put aside: ${toStoreError(error, path).message}`,
      );
      return this.#learn(mark, decoded.data);
    }
  }

  /** Made again on what is there when somebody wrote the file without its lock, or took the lock because we were held up. */
  async #change(path: string, change: Change<Data>, hooks: ChangeHooks<Data>): Promise<Data> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await withFileLock(path, this.#context, (lock) => this.#changeLocked(path, lock, change, hooks));
      } catch (error) {
        const isOvertaken = error instanceof LockLostError || error instanceof ChangedMeanwhileError;
        if (!isOvertaken || tries === mostTries) throw error;
      }
    }
  }

  async #changeLocked(path: string, lock: HeldLock, change: Change<Data>, hooks: ChangeHooks<Data>): Promise<Data> {
    if (!this.#isTidy) await this.#tidyUp(path);
    this.#isTidy = true;
    await hooks.beforeReading?.();
    let beforeReplacing = async (): Promise<void> => undefined;
    const adapter = {
      read: () => this.#readLocked(path, lock),
      write: (data: Data) => this.#write(path, lock, data, this.#known?.mark ?? noFile, () => beforeReplacing()),
    };
    const low = new Low<Data>(adapter, this.#kind.format.empty);
    await low.read();
    const before = low.data;
    const after = await change(before);
    if (after === before) return before;
    const made = { path, before, after };
    await hooks.beforeWriting?.(made);
    const migratedFrom = this.#known?.migratedFrom ?? null;
    beforeReplacing = async () => {
      await hooks.beforeReplacing?.(made);
      if (migratedFrom !== null) await this.#keepOldVersion(path, migratedFrom);
    };
    low.data = after;
    await low.write();
    await hooks.afterWriting?.(made);
    return after;
  }

  /** Validates what it reads, and puts a damaged file aside instead of overwriting it. */
  async #readLocked(path: string, lock: HeldLock): Promise<Data> {
    const { clock } = this.#context;
    let mark = fileMarkSync(path);
    const known = this.#recall(mark);
    if (known !== null) return known.data;
    if (mark === noFile) return this.#learn(mark, this.#dataOfMissing(path));
    let decoded = await this.#inspect(path);
    for (let pauses = 0; decoded.kind === 'damaged' && pauses < mostSettlePauses; pauses += 1) {
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
        `${path} was partly damaged (${lost}). The rest is kept; the original file is ${aside}, to be fixed by hand.`,
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
      await this.#notify(
        `${moved} A new file was written with what this program knew; fix the old one by hand if it had more.`,
      );
      return precious;
    }
    await this.#notify(`${moved} A new one was started; fix the old one by hand to get its contents back.`);
    const { empty } = this.#kind.format;
    if (isGone) return this.#learn(mark, empty);
    await this.#write(path, lock, empty, mark);
    return empty;
  }

  /** Writes atomically, and only over the file with this mark. */
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
      // The lock was taken over, and the new text with it.
      if (systemCode(error) === 'ENOENT') lock.assertHeld();
      throw error;
    }
  }

  /**
   * Reads and decodes a file without a lock; no file counts as the empty document, and one that was written in place and not to
   * the end as what it was to become.
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

  /** A board that runs must not lose its parcels when its folder does. */
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

  /** A file of an older version is kept for users who have to go back. */
  async #keepOldVersion(path: string, version: number): Promise<void> {
    const copy = `${path.replace(/\.json$/, '')}.version-${version}.json`;
    if (await keepCopy(path, copy, this.#context.random))
      this.#context.notify?.(
        `${path} now has the newest file version; the file of version ${version} is saved as ${copy}.`,
      );
  }

  /** That the file is damaged is what the user has to know first. */
  async #damagedForGood(path: string, reason: string, cause: unknown): Promise<StoreError> {
    const why = toStoreError(cause, path);
    if (why.kind === 'damaged') return why;
    // A copy that cannot be read counts as none; the file itself is what this is about.
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

/** What lies in the folder of small documents besides the one that is written. */
const neighbours: ReadonlySet<string> = new Set([
  'polling.json',
  'polling-lease',
  'view.json',
  'notify.json',
  'last-screen',
]);

/**
 * A small document in a file (mode 0600) that processes share under its lock. Its contents can be had anew at any time, so a
 * damaged file counts as none. The first change also removes what killed processes left in its folder.
 * @param read what a value of any shape holds; undefined stands for no file
 */
export function createFileDocument<Data extends object | null>(
  path: string,
  read: (value: unknown) => Data,
  context: DocumentContext,
): Document<Data> {
  const document = new JsonDocument(path, { format: replaceableFormat(read), tidies: neighbours }, context);
  return { read: () => document.read(), update: (change) => document.update(change) };
}
