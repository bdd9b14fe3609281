import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { systemCode } from '../errors.ts';

/** What Syncthing, Dropbox, Nextcloud and ownCloud write into the name of the other one of two that were changed at once. */
const marked = /\.sync-conflict-\d{8}-\d{6}|\bconflicted copy\b|\bcase conflict\b|[._ -]conflict\b/i;

/**
 * What also iCloud, Google Drive, OneDrive and Dropbox in other languages put behind the name: a number, something in parentheses,
 * the name of a machine in capitals. Only behind names that are known, since files of a person are named so, too.
 */
const behindName = /^(?: \d+| ?\(.+\)|-(?=[0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]+)$/;

/** The paths beside files that look like copies of them which a synchroniser kept, since two machines had changed them at once. */
export async function conflictCopies(files: readonly string[]): Promise<readonly string[]> {
  const folders = new Set(files.map((file) => dirname(file)));
  const found = await Promise.all(
    [...folders].map(async (folder) => {
      const names = await namesIn(folder);
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
  // Some stand before the ending, some behind all.
  const rest = name.slice(stem.length).replace(ending, '');
  return marked.test(rest) || (name.endsWith(ending) && behindName.test(rest));
}

/** Nothing is beside files in a folder that is not there or cannot be read. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return [];
  }
}
