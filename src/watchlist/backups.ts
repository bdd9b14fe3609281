import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, EpochMs, Random } from '../service/clock.ts';
import { namesIn, removeFile } from './atomic-write.ts';
import type { Decoded, DocumentFormat } from './document.ts';
import { systemCode } from './errors.ts';
import { keepCopy } from './keep-copy.ts';
import type { Watchlist } from './parcel.ts';

const dayMs = 24 * 60 * 60_000;
/** How long copies that were made before a restoring are kept. */
const keepBeforeRestoreMs = 30 * dayMs;
const mostBeforeRestore = 5;
const name = /^watchlist-(\d{4}-\d{2}-\d{2})(?:T(\d{2})(\d{2})(\d{2})Z)?\.json$/;

/** A copy of the index. */
export interface Backup {
  /** File name. */
  readonly name: string;
  readonly path: string;
  /** When the index was as it is in the copy: an instant for copies made before a restoring, else the end of this day (UTC). */
  readonly at: EpochMs;
  readonly isDaily: boolean;
}

/** A backup and what it holds. */
export interface InspectedBackup extends Backup {
  /** Null when it cannot be used. */
  readonly watchlist: Watchlist | null;
}

/** What backups need from their surroundings. */
export interface BackupsContext {
  /** The folder of the copies. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly format: DocumentFormat<Watchlist>;
}

/**
 * Copies of the index as it was: at the end of yesterday, of last week and of the week before (all UTC), and before each
 * restoring. Methods throw what the system throws.
 */
export class Backups {
  readonly #context: BackupsContext;

  constructor(context: BackupsContext) {
    this.#context = context;
  }

  /**
   * Keeps the index as it was at the end of the day of its last change, if that is over. To be called under the lock just
   * before it is replaced; but for the first time of a day it costs one look at the file.
   */
  async keepDaily(indexPath: string): Promise<void> {
    const { clock, folder, random } = this.#context;
    const changedAt = await changeTime(indexPath);
    if (changedAt === null || dayOf(changedAt) >= dayOf(clock.now())) return;
    if (await keepCopy(indexPath, join(folder, `watchlist-${dayOf(changedAt)}.json`), random)) await this.#prune();
  }

  /** Keeps the index as it is now, whatever the day; answers the copy, null when there is no index. */
  async keepNow(indexPath: string): Promise<string | null> {
    const { clock, folder, random } = this.#context;
    const time = new Date(clock.now()).toISOString().replace(/\.\d+/, '').replaceAll(':', '');
    const copy = join(folder, `watchlist-${time}.json`);
    const isKept = await keepCopy(indexPath, copy, random);
    if (isKept) await this.#prune();
    return isKept ? copy : null;
  }

  /** All copies, newest first. */
  async list(): Promise<readonly Backup[]> {
    const { folder } = this.#context;
    const backups = (await namesIn(folder)).flatMap((file): Backup[] => {
      const [, day, hours, minutes, seconds] = name.exec(file) ?? [];
      if (day === undefined) return [];
      const isDaily = hours === undefined;
      const at = isDaily
        ? Date.parse(`${day}T00:00:00Z`) + dayMs - 1
        : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
      return Number.isFinite(at) ? [{ name: file, path: join(folder, file), at, isDaily }] : [];
    });
    return backups.sort((a, b) => b.at - a.at);
  }

  /** What a copy holds. */
  async inspect(backup: Backup): Promise<InspectedBackup> {
    const decoded: Decoded<Watchlist> = await this.#context.format.decode(await readFile(backup.path, 'utf8'));
    const isUsable = decoded.kind === 'whole' || decoded.kind === 'partly-damaged';
    return { ...backup, watchlist: isUsable ? decoded.data : null };
  }

  /** The newest copy that is whole and holds parcels; null when there is none. */
  async newestGood(): Promise<(InspectedBackup & { readonly watchlist: Watchlist }) | null> {
    for (const backup of await this.list()) {
      const { watchlist } = await this.inspect(backup);
      if (watchlist !== null && watchlist.parcels.length > 0) return { ...backup, watchlist };
    }
    return null;
  }

  async #prune(): Promise<void> {
    const backups = await this.list();
    const kept = keptBackups(backups, this.#context.clock.now());
    for (const backup of backups) if (!kept.has(backup)) await removeFile(backup.path);
  }
}

/**
 * The copies that are worth keeping, of a list that is newest first: the two newest days, the newest of each of the two
 * weeks before this one, and what restorings of the last month have replaced.
 */
export function keptBackups(backups: readonly Backup[], now: EpochMs): ReadonlySet<Backup> {
  const daily = backups.filter(({ isDaily }) => isDaily);
  const beforeRestore = backups.filter(({ isDaily, at }) => !isDaily && now - at < keepBeforeRestoreMs);
  const ofWeek = (week: number): readonly Backup[] => daily.filter(({ at }) => weekOf(at) === week).slice(0, 1);
  return new Set([
    ...daily.slice(0, 2),
    ...ofWeek(weekOf(now) - 1),
    ...ofWeek(weekOf(now) - 2),
    ...beforeRestore.slice(0, mostBeforeRestore),
  ]);
}

/** Counts weeks that begin on Mondays; 1970 began on a Thursday. */
const weekOf = (at: EpochMs): number => Math.floor((Math.floor(at / dayMs) + 3) / 7);
const dayOf = (at: EpochMs): string => new Date(at).toISOString().slice(0, 10);

async function changeTime(path: string): Promise<EpochMs | null> {
  const stats = await stat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  return stats?.mtimeMs ?? null;
}
