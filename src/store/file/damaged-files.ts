import { lstat, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { EpochMs, Random } from '../../lib/clock.ts';
import { readTempName } from '../../lib/paths.ts';
import { nullIfMissing, StoreError, systemCode } from '../../lib/store-errors.ts';
import { removeFile, writeFileAtomically } from './atomic-write.ts';
import { removeLockFolder } from './lock-folder.ts';
import { streamNamedFile } from './open-file.ts';

/**
 * Copies a file that is about to be replaced. A hard link is not enough, because a program that writes the file in place
 * would change both. Creates a missing folder. Returns whether a copy was made: an existing copy is kept, and a missing
 * file needs none. On failure, throws system errors and leaves no partial copy.
 */
export async function keepCopy(path: string, copy: string, random: Random): Promise<boolean> {
  const [file, existingCopy] = await Promise.all([nullIfMissing(stat(path)), nullIfMissing(lstat(copy))]);
  if (file === null || existingCopy !== null) return false;
  await copyFile(path, copy, random);
  return true;
}

export async function copyFile(path: string, copy: string, random: Random): Promise<void> {
  await writeFileAtomically(copy, { pieces: () => streamNamedFile(path) }, random);
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

/** Temp files older than this were left behind by a killed process. */
const staleAfterMs = 60 * 60_000;

/**
 * Removes what killed processes left behind in a folder more than an hour ago. Other programs may use the folder, so this
 * removes only temp names of our own files, and of these only regular files and folders that contain nothing but a lock.
 * Ignores errors and a missing folder.
 * @param isOurs whether a file of this name in this folder is ours
 */
export async function removeStaleTempFiles(
  folder: string,
  now: EpochMs,
  isOurs: (name: string) => boolean,
): Promise<void> {
  for (const name of await listNames(folder)) {
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

export async function listNames(folder: string): Promise<readonly string[]> {
  return (await nullIfMissing(readdir(folder))) ?? [];
}

/** Marks that Syncthing, Dropbox, Nextcloud and ownCloud add to the names of conflicting copies. */
const conflictMark = /\.sync-conflict-\d{8}-\d{6}|\bconflicted copy\b|\bcase conflict\b|[._ -]conflict\b/i;

/**
 * Suffixes that iCloud, Google Drive, OneDrive and localised versions of Dropbox add: a number, something in parentheses,
 * or a machine's name in capitals. They count only after the name of one of our files and before its extension, because
 * people give their own files such names, too.
 */
const plainSuffix = /^(?: \d+| ?\(.+\)|-(?=[0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]+)$/;

/** Returns the paths next to these files that look like conflicting copies made by a sync tool. */
export async function conflictCopies(files: readonly string[]): Promise<readonly string[]> {
  const folders = new Set(files.map((file) => dirname(file)));
  const copies = await Promise.all(
    [...folders].map(async (folder) => {
      const names = await listReadableNames(folder);
      const fileNames = files.filter((file) => dirname(file) === folder).map((file) => basename(file));
      return names
        .filter((name) => fileNames.some((file) => isConflictCopy(name, file)))
        .map((name) => join(folder, name));
    }),
  );
  return copies.flat().sort();
}

function isConflictCopy(name: string, file: string): boolean {
  const extension = extname(file);
  const stem = file.slice(0, file.length - extension.length);
  if (!name.startsWith(stem) || name === file) return false;
  const rest = name.slice(stem.length).replace(extension, '');
  return conflictMark.test(rest) || (name.endsWith(extension) && plainSuffix.test(rest));
}

async function listReadableNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return [];
  }
}

/** Returns an unused name for a damaged file in the same folder. */
export async function damagedName(path: string, now: EpochMs): Promise<string> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const base = `${path}.damaged-${time}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if ((await nullIfMissing(lstat(name))) === null) return name;
  }
}

/**
 * Moves a damaged file aside. Returns false if it was only copied, because it is a mount point. Throws a `StoreError` if
 * this is not possible.
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
      {
        what: `${path} is damaged (${reason}) and could not be moved to ${aside}.`,
        advice: 'Move it somewhere else yourself.',
      },
      path,
      error,
    );
  }
}
