import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, EpochMs, Random } from '../lib/clock.ts';
import { isJsonObject } from '../lib/json.ts';
import { uniquePart } from '../lib/paths.ts';
import { asStoreErrors, nullIfMissing } from '../lib/store-errors.ts';
import { historyIdOf, idPattern } from '../parcels/identity.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { emptyWatchlist, type Watchlist } from '../parcels/parcel-list.ts';
import { removeFile, writeFileAtomically } from './file/atomic-write.ts';
import { moveFile, namesIn, removeStaleTempFiles } from './file/damaged-files.ts';
import { type DocumentFormat, usableData } from './file/document-format.ts';
import { makeFolder, syncFolder } from './file/folders.ts';
import { createFileDocument } from './file/json-document.ts';
import { readListedFile } from './file/open-file.ts';
import type { Processes } from './file/processes.ts';

/** How long each entry has waited at least. */
export interface WaitingTimes {
  readonly lookedAt: EpochMs;
  /** By name, in milliseconds. */
  readonly waited: Readonly<Record<string, number>>;
}

/** In milliseconds. The maximum step between two updates. A longer time may come from a wrong clock. */
const maxStepMs = 3 * 24 * 60 * 60_000;
/** In milliseconds. Updates closer together than this count as one. */
const minStepMs = 60 * 60_000;

/**
 * Updates the waiting times. A wrong clock adds at most one step. New names start at 0, and missing names are dropped.
 * Returns `before` itself if nothing changes.
 */
export function waitOn(before: WaitingTimes | null, names: readonly string[], now: EpochMs): WaitingTimes {
  const stepMs = before === null ? 0 : now - before.lookedAt;
  const known = before?.waited ?? {};
  const isSame = names.length === Object.keys(known).length && names.every((name) => Object.hasOwn(known, name));
  if (before !== null && isSame && stepMs >= 0 && stepMs < minStepMs) return before;
  const addedMs = Math.min(Math.max(stepMs, 0), maxStepMs);
  const waitedOf = (name: string): number => (known[name] === undefined ? 0 : known[name] + addedMs);
  return { lookedAt: now, waited: Object.fromEntries(names.map((name) => [name, waitedOf(name)])) };
}

/** Reads the saved times, or null if they are not valid. Then all waits start again. */
export function readWaitingTimes(value: unknown): WaitingTimes | null {
  if (!isJsonObject(value)) return null;
  const { lookedAt, waited } = value;
  if (typeof lookedAt !== 'number' || !Number.isFinite(lookedAt) || !isJsonObject(waited)) return null;
  const times = Object.entries(waited).flatMap(([name, ms]): [string, number][] =>
    typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? [[name, ms]] : [],
  );
  return { lookedAt, waited: Object.fromEntries(times) };
}

/** The minimum time during which a removed parcel can be restored, in milliseconds. */
export const trashKeptMs = 30 * 24 * 60 * 60_000;

/**
 * Parcels that were removed together. Ids have no dots, so no history has such a name. Older versions have a random
 * part where we have milliseconds, so they can also read it.
 */
const entryName = /^removed\.(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.(?:(\d{3})ms)?[0-9a-z]+\.json$/;

/**
 * Returns the name of a trash entry.
 * @param part a unique part of letters and digits
 */
export function trashEntryName(removedAt: EpochMs, part: string): string {
  const [second = '', milliseconds = ''] = new Date(removedAt).toISOString().replace(/[-:Z]/g, '').split('.');
  return `removed.${second}Z.${milliseconds}ms${part}.json`;
}

/** The minimum, plus the error that a wrong clock may add. */
const surelyOverMs = trashKeptMs + maxStepMs;

/** The file with the waiting times of the entries. */
const timesName = 'waiting.times.json';

export interface TrashedParcel {
  readonly parcel: Parcel;
  readonly removedAt: EpochMs;
}

interface TrashContext {
  readonly folder: string;
  readonly historyFolder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly processes?: Processes | null;
  readonly format: DocumentFormat<Watchlist>;
}

/**
 * Removed parcels with their histories. An entry is written before its parcels leave the index, and histories move
 * after that. After a crash, a parcel is in the index or in the trash, and its history is in one of two places. An
 * entry whose parcel is in the index is ignored. Methods throw a `StoreError` about the trash.
 */
export class Trash {
  readonly #context: TrashContext;

  constructor(context: TrashContext) {
    this.#context = context;
  }

  async note(parcels: readonly Parcel[]): Promise<void> {
    const { clock, folder, format, random } = this.#context;
    const path = join(folder, trashEntryName(clock.now(), uniquePart(random)));
    await asStoreErrors(folder, async () => {
      await writeFileAtomically(path, format.encode({ ...emptyWatchlist, parcels }), random);
    });
  }

  async takeHistories(historyIds: readonly string[]): Promise<void> {
    const { folder, historyFolder } = this.#context;
    await asStoreErrors(folder, () => this.#move(historyIds, historyFolder, folder));
  }

  /** Moves the histories of parcels back before the parcels are restored, unless there are newer ones. */
  async restoreHistories(historyIds: readonly string[]): Promise<void> {
    const { folder, historyFolder } = this.#context;
    await asStoreErrors(folder, async () => {
      const kept = new Set(await namesIn(folder));
      const wanted = historyIds.filter((id) => kept.has(`${id}.json`));
      const newer = new Set(wanted.length === 0 ? [] : await namesIn(historyFolder));
      const older = wanted.filter((id) => !newer.has(`${id}.json`));
      await this.#move(older, folder, historyFolder);
    });
  }

  /** Returns all removed parcels, latest first, each once, as last removed. */
  async list(): Promise<readonly TrashedParcel[]> {
    const trashed = new Map<string, TrashedParcel>();
    for (const { file, removedAt } of await this.#entries()) {
      for (const parcel of await this.#read(file)) {
        if (!trashed.has(parcel.id)) trashed.set(parcel.id, { parcel, removedAt });
      }
    }
    return [...trashed.values()];
  }

  /**
   * Permanently deletes expired entries and temp files of killed processes. The date alone is not enough: a clock that
   * is wrong for a single command would delete everything.
   */
  async prune(): Promise<void> {
    const { clock, folder } = this.#context;
    await asStoreErrors(folder, async () => {
      const isOfParcel = (name: string): boolean => idPattern.test(name.replace(/\.json$/, ''));
      const isOurs = (name: string): boolean => name === timesName || entryName.test(name) || isOfParcel(name);
      await removeStaleTempFiles(folder, clock.now(), isOurs);
      const entries = await this.#entries();
      const times = await this.#look(entries);
      const isOver = ({ file, removedAt }: Entry): boolean =>
        clock.now() - removedAt > trashKeptMs && (times.waited[file] ?? 0) >= surelyOverMs;
      const over = entries.filter(isOver);
      if (over.length > 0)
        await this.#throwAway(
          over,
          entries.filter((entry) => !isOver(entry)),
        );
    });
  }

  async #look(entries: readonly Entry[]): Promise<WaitingTimes> {
    const { clock, folder, processes = null, random } = this.#context;
    const names = entries.map(({ file }) => file);
    const document = createFileDocument(join(folder, timesName), readWaitingTimes, { clock, random, processes });
    const known = await document.read();
    const times = waitOn(known, names, clock.now());
    if (times === known || (known === null && names.length === 0)) return times;
    return (await document.update((before) => waitOn(before, names, clock.now()))) ?? times;
  }

  async #throwAway(over: readonly Entry[], others: readonly Entry[]): Promise<void> {
    const { folder } = this.#context;
    const ids = async (some: readonly Entry[]): Promise<readonly string[]> =>
      (await Promise.all(some.map(({ file }) => this.#read(file)))).flat().map(historyIdOf);
    const kept = new Set(await ids(others));
    for (const id of await ids(over)) if (!kept.has(id)) await removeFile(join(folder, `${id}.json`));
    for (const { file } of over) await removeFile(join(folder, file));
  }

  async #entries(): Promise<readonly Entry[]> {
    const entries = (await namesIn(this.#context.folder)).flatMap((file): Entry[] => {
      const time = entryName.exec(file);
      if (time === null) return [];
      const [, year, month, day, hours, minutes, seconds, milliseconds = '000'] = time;
      const removedAt = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
      return [{ file, removedAt }];
    });
    return entries.sort((a, b) => b.removedAt - a.removedAt);
  }

  async #read(file: string): Promise<readonly Parcel[]> {
    const { folder, format } = this.#context;
    const bytes = await readListedFile(join(folder, file));
    if (bytes === null) return [];
    return usableData(await format.decode(bytes))?.parcels ?? [];
  }

  async #move(historyIds: readonly string[], from: string, to: string): Promise<void> {
    const { random } = this.#context;
    let moved = false;
    for (const id of historyIds) {
      const file = join(from, `${id}.json`);
      const stats = await nullIfMissing(lstat(file));
      // Missing: the parcel has no history.
      if (!stats?.isFile() && !stats?.isSymbolicLink()) continue;
      if (!moved) await makeFolder(to);
      // Another process may move it at the same time.
      const isMoved = (await nullIfMissing(moveFile(file, join(to, `${id}.json`), random))) !== null;
      moved ||= isMoved;
    }
    if (!moved) return;
    await syncFolder(to);
    await syncFolder(from);
  }
}

interface Entry {
  readonly file: string;
  readonly removedAt: EpochMs;
}
