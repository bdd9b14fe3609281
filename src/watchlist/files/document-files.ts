import { StoreDamagedError, toStoreError } from '../errors.ts';
import type { FileAdapterContext } from './file-adapter.ts';
import { fileMark, noFile } from './file-mark.ts';
import { type DocumentKind, dataOfMissing, inspectFile, newerVersion } from './inspect-file.ts';
import { refuseOtherThanFile } from './open-file.ts';
import { resolvePath } from './resolve-path.ts';
import { createSerialQueue, type SerialQueue } from './serial-queue.ts';
import { refuseStrangeLinks } from './strange-links.ts';

/** A change that is about to be written, or was. */
export interface DocumentChange<Data> {
  /** With links resolved. */
  readonly path: string;
  readonly before: Data;
  readonly after: Data;
}

/** What is done along with a change while the lock is held; each may run again when the change has to be made again. */
export interface ChangeHooks<Data> {
  readonly beforeWriting?: (change: DocumentChange<Data>) => Promise<void>;
  /** When the new text is on the disk and the old one about to go: for copies of it. */
  readonly beforeReplacing?: (change: DocumentChange<Data>) => Promise<void>;
  readonly afterWriting?: (change: DocumentChange<Data>) => Promise<void>;
}

/**
 * Reading and changing JSON documents that other processes use as well: links resolved, one piece of work on a file at
 * a time, every change under the file's lock. All methods reject with a `StoreError`.
 */
export class DocumentFiles {
  readonly #context: FileAdapterContext;
  readonly #queues = new Map<string, SerialQueue>();
  readonly #tidied = new Set<string>();

  constructor(context: FileAdapterContext) {
    this.#context = context;
  }

  /** Reads a document; repairs it under the lock when it is damaged. */
  async read<Data>(path: string, kind: DocumentKind<Data>): Promise<Data> {
    return await this.exclusive(path, async (resolved) => {
      // Taken before reading: a write in between is then noticed once more rather than missed.
      const mark = await fileMark(resolved);
      const known = kind.memory?.recall(mark);
      if (known != null) return known.data;
      const learn = (data: Data, migratedFrom: number | null = null): Data =>
        kind.memory?.learn(mark, data, migratedFrom) ?? data;
      if (mark === noFile) return learn(dataOfMissing(resolved, kind, this.#context.notify));
      const decoded = await inspectFile(resolved, kind);
      if (decoded.kind === 'whole') return learn(decoded.data, decoded.migratedFrom);
      if (decoded.kind === 'newer') throw newerVersion(resolved, decoded.version);
      try {
        return await this.#change(resolved, kind, (current) => current, {});
      } catch (error) {
        if (decoded.kind === 'damaged') throw await damagedForGood(resolved, decoded.reason, kind, error);
        // What is good can be used even where nothing can be written.
        this.#context.notify({
          kind: 'damaged-file-moved',
          message: `${resolved} is partly damaged (${decoded.lost}), and no copy could be put aside: ${toStoreError(error, resolved).message}`,
        });
        return learn(decoded.data);
      }
    });
  }

  /** Applies a change to the newest document and writes it. */
  async update<Data>(
    path: string,
    kind: DocumentKind<Data>,
    change: (current: Data) => Data,
    hooks: ChangeHooks<Data> = {},
  ): Promise<Data> {
    return await this.exclusive(path, async (resolved) => await this.#change(resolved, kind, change, hooks));
  }

  /** Runs work on a file while nothing else of this store works on it; `work` gets the resolved path. */
  async exclusive<Result>(path: string, work: (resolved: string) => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(path) ?? createSerialQueue();
    this.#queues.set(path, queue);
    try {
      return await queue.run(async () => await work(await this.#resolve(path)));
    } catch (error) {
      throw toStoreError(error, path);
    } finally {
      if (queue.isEmpty()) this.#queues.delete(path);
    }
  }

  /** Follows links; nothing is made beside what is no file, nor by way of a stranger's link. */
  async #resolve(path: string): Promise<string> {
    await refuseStrangeLinks(path, this.#context.processes?.uid ?? null);
    const resolved = await resolvePath(path);
    await refuseOtherThanFile(resolved, path);
    return resolved;
  }

  async #change<Data>(
    path: string,
    kind: DocumentKind<Data>,
    change: (current: Data) => Data,
    hooks: ChangeHooks<Data>,
  ): Promise<Data> {
    // Lock, lowdb and all that writes are loaded by the first change: commands that only read start without them.
    const { changeDocument } = await import('./change-document.ts');
    return await changeDocument({ path, kind, change, hooks, tidied: this.#tidied }, this.#context);
  }
}

/** What is told of a damaged file where nothing can be written: that it is damaged is what the user has to know first. */
async function damagedForGood<Data>(
  path: string,
  reason: string,
  { offerCopy }: DocumentKind<Data>,
  cause: unknown,
): Promise<StoreDamagedError> {
  const why = toStoreError(cause, path);
  if (why instanceof StoreDamagedError) return why;
  // A copy that cannot be read is none; the file itself is what this is about.
  const offer = await offerCopy().catch(() => null);
  const sentence = `${path} is damaged (${reason}), and could not be moved aside. ${why.message}`;
  return new StoreDamagedError(offer === null ? sentence : `${sentence} ${offer}`, path, cause);
}
