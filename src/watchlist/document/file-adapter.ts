import { stat } from 'node:fs/promises';
import type { Adapter } from 'lowdb';
import { sleep } from '../../service/clock/clock.ts';
import { ChangedMeanwhileError, systemCode } from '../errors.ts';
import { writeFileAtomically } from '../files/atomic-write.ts';
import { fileMarkSync, noFile } from '../files/file-mark.ts';
import { copyFile } from '../files/keep-copy.ts';
import type { HeldLock } from '../lock/lock.ts';
import { damagedName, moveDamagedFile } from './damaged-file.ts';
import type { Decoded } from './document-format.ts';
import {
  type DocumentContext,
  dataOfMissing,
  inspectDocument,
  newerVersion,
  type OpenDocument,
  preciousData,
} from './open-document.ts';

/** A file written this recently, in milliseconds, may be written still by an editor that writes in place. */
const settlesWithinMs = 1_000;
const settlePauseMs = 150;

/**
 * lowdb adapter of one file, to be used while holding the file's lock: validates what it reads,
 * moves damaged files aside instead of overwriting them, writes atomically, and only over the file that it has read.
 * Where there is no file it answers what was last known of it, since a board that
 * runs must not lose its parcels when its folder does; else the empty document.
 */
export class FileAdapter<Data> implements Adapter<Data> {
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
