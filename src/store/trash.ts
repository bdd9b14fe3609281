import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, EpochMs, Random } from '../lib/clock.ts';
import { isJsonObject } from '../lib/json.ts';
import { randomId } from '../lib/paths.ts';
import { asStoreErrors, nullIfMissing } from '../lib/store-errors.ts';
import { historyIdOf } from '../parcels/identity.ts';
import { idPattern, type Parcel } from '../parcels/parcel.ts';
import { emptyWatchlist } from '../parcels/parcel-list.ts';
import { removeFile, writeFileAtomically } from './file/atomic-write.ts';
import { listNames, moveFile, removeStaleTempFiles } from './file/damaged-files.ts';
import { makeFolder, syncFolder } from './file/folders.ts';
import { usableData, watchlistFormat } from './file/formats.ts';
import { readListedFile } from './file/open-file.ts';
import type { Processes } from './file/processes.ts';
import { createFileDocument } from './shared-state.ts';

/** Lower bounds for how long entries have been in the trash. */
export interface TrashAges {
  readonly lookedAt: EpochMs;
  /** By name, in milliseconds. */
  readonly waited: Readonly<Record<string, number>>;
}

/** Maximum time that one update adds, because a longer one may come from a wrong clock. */
const maxStepMs = 3 * 24 * 60 * 60_000;
/** Updates that are closer together than this are skipped. */
const minStepMs = 60 * 60_000;

/**
 * Updates the ages. A wrong clock adds at most one step. New entries start at 0, and missing ones are dropped. Returns
 * `before` itself if nothing changes.
 */
export function nextAges(before: TrashAges | null, names: readonly string[], now: EpochMs): TrashAges {
  const stepMs = before === null ? 0 : now - before.lookedAt;
  const knownTimes = before?.waited ?? {};
  const isSame =
    names.length === Object.keys(knownTimes).length && names.every((name) => Object.hasOwn(knownTimes, name));
  if (before !== null && isSame && stepMs >= 0 && stepMs < minStepMs) return before;
  const addedMs = Math.min(Math.max(stepMs, 0), maxStepMs);
  const waitedMs = (name: string): number => (knownTimes[name] === undefined ? 0 : knownTimes[name] + addedMs);
  return { lookedAt: now, waited: Object.fromEntries(names.map((name) => [name, waitedMs(name)])) };
}

/** Parses saved ages. Returns null if they are not valid; then all ages start again at 0. */
export function readTrashAges(value: unknown): TrashAges | null {
  if (!isJsonObject(value)) return null;
  const { lookedAt, waited } = value;
  if (typeof lookedAt !== 'number' || !Number.isFinite(lookedAt) || !isJsonObject(waited)) return null;
  const times = Object.entries(waited).flatMap(([name, ms]): [string, number][] =>
    typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? [[name, ms]] : [],
  );
  return { lookedAt, waited: Object.fromEntries(times) };
}

/** Minimum time during which a removed parcel can be restored. */
export const trashKeptMs = 30 * 24 * 60 * 60_000;

/**
 * The name of a file with parcels that were removed together. No history has such a name, because ids contain no dots.
 * Older versions expect a random part in place of the milliseconds, so they can read these names, too.
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

/** The minimum time plus the error that a wrong clock may have added. */
const minExpiryMs = trashKeptMs + maxStepMs;

const agesFileName = 'waiting.times.json';

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
}

/**
 * Removed parcels with their histories. An entry is written before its parcels leave the index, and their histories are
 * moved after that. So after a crash, each parcel is in the index or the trash, and its history is in one of two places.
 * A removed parcel that is in the index as well is ignored. Methods throw a `StoreError` about the trash.
 */
export type Trash = ReturnType<typeof createTrash>;

export function createTrash({ clock, folder, historyFolder, processes = null, random }: TrashContext) {
  const addEntry = async (parcels: readonly Parcel[]): Promise<void> => {
    const path = join(folder, trashEntryName(clock.now(), randomId(random)));
    await asStoreErrors(folder, async () => {
      await writeFileAtomically(path, watchlistFormat.encode({ ...emptyWatchlist, parcels }), random);
    });
  };

  const addHistories = async (historyIds: readonly string[]): Promise<void> => {
    await asStoreErrors(folder, () => move(historyIds, historyFolder, folder));
  };

  /** Moves histories back before their parcels are restored, unless there are newer histories. */
  const restoreHistories = async (historyIds: readonly string[]): Promise<void> => {
    await asStoreErrors(folder, async () => {
      const trashedNames = new Set(await listNames(folder));
      const trashed = historyIds.filter((id) => trashedNames.has(`${id}.json`));
      const newer = new Set(trashed.length === 0 ? [] : await listNames(historyFolder));
      const older = trashed.filter((id) => !newer.has(`${id}.json`));
      await move(older, folder, historyFolder);
    });
  };

  /** Returns all removed parcels, most recently removed first. A parcel that was removed twice appears only once. */
  const list = async (): Promise<readonly TrashedParcel[]> => {
    const trashed = new Map<string, TrashedParcel>();
    for (const { file, removedAt } of await listEntries()) {
      for (const parcel of await read(file)) {
        if (!trashed.has(parcel.id)) trashed.set(parcel.id, { parcel, removedAt });
      }
    }
    return [...trashed.values()];
  };

  /**
   * Permanently deletes expired entries, and temp files of killed processes. An entry's date alone does not decide:
   * otherwise, a clock that is wrong during a single command could delete everything.
   */
  const prune = async (): Promise<void> => {
    await asStoreErrors(folder, async () => {
      const isHistory = (name: string): boolean => idPattern.test(name.replace(/\.json$/, ''));
      const isOurs = (name: string): boolean => name === agesFileName || entryName.test(name) || isHistory(name);
      await removeStaleTempFiles(folder, clock.now(), isOurs);
      const entries = await listEntries();
      const ages = await updateAges(entries);
      const isExpired = ({ file, removedAt }: Entry): boolean =>
        clock.now() - removedAt > trashKeptMs && (ages.waited[file] ?? 0) >= minExpiryMs;
      const expired = entries.filter(isExpired);
      if (expired.length > 0)
        await deleteEntries(
          expired,
          entries.filter((entry) => !isExpired(entry)),
        );
    });
  };

  const updateAges = async (entries: readonly Entry[]): Promise<TrashAges> => {
    const names = entries.map(({ file }) => file);
    const document = createFileDocument(join(folder, agesFileName), readTrashAges, { clock, random, processes });
    const savedAges = await document.read();
    const ages = nextAges(savedAges, names, clock.now());
    if (ages === savedAges || (savedAges === null && names.length === 0)) return ages;
    return (await document.update((before) => nextAges(before, names, clock.now()))) ?? ages;
  };

  const deleteEntries = async (expired: readonly Entry[], remaining: readonly Entry[]): Promise<void> => {
    const ids = async (entries: readonly Entry[]): Promise<readonly string[]> =>
      (await Promise.all(entries.map(({ file }) => read(file)))).flat().map(historyIdOf);
    const keptIds = new Set(await ids(remaining));
    for (const id of await ids(expired)) if (!keptIds.has(id)) await removeFile(join(folder, `${id}.json`));
    for (const { file } of expired) await removeFile(join(folder, file));
  };

  const listEntries = async (): Promise<readonly Entry[]> => {
    const entries = (await listNames(folder)).flatMap((file): Entry[] => {
      const match = entryName.exec(file);
      if (match === null) return [];
      const [, year, month, day, hours, minutes, seconds, milliseconds = '000'] = match;
      const removedAt = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
      return [{ file, removedAt }];
    });
    return entries.sort((a, b) => b.removedAt - a.removedAt);
  };

  const read = async (file: string): Promise<readonly Parcel[]> => {
    const bytes = await readListedFile(join(folder, file));
    return bytes === null ? [] : (usableData(await watchlistFormat.decode(bytes))?.parcels ?? []);
  };

  const move = async (historyIds: readonly string[], from: string, to: string): Promise<void> => {
    let hasMoved = false;
    for (const id of historyIds) {
      const file = join(from, `${id}.json`);
      const stats = await nullIfMissing(lstat(file));
      // There is no such file if the parcel has no history.
      if (!stats?.isFile() && !stats?.isSymbolicLink()) continue;
      if (!hasMoved) await makeFolder(to);
      // Another process may move the file at the same time.
      const isMoved = (await nullIfMissing(moveFile(file, join(to, `${id}.json`), random))) !== null;
      hasMoved ||= isMoved;
    }
    if (!hasMoved) return;
    await syncFolder(to);
    await syncFolder(from);
  };

  return { addEntry, addHistories, restoreHistories, list, prune };
}

interface Entry {
  readonly file: string;
  readonly removedAt: EpochMs;
}
