import { constants } from 'node:fs';
import { chmod, copyFile, lstat, readFile, rename } from 'node:fs/promises';
import type { Adapter } from 'lowdb';
import type { Clock, Random } from '../service/clock.ts';
import { fileMode, writeFileAtomically } from './atomic-write.ts';
import type { Decoded, DocumentFormat } from './document.ts';
import { StoreDamagedError, StoreNewerVersionError, systemCode } from './errors.ts';
import type { HeldLock } from './lock.ts';
import type { StoreNotice } from './store.ts';

/** What an adapter needs from its surroundings. */
export interface FileAdapterContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Takes what a person should know. */
  readonly notify: (notice: StoreNotice) => void;
}

/**
 * lowdb adapter of one file, to be used while holding the file's lock (design.md, decision 5): validates what it reads,
 * moves damaged files aside instead of overwriting them, writes atomically. `path` must have its links resolved.
 * Reading answers the empty document when there is no file, since lowdb would otherwise keep what it had.
 */
export class FileAdapter<Data> implements Adapter<Data> {
  readonly #path: string;
  readonly #format: DocumentFormat<Data>;
  readonly #lock: HeldLock;
  readonly #context: FileAdapterContext;

  constructor(path: string, format: DocumentFormat<Data>, lock: HeldLock, context: FileAdapterContext) {
    this.#path = path;
    this.#format = format;
    this.#lock = lock;
    this.#context = context;
  }

  async read(): Promise<Data> {
    const decoded = await inspectFile(this.#path, this.#format);
    switch (decoded.kind) {
      case 'whole':
        return decoded.data;
      case 'newer':
        throw newerVersion(this.#path, decoded.version);
      case 'partly-damaged':
        return await this.#keepTheGood(decoded.data, decoded.lost);
      case 'damaged':
        return await this.#startAnew(decoded.reason);
    }
  }

  async write(data: Data): Promise<void> {
    const text = `${JSON.stringify(data, null, 2)}\n`;
    await writeFileAtomically(this.#path, text, this.#context.random, () => this.#lock.assertHeld());
  }

  async #keepTheGood(data: Data, lost: string): Promise<Data> {
    const aside = await this.#freeName();
    await copyFile(this.#path, aside, constants.COPYFILE_EXCL);
    await chmod(aside, fileMode);
    await this.write(data);
    this.#context.notify({
      kind: 'damaged-file-moved',
      message: `${this.#path} was partly damaged (${lost}). The rest is kept; the file as it was is ${aside}, to be mended by hand.`,
    });
    return data;
  }

  async #startAnew(reason: string): Promise<Data> {
    const aside = await this.#freeName();
    try {
      await rename(this.#path, aside);
    } catch (error) {
      throw new StoreDamagedError(
        `${this.#path} is damaged (${reason}) and could not be moved to ${aside}. Move it away by hand.`,
        this.#path,
        error,
      );
    }
    this.#context.notify({
      kind: 'damaged-file-moved',
      message: `${this.#path} was damaged (${reason}) and was moved to ${aside}. A new one was begun; mend the old one by hand to get its contents back.`,
    });
    return this.#format.empty;
  }

  async #freeName(): Promise<string> {
    const time = new Date(this.#context.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
    const base = `${this.#path}.damaged-${time}`;
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}-${number}`;
      if (!(await exists(name))) return name;
    }
  }
}

/** Reads and decodes a file without changing anything, so without a lock; no file counts as the empty document. */
export async function inspectFile<Data>(path: string, format: DocumentFormat<Data>): Promise<Decoded<Data>> {
  const text = await readIfThere(path);
  return text === null ? { kind: 'whole', data: format.empty } : format.decode(text);
}

/** The refusal of a file that a newer version of the program wrote. */
export function newerVersion(path: string, version: number): StoreNewerVersionError {
  return new StoreNewerVersionError(
    `${path} was written by a newer version of parcel-monitor (file version ${version}) and is left untouched. Update parcel-monitor.`,
    path,
  );
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
