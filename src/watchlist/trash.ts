import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, EpochMs, Random } from '../service/clock.ts';
import { namesIn, removeFile, removeLeftOverTemps, uniquePart, writeFileAtomically } from './atomic-write.ts';
import type { DocumentFormat } from './document.ts';
import { emptyWatchlist } from './document.ts';
import { systemCode } from './errors.ts';
import { historyIdOf } from './identity.ts';
import { makeFolder } from './make-folder.ts';
import type { Parcel, Watchlist } from './parcel.ts';
import { syncFolder } from './sync-folder.ts';

/** How long a removed parcel can be brought back, in milliseconds. */
export const trashKeptMs = 30 * 24 * 60 * 60_000;

/** Parcels that were removed at once. Ids hold no dots, so no history has such a name. */
const entryName = /^removed\.(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.[0-9a-z]+\.json$/;

/** A parcel in the trash. */
export interface TrashedParcel {
  /** As it was when it was removed. */
  readonly parcel: Parcel;
  readonly removedAt: EpochMs;
}

/** What the trash needs from its surroundings. */
export interface TrashContext {
  readonly folder: string;
  readonly historyFolder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly format: DocumentFormat<Watchlist>;
}

/**
 * Where removed parcels wait with their histories. An entry is written before its parcels leave the index, histories
 * move after that; so whenever the program is killed, a parcel is in the index or in the trash, and its history is in
 * one of two places. An entry whose parcel is in the index means nothing. Methods throw what the system throws.
 */
export class Trash {
  readonly #context: TrashContext;

  constructor(context: TrashContext) {
    this.#context = context;
  }

  /** Notes parcels that are about to leave the index. */
  async note(parcels: readonly Parcel[]): Promise<void> {
    const { clock, folder, format, random } = this.#context;
    const time = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
    const path = join(folder, `removed.${time}.${uniquePart(random)}.json`);
    await writeFileAtomically(path, format.encode({ ...emptyWatchlist, parcels }), random);
  }

  /** Moves the histories of parcels that have left the index here. */
  async takeHistories(historyIds: readonly string[]): Promise<void> {
    const { folder, historyFolder } = this.#context;
    await this.#move(historyIds, historyFolder, folder);
  }

  /** Moves the histories of parcels that are about to come back to their place, unless there are newer ones. */
  async giveBackHistories(historyIds: readonly string[]): Promise<void> {
    const { folder, historyFolder } = this.#context;
    const kept = new Set(await namesIn(folder));
    const wanted = historyIds.filter((id) => kept.has(`${id}.json`));
    if (wanted.length === 0) return;
    const newer = new Set(await namesIn(historyFolder));
    await this.#move(
      wanted.filter((id) => !newer.has(`${id}.json`)),
      folder,
      historyFolder,
    );
  }

  /** Everything in the trash, latest first; each parcel once, as it was removed last. */
  async list(): Promise<readonly TrashedParcel[]> {
    const trashed = new Map<string, TrashedParcel>();
    for (const { file, removedAt } of await this.#entries()) {
      for (const parcel of await this.#read(file)) {
        if (!trashed.has(parcel.id)) trashed.set(parcel.id, { parcel, removedAt });
      }
    }
    return [...trashed.values()];
  }

  /** Throws away for good what has waited long enough, and what killed processes left. */
  async prune(): Promise<void> {
    const { clock, folder } = this.#context;
    await removeLeftOverTemps(folder, clock.now());
    const entries = await this.#entries();
    const isOver = ({ removedAt }: Entry): boolean => clock.now() - removedAt > trashKeptMs;
    const over = entries.filter(isOver);
    if (over.length === 0) return;
    const ids = async (some: readonly Entry[]): Promise<readonly string[]> =>
      (await Promise.all(some.map(({ file }) => this.#read(file)))).flat().map(historyIdOf);
    const kept = new Set(await ids(entries.filter((entry) => !isOver(entry))));
    for (const id of await ids(over)) if (!kept.has(id)) await removeFile(join(folder, `${id}.json`));
    for (const { file } of over) await removeFile(join(folder, file));
  }

  async #entries(): Promise<readonly Entry[]> {
    const entries = (await namesIn(this.#context.folder)).flatMap((file): Entry[] => {
      const time = entryName.exec(file);
      if (time === null) return [];
      const [, year, month, day, hours, minutes, seconds] = time;
      return [{ file, removedAt: Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`) }];
    });
    return entries.sort((a, b) => b.removedAt - a.removedAt);
  }

  async #read(file: string): Promise<readonly Parcel[]> {
    const decoded = await this.#context.format.decode(await readFile(join(this.#context.folder, file), 'utf8'));
    return decoded.kind === 'whole' || decoded.kind === 'partly-damaged' ? decoded.data.parcels : [];
  }

  async #move(historyIds: readonly string[], from: string, to: string): Promise<void> {
    let moved = false;
    for (const id of historyIds) {
      try {
        if (!moved) await makeFolder(to);
        await rename(join(from, `${id}.json`), join(to, `${id}.json`));
        moved = true;
      } catch (error) {
        // Nothing was ever heard of this parcel.
        if (systemCode(error) !== 'ENOENT') throw error;
      }
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
