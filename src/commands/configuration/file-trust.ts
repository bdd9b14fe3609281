import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemCode } from '../../watchlist/errors.ts';

/** Something about a file that a person should know, and what to do about it. */
export interface Doubt {
  /** A sentence. */
  readonly found: string;
  readonly advice: string;
}

/** Why a setting that has something read or run, or says where a secret goes, is not used while somebody else can write it, as sentences. */
export const notUsed = (setting: string, use: 'read' | 'run' | 'used', { advice }: Doubt): string =>
  `"${setting}" is not ${use} while somebody else can decide what it says. ${advice}`;

const othersMayRead = 0o044;
const groupMayWrite = 0o020;
const othersMayWrite = 0o002;
/** In a folder with this bit, only its owner replaces a file. */
const sticky = 0o1000;
/** Whom a container shows as the owner of folders from outside, root's among them. */
const unknownUser = 65_534;

/**
 * Finds out who besides the user and root decides what a file says: whoever owns it, may write it, or may put another
 * one in its place. Null when nobody does.
 * @param userId who runs the program
 */
export async function foreignWriter(path: string, userId: number): Promise<Doubt | null> {
  const file = await statOrNull(path);
  // Gone again, or a pipe that a shell has handed over, which lies in no folder.
  if (file === null || !file.isFile()) return null;
  const real = await realpath(path);
  const folders = new Set([resolve(path), real].map((name) => dirname(name)));
  const owned = await Promise.all([real, ...folders].map(async (name) => ({ name, stats: await stat(name) })));
  const foreign = owned.find(({ stats }) => isForeign(stats, userId));
  if (foreign !== undefined) return foreignDoubt(foreign.name, foreign.stats, userId);
  if (isOpen(file)) return openDoubt(real);
  const above = new Set([...folders].flatMap(withThoseAbove));
  for (const folder of above) {
    const stats = await statOrNull(folder);
    if (stats === null) continue;
    if ((stats.mode & sticky) === 0 && isOpen(stats)) return openDoubt(folder);
    // Its owner can put another folder in the place of the next.
    if (isForeign(stats, userId) && stats.uid !== unknownUser) return foreignDoubt(folder, stats, userId);
  }
  return null;
}

const isForeign = ({ uid }: Stats, userId: number): boolean => uid !== userId && uid !== 0;

function foreignDoubt(path: string, { uid }: Stats, userId: number): Doubt {
  return {
    found: `${path} belongs to another user (user id ${uid}), who decides what the configuration says.`,
    advice: `Make it yours, if you know what it says: sudo chown ${userId} ${path}`,
  };
}

function openDoubt(path: string): Doubt {
  return {
    found: `Other users can write ${path}, and so decide what the configuration says.`,
    advice: `Look at it, then run: chmod go-w ${path}`,
  };
}

/** Many systems give each user a group of the same number, which nobody else is in. */
function isOpen({ mode, uid, gid }: Stats): boolean {
  return (mode & othersMayWrite) !== 0 || ((mode & groupMayWrite) !== 0 && gid !== uid);
}

function withThoseAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withThoseAbove(above)];
}

/** What may not be looked at, such as a folder far above, is no reason to doubt. */
async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

/** Says when others can read a file that holds a secret; null when they cannot. */
export async function foreignReader(path: string): Promise<Doubt | null> {
  const file = await statOrNull(path);
  if (file === null || !file.isFile() || (file.mode & othersMayRead) === 0) return null;
  return {
    found: `Other users can read ${path} and the API key in it.`,
    advice: `Run: chmod 600 ${path}`,
  };
}
