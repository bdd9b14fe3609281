import { dirname } from 'node:path';
import { Low } from 'lowdb';
import { removeLeftOverTemps } from './atomic-write.ts';
import type { DocumentFormat } from './document.ts';
import { toStoreError } from './errors.ts';
import { FileAdapter, type FileAdapterContext, inspectFile, newerVersion } from './file-adapter.ts';
import { withFileLock } from './lock.ts';
import { resolvePath } from './resolve-path.ts';
import { createSerialQueue, type SerialQueue } from './serial-queue.ts';

/** Called with the resolved path at the moment that makes a mark of the file trustworthy. */
export type PathHook = (path: string) => Promise<void>;

const noHook: PathHook = async () => {};

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

  /** Reads a document; repairs it under the lock when it is damaged. `beforeReading` runs just before. */
  async read<Data>(path: string, format: DocumentFormat<Data>, beforeReading = noHook): Promise<Data> {
    return await this.exclusive(path, async (resolved) => {
      await beforeReading(resolved);
      const decoded = await inspectFile(resolved, format);
      if (decoded.kind === 'whole') return decoded.data;
      if (decoded.kind === 'newer') throw newerVersion(resolved, decoded.version);
      try {
        return await this.#change(resolved, format, (current) => current, beforeReading);
      } catch (error) {
        if (decoded.kind === 'damaged') throw error;
        // What is good can be used even where nothing can be written.
        this.#context.notify({
          kind: 'damaged-file-moved',
          message: `${resolved} is partly damaged (${decoded.lost}), and no copy could be put aside: ${toStoreError(error, resolved).message}`,
        });
        return decoded.data;
      }
    });
  }

  /** Applies a change to the newest document and writes it; `afterWriting` runs while the lock is still held. */
  async update<Data>(
    path: string,
    format: DocumentFormat<Data>,
    change: (current: Data) => Data,
    afterWriting = noHook,
  ): Promise<Data> {
    return await this.exclusive(path, async (resolved) => await this.#change(resolved, format, change, afterWriting));
  }

  /** Runs work on a file while nothing else of this store works on it; `work` gets the resolved path. */
  async exclusive<Result>(path: string, work: (resolved: string) => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(path) ?? createSerialQueue();
    this.#queues.set(path, queue);
    try {
      return await queue.run(async () => await work(await resolvePath(path)));
    } catch (error) {
      throw toStoreError(error, path);
    } finally {
      if (queue.isEmpty()) this.#queues.delete(path);
    }
  }

  async #change<Data>(
    path: string,
    format: DocumentFormat<Data>,
    change: (current: Data) => Data,
    afterWriting: PathHook,
  ): Promise<Data> {
    return await withFileLock(path, this.#context, async (lock) => {
      await this.#tidyUp(dirname(path));
      const low = new Low<Data>(new FileAdapter(path, format, lock, this.#context), format.empty);
      await low.read();
      const changed = change(low.data);
      if (changed !== low.data) {
        low.data = changed;
        await low.write();
      }
      await afterWriting(path);
      return changed;
    });
  }

  async #tidyUp(folder: string): Promise<void> {
    if (this.#tidied.has(folder)) return;
    this.#tidied.add(folder);
    await removeLeftOverTemps(folder, this.#context.clock.now());
  }
}
