import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Low } from 'lowdb';
import { createSerialQueue } from '../../lib/async.ts';
import { sleep } from '../../lib/clock.ts';
import {
  asStoreErrors,
  ConcurrentChangeError,
  nullIfMissing,
  StoreError,
  systemCode,
  toStoreError,
} from '../../lib/store-errors.ts';
import { removeFile, unfinishedPath, writeFileAtomically } from './atomic-write.ts';
import { copyFile, damagedName, moveDamagedFile, removeStaleTempFiles } from './damaged-files.ts';
import type { Decoded, DocumentFormat } from './formats.ts';
import { type HeldLock, type LockContext, LockLostError, withFileLock } from './lock.ts';
import { fileMarkSync, noFile, readWholeFile, resolveFilePath } from './open-file.ts';

export interface DocumentContext extends LockContext {
  /** Called with a message for the user, for example that a damaged file was moved aside. */
  readonly notify?: (notice: string) => void;
}

/** What distinguishes one kind of document from others. */
export interface DocumentKind<Data> {
  readonly format: DocumentFormat<Data>;
  /** Whether to keep the data if the file is deleted while the program is running. */
  readonly isPrecious?: (data: Data) => boolean;
  /**
   * Names of other files in the same folder. The first change removes the temp files of these files, and of this one,
   * that killed processes left behind. If absent, none are removed.
   */
  readonly siblings?: ReadonlySet<string>;
  /** Returns a sentence about a copy that could replace a damaged file, or null. */
  readonly restoreHint?: () => Promise<string | null>;
}

/** Called under the lock, and again if the change is retried. */
interface ChangeHooks<Data> {
  /** Called once the new text is on disk, before it replaces the old file, so that the old file can be copied. */
  readonly beforeReplacing?: (path: string) => Promise<void>;
  readonly afterWriting?: (before: Data, after: Data) => Promise<void>;
}

type Change<Data> = (current: Data) => Data | Promise<Data>;

/** The file's content, or how it is damaged, when it had this mark. */
type Loaded<Data> = Exclude<Decoded<Data>, { readonly kind: 'newer' }> & { readonly mark: string };

/** If a file changed this recently, an editor may still be writing it in place. */
const settlesWithinMs = 1_000;
const settlePauseMs = 150;
const maxSettlePauses = 5;
/** Maximum number of attempts while others write without the lock or take it over. */
const maxTries = 50;

/**
 * A JSON file that is shared with other processes, editors and sync tools. Links are followed. Each change takes the lock,
 * reads the file again, and writes the result. Readers never see half a file, and a damaged file or one from a newer
 * version is never overwritten. All methods reject with a `StoreError`.
 */
export class JsonDocument<Data> {
  readonly #path: string;
  readonly #kind: DocumentKind<Data>;
  readonly #context: DocumentContext;
  readonly #queue = createSerialQueue();
  /** The last known content, which is valid as long as the file has this mark. */
  #known: { readonly mark: string; readonly data: Data } | null = null;
  #isTidy = false;

  constructor(path: string, kind: DocumentKind<Data>, context: DocumentContext) {
    this.#path = path;
    this.#kind = kind;
    this.#context = context;
  }

  /** Reads the document. Empty if there is no file. A damaged file is repaired under the lock. */
  async read(): Promise<Data> {
    return await this.#exclusive((path) => this.#read(path));
  }

  /**
   * Applies a change to the newest data, and writes and returns the result. Writes nothing if the change returns its
   * argument. The change may run again if another process writes at the same time.
   */
  async update(change: Change<Data>, hooks: ChangeHooks<Data> = {}): Promise<Data> {
    return await this.#exclusive(async (path) => await this.#change(path, change, hooks));
  }

  async remove(): Promise<void> {
    await this.#exclusive(removeFile);
  }

  /** Whether no work is pending, so that this object can be discarded. */
  isIdle(): boolean {
    return this.#queue.isEmpty();
  }

  async #exclusive<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    const uid = this.#context.processes?.uid ?? null;
    return await asStoreErrors(this.#path, () =>
      this.#queue.run(async () => await work(await resolveFilePath(this.#path, uid))),
    );
  }

  async #read(path: string): Promise<Data> {
    const loaded = await this.#load(path);
    if (loaded.kind === 'whole') return loaded.data;
    try {
      return await this.#change(path, (current) => current, {});
    } catch (error) {
      if (loaded.kind === 'damaged') throw await this.#damageError(path, loaded.reason, error);
      // Even if we cannot write, the valid data can be used.
      this.#context.notify?.(
        `${path} is partly damaged (${loaded.lost}), and it could not be copied: ${toStoreError(error, path).message}`,
      );
      return this.#remember(loaded.mark, loaded.data);
    }
  }

  /** Reads the file, unless its content is known. Throws if a newer version of the program wrote it. */
  async #load(path: string): Promise<Loaded<Data>> {
    // Taken before the read: then a write in between is read twice instead of being missed.
    const mark = fileMarkSync(path);
    if (this.#known?.mark === mark) return { kind: 'whole', data: this.#known.data, mark };
    if (mark === noFile) return { kind: 'whole', data: this.#remember(mark, this.#missingFileData(path)), mark };
    const decoded = await this.#inspect(path);
    if (decoded.kind === 'newer')
      throw new StoreError(
        'newer-version',
        {
          what: `${path} was written by a newer version of parcel-monitor (file version ${decoded.version}) and was left untouched.`,
          advice: 'Update parcel-monitor.',
        },
        path,
      );
    if (decoded.kind === 'whole') this.#remember(mark, decoded.data);
    return { ...decoded, mark };
  }

  /** Retries if another program wrote the file without the lock, or took over the lock. */
  async #change(path: string, change: Change<Data>, hooks: ChangeHooks<Data>): Promise<Data> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await withFileLock(path, this.#context, (lock) => this.#changeLocked(path, lock, change, hooks));
      } catch (error) {
        const isOvertaken = error instanceof LockLostError || error instanceof ConcurrentChangeError;
        if (!isOvertaken || tries === maxTries) throw error;
      }
    }
  }

  async #changeLocked(path: string, lock: HeldLock, change: Change<Data>, hooks: ChangeHooks<Data>): Promise<Data> {
    if (!this.#isTidy) await this.#tidyUp(path);
    this.#isTidy = true;
    const adapter = {
      read: () => this.#readLocked(path, lock),
      write: (data: Data) =>
        this.#write(path, lock, data, this.#known?.mark ?? noFile, () => hooks.beforeReplacing?.(path)),
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

  /** Reads the file. If it is damaged, moves it aside so that it is not overwritten. */
  async #readLocked(path: string, lock: HeldLock): Promise<Data> {
    const { clock, random } = this.#context;
    let loaded = await this.#load(path);
    for (let pauses = 0; loaded.kind === 'damaged' && pauses < maxSettlePauses; pauses += 1) {
      const age = clock.now() - (await stat(path)).mtimeMs;
      if (!(age >= 0 && age < settlesWithinMs)) break;
      await sleep(clock, settlePauseMs);
      const before = loaded.mark;
      loaded = await this.#load(path);
      if (loaded.mark === before) break;
    }
    if (loaded.kind === 'whole') return loaded.data;
    const aside = await damagedName(path, clock.now());
    if (loaded.kind === 'partly-damaged') {
      const { data, lost, mark } = loaded;
      await copyFile(path, aside, random);
      await this.#write(path, lock, data, mark);
      await this.#notify(
        `${path} was partly damaged (${lost}). The rest was kept, and the original was saved as ${aside}; repair it by hand if you need more.`,
      );
      return data;
    }
    const { reason } = loaded;
    const isMoved = await moveDamagedFile(path, aside, { reason, random });
    const precious = this.#preciousData();
    const data = precious ?? this.#kind.format.empty;
    if (isMoved && precious === null) this.#remember(noFile, data);
    else await this.#write(path, lock, data, isMoved ? noFile : loaded.mark);
    const advice =
      precious === null
        ? 'A new file was started; repair the old one by hand to get its content back.'
        : 'A new file was written from memory; repair the old one by hand if it contained more.';
    await this.#notify(`${path} was damaged (${reason}) and was moved to ${aside}. ${advice}`);
    return data;
  }

  /** Writes atomically, but only if the file still has this mark. */
  async #write(
    path: string,
    lock: HeldLock,
    data: Data,
    mark: string,
    beforeReplacing?: () => Promise<void> | undefined,
  ): Promise<void> {
    try {
      const newMark = await writeFileAtomically(path, this.#kind.format.encode(data), this.#context.random, {
        beforeReplacing,
        beforeRename: (temp) => {
          const inLock = lock.moveIntoLock(temp);
          if (fileMarkSync(path) !== mark) throw new ConcurrentChangeError(path);
          return inLock;
        },
      });
      this.#remember(newMark, data);
    } catch (error) {
      // If the lock was taken over, the new text went with it.
      if (systemCode(error) === 'ENOENT') lock.assertHeld();
      throw error;
    }
  }

  /**
   * Reads and parses a file without a lock. A missing file counts as the empty document, and an interrupted write in place
   * as complete.
   */
  async #inspect(path: string): Promise<Decoded<Data>> {
    const { format } = this.#kind;
    const knownData = this.#known?.data;
    const bytes = await nullIfMissing(readWholeFile(path));
    if (bytes === null) return { kind: 'whole', data: format.empty };
    const decoded = await format.decode(bytes, knownData);
    if (decoded.kind !== 'damaged') return decoded;
    const unfinished = await nullIfMissing(readWholeFile(unfinishedPath(path)));
    const intended = unfinished === null ? null : await format.decode(unfinished, knownData);
    return intended?.kind === 'whole' ? intended : decoded;
  }

  #remember(mark: string, data: Data): Data {
    this.#known = { mark, data };
    return data;
  }

  /** Keeps the parcels of a running board if their folder is deleted. */
  #missingFileData(path: string): Data {
    const precious = this.#preciousData();
    if (precious === null) return this.#kind.format.empty;
    if (this.#known?.mark !== noFile)
      this.#context.notify?.(
        `${path} no longer exists. Its content is still in memory and will be written with the next change; keep the program running until then.`,
      );
    return precious;
  }

  #preciousData(): Data | null {
    const known = this.#known?.data ?? null;
    return known !== null && this.#kind.isPrecious?.(known) === true ? known : null;
  }

  async #notify(sentence: string): Promise<void> {
    this.#context.notify?.(await this.#addOffer(sentence));
  }

  async #addOffer(sentence: string): Promise<string> {
    // An unreadable copy counts as missing, because the sentence is about the file.
    const offer = (await this.#kind.restoreHint?.().catch(() => null)) ?? null;
    return offer === null ? sentence : `${sentence} ${offer}`;
  }

  async #tidyUp(path: string): Promise<void> {
    const { siblings } = this.#kind;
    if (siblings === undefined) return;
    const isOurs = (name: string): boolean => name === basename(path) || siblings.has(name);
    await removeStaleTempFiles(dirname(path), this.#context.clock.now(), isOurs);
  }

  /** Returns the error for a file that is still damaged. Names the damage first, and then why it could not be repaired. */
  async #damageError(path: string, reason: string, cause: unknown): Promise<StoreError> {
    const failure = toStoreError(cause, path);
    if (failure.kind === 'damaged') return failure;
    const sentence = `${path} is damaged (${reason}), and could not be moved aside. ${failure.message}`;
    return new StoreError('damaged', await this.#addOffer(sentence), path, cause);
  }
}
