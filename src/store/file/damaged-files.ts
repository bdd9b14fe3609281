import { lstat, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { EpochMs, Random } from '../../lib/clock.ts';
import { readTempName } from '../../lib/paths.ts';
import { nullIfMissing, StoreError, systemCode } from '../../lib/store-errors.ts';
import { removeFile, writeFileAtomically } from './atomic-write.ts';
import { removeLockFolder } from './lock-folder.ts';
import { piecesOfNamedFile } from './open-file.ts';

/**
 * Copies a file that is about to be replaced to a second name. A link is not enough: a program that writes the file in
 * place would change both. Creates the folder. Returns whether it made a copy: an older copy of that name stays, and a
 * missing file needs none. If it fails, it throws system errors and leaves no partial copy.
 */
export async function keepCopy(path: string, copy: string, random: Random): Promise<boolean> {
  if (!(await isMissing(path, copy))) return false;
  await copyFile(path, copy, random);
  return true;
}

export async function copyFile(path: string, copy: string, random: Random): Promise<void> {
  await writeFileAtomically(copy, { pieces: () => piecesOfNamedFile(path) }, random);
}

export async function moveFile(from: string, to: string, random: Random): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    await copyFile(from, to, random);
    await removeFile(from);
  }
}

/** Returns whether the file exists and has no copy yet. A hard link, as older versions made, is not a copy. */
async function isMissing(path: string, copy: string): Promise<boolean> {
  const file = await nullIfMissing(stat(path));
  if (file === null) return false;
  const there = await nullIfMissing(lstat(copy));
  return there === null || (there.ino === file.ino && there.dev === file.dev);
}

/** In milliseconds. Older temp files were left by a killed process. */
const staleAfterMs = 60 * 60_000;

/**
 * Removes files that killed processes left in a folder more than an hour ago. Other programs may use the folder, so
 * only names in our temp form and for our files count: regular files, and folders that contain only a lock. Ignores
 * errors and a missing folder.
 * @param isOurs whether a file of this name in this folder is ours
 */
export async function removeStaleTempFiles(
  folder: string,
  now: EpochMs,
  isOurs: (name: string) => boolean,
): Promise<void> {
  for (const name of await namesIn(folder)) {
    const temp = readTempName(name);
    if (temp === null || !isOurs(temp.base)) continue;
    const path = join(folder, name);
    try {
      const stats = await lstat(path);
      if (!(now - stats.mtimeMs > staleAfterMs)) continue;
      if (temp.isLock && stats.isDirectory()) removeLockFolder(path);
      if (!temp.isLock && stats.isFile()) await removeFile(path);
    } catch (error) {
      if (systemCode(error) === null) throw error;
    }
  }
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await nullIfMissing(readdir(folder))) ?? [];
}

/** Suffixes that Syncthing, Dropbox, Nextcloud and ownCloud add to the name of a conflicting copy. */
const marked = /\.sync-conflict-\d{8}-\d{6}|\bconflicted copy\b|\bcase conflict\b|[._ -]conflict\b/i;

/**
 * Suffixes that iCloud, Google Drive, OneDrive and localised Dropbox add: a number, something in parentheses, or a
 * machine's name in capitals. Only used with names that we know, because people name their own files like this.
 */
const behindName = /^(?: \d+| ?\(.+\)|-(?=[0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]+)$/;

/** Returns the paths next to files that look like conflicting copies from a synchroniser. */
export async function conflictCopies(files: readonly string[]): Promise<readonly string[]> {
  const folders = new Set(files.map((file) => dirname(file)));
  const found = await Promise.all(
    [...folders].map(async (folder) => {
      const names = await entriesOf(folder);
      const known = files.filter((file) => dirname(file) === folder).map((file) => basename(file));
      return names.filter((name) => known.some((one) => isCopyOf(name, one))).map((name) => join(folder, name));
    }),
  );
  return found.flat().sort();
}

function isCopyOf(name: string, file: string): boolean {
  const ending = extname(file);
  const stem = file.slice(0, file.length - ending.length);
  if (!name.startsWith(stem) || name === file) return false;
  const rest = name.slice(stem.length).replace(ending, '');
  return marked.test(rest) || (name.endsWith(ending) && behindName.test(rest));
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return [];
  }
}

/** Returns an unused name for a damaged file, in the same folder. */
export async function damagedName(path: string, now: EpochMs): Promise<string> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const base = `${path}.damaged-${time}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if ((await nullIfMissing(lstat(name))) === null) return name;
  }
}

/**
 * Moves a damaged file aside. Returns false if it was only copied, because a mount point cannot be moved. Throws a
 * `StoreError` if neither works.
 */
export async function moveDamagedFile(
  path: string,
  aside: string,
  { random, reason }: { readonly random: Random; readonly reason: string },
): Promise<boolean> {
  try {
    await rename(path, aside);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EBUSY') {
      await copyFile(path, aside, random);
      return false;
    }
    throw new StoreError(
      'damaged',
      { what: `${path} is damaged (${reason}) and could not be moved to ${aside}.`, advice: 'Move it away by hand.' },
      path,
      error,
    );
  }
}
