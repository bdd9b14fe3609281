import { createSerialQueue } from '../../lib/async.ts';
import { asStoreErrors, StoreError, toStoreError } from '../../lib/store-errors.ts';
import type { Document } from '../document.ts';
import { changeDocument, tidyUp } from './change-document.ts';
import { replaceableFormat } from './document-format.ts';
import { fileMarkSync, noFile } from './file-calls.ts';
import { findFilePlace } from './file-place.ts';
import {
  type ChangeHooks,
  type DocumentContext,
  type DocumentKind,
  DocumentMemory,
  dataOfMissing,
  inspectDocument,
  newerVersion,
  type OpenDocument,
} from './open-document.ts';
import { removeFile } from './replace-file.ts';

/**
 * A JSON file that other processes, editors and synchronisers use as well: links are resolved, one piece of work is done
 * at a time, and every change is lock, re-read, apply, write. Nobody ever sees half a file, and a damaged or newer one
 * is not overwritten. All methods reject with a `StoreError`.
 */
export class JsonDocument<Data> {
  readonly #path: string;
  readonly #kind: DocumentKind<Data>;
  readonly #context: DocumentContext;
  /** A file with the same mark is not read again. */
  readonly #memory = new DocumentMemory<Data>();
  readonly #queue = createSerialQueue();
  #isTidy = false;

  constructor(path: string, kind: DocumentKind<Data>, context: DocumentContext) {
    this.#path = path;
    this.#kind = kind;
    this.#context = context;
  }

  /** Reads the document; the empty one where there is no file. One that is damaged is repaired under the lock. */
  async read(): Promise<Data> {
    return await asStoreErrors(this.#path, () =>
      this.#queue.run(async () => this.#readUnchanged() ?? (await this.#readAnew(await this.#open()))),
    );
  }

  /**
   * What is known of the file where it is the one that was read last; null where there is none, or it has to be read. Asked
   * several times a second: one question to the file system, and what is not read needs no look at whose links lead there.
   */
  #readUnchanged(): Data | null {
    if (this.#memory.data === null) return null;
    try {
      // On this thread: to wake another one costs an idle board more than all else that it does.
      return this.#memory.recall(fileMarkSync(this.#path))?.data ?? null;
    } catch {
      // What cannot be looked at is looked at once more, by what can say why.
      return null;
    }
  }

  async #readAnew(document: OpenDocument<Data>): Promise<Data> {
    // Taken before reading: a write in between is then noticed once more rather than missed.
    const mark = fileMarkSync(document.path);
    const known = this.#memory.recall(mark);
    if (known !== null) return known.data;
    const learn = (data: Data, migratedFrom: number | null = null): Data =>
      this.#memory.learn(mark, data, migratedFrom);
    if (mark === noFile) return learn(dataOfMissing(document, this.#context));
    const decoded = await inspectDocument(document);
    if (decoded.kind === 'whole') return learn(decoded.data, decoded.migratedFrom);
    if (decoded.kind === 'newer') throw newerVersion(document.path, decoded.version);
    try {
      return await this.#change(document, (current) => current, {});
    } catch (error) {
      if (decoded.kind === 'damaged') throw await damagedForGood(document, decoded.reason, error);
      // What is good can be used even where nothing can be written.
      this.#context.notify?.(
        `${document.path} is partly damaged (${decoded.lost}), and no copy could be put aside: ${toStoreError(error, document.path).message}`,
      );
      return learn(decoded.data);
    }
  }

  /**
   * Applies a change to the newest data and writes what comes of it; answers that. A change that answers its argument
   * writes nothing; one may be applied again when somebody else wrote meanwhile. It is made under the lock, and may leave
   * others their turn.
   */
  async update(change: (current: Data) => Data | Promise<Data>, hooks: ChangeHooks<Data> = {}): Promise<Data> {
    return await this.#exclusive(async (document) => await this.#change(document, change, hooks));
  }

  /** Removes the file; harmless when there is none. */
  async remove(): Promise<void> {
    await this.#exclusive(async ({ path }) => await removeFile(path));
  }

  /** Whether nobody waits for this object, so that another one may take its place. */
  isIdle(): boolean {
    return this.#queue.isEmpty();
  }

  async #exclusive<Result>(work: (document: OpenDocument<Data>) => Promise<Result>): Promise<Result> {
    return await asStoreErrors(this.#path, () => this.#queue.run(async () => await work(await this.#open())));
  }

  /** Follows links; nothing is made beside what is no file, nor by way of a stranger's link. */
  async #open(): Promise<OpenDocument<Data>> {
    const path = await findFilePlace(this.#path, this.#context.processes?.uid ?? null);
    return { path, kind: this.#kind, memory: this.#memory };
  }

  async #change(
    document: OpenDocument<Data>,
    change: (current: Data) => Data | Promise<Data>,
    hooks: ChangeHooks<Data>,
  ): Promise<Data> {
    const beforeReading = async (): Promise<void> => {
      if (!this.#isTidy) await tidyUp(document.path, this.#kind.tidies, this.#context);
      this.#isTidy = true;
      await hooks.beforeReading?.();
    };
    return await changeDocument({ document, change, hooks: { ...hooks, beforeReading } }, this.#context);
  }
}

/** What is said of a damaged file where nothing can be written: that it is damaged is what the user has to know first. */
async function damagedForGood<Data>(
  { kind, path }: OpenDocument<Data>,
  reason: string,
  cause: unknown,
): Promise<StoreError> {
  const why = toStoreError(cause, path);
  if (why.kind === 'damaged') return why;
  // A copy that cannot be read is none; the file itself is what this is about.
  const offer = (await kind.offerCopy?.().catch(() => null)) ?? null;
  const sentence = `${path} is damaged (${reason}), and could not be moved aside. ${why.message}`;
  return new StoreError('damaged', offer === null ? sentence : `${sentence} ${offer}`, path, cause);
}

/** What is kept in the folder of small documents that is no document itself, or is seldom written. */
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
