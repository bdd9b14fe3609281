import { renameSync } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { EpochMs, Random } from '../service/clock.ts';
import { StorePermissionError, systemCode } from './errors.ts';
import { fileMark } from './file-mark.ts';
import { makeFolder } from './make-folder.ts';
import { syncFolder } from './sync-folder.ts';

/** Only the user may read our files: they hold what the user ordered, postal codes and phone numbers. */
export const fileMode = 0o600;

/** Temp files older than this were left by a killed process; nobody is still writing them. */
const leftOverAfterMs = 60 * 60_000;
const tempName = /^\..+\.[0-9a-z]+\.tmp$/;

/**
 * Writes a whole file so that a reader, a crash or a power cut sees the old text or the new one, never a part:
 * temp file of mode 0600 in the same folder, fsync, rename, fsync of the folder. Creates the folder (0700). The file
 * keeps its owner. Answers the new file's mark (`fileMark`). `text` may come in pieces, which are made one at a time.
 * `beforeRename` may throw to call the write off, e.g. because a lock was lost; nothing else runs between it and the
 * rename. Throws what the system throws, and a {@link StorePermissionError} where the file belongs to somebody else and
 * would change hands.
 */
export async function writeFileAtomically(
  path: string,
  text: string | Iterable<string>,
  random: Random,
  beforeRename: () => void = () => {},
): Promise<string> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temp = await writeTemp(path, typeof text === 'string' ? [text] : text, random);
  // Afterwards another file may stand there already.
  const mark = await fileMark(temp);
  try {
    beforeRename();
    renameSync(temp, path);
  } catch (error) {
    await removeFile(temp);
    throw error;
  }
  await syncFolder(folder);
  return mark;
}

async function writeTemp(path: string, pieces: Iterable<string>, random: Random): Promise<string> {
  for (;;) {
    const temp = join(dirname(path), `.${basename(path)}.${uniquePart(random)}.tmp`);
    try {
      const file = await open(temp, 'wx', fileMode);
      try {
        await keepOwner(file, path);
        // One at a time, so that whatever else the program does gets its turn in between.
        for (const piece of pieces) await file.writeFile(piece, 'utf8');
        await file.sync();
      } catch (error) {
        await file.close();
        await removeFile(temp);
        throw error;
      }
      await file.close();
      return temp;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

/**
 * A file that is replaced must not change hands: run once with `sudo`, the program would otherwise lock its user out
 * of the watchlist. A new file belongs to whom its folder belongs, where that can be arranged.
 */
async function keepOwner(file: FileHandle, path: string): Promise<void> {
  const [own, old] = await Promise.all([file.stat(), statOrNull(path)]);
  const wanted = old ?? (own.uid === 0 ? await statOrNull(dirname(path)) : null);
  if (wanted === null || wanted.uid === own.uid) return;
  try {
    await file.chown(wanted.uid, wanted.gid);
  } catch (error) {
    if (old === null || systemCode(error) !== 'EPERM') throw error;
    throw new StorePermissionError(
      `${path} belongs to another user (user id ${wanted.uid}), and nothing was written. Make it yours again: sudo chown ${own.uid} ${path}`,
      path,
      error,
    );
  }
}

async function statOrNull(path: string): Promise<{ readonly uid: number; readonly gid: number } | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Removes a file; harmless when there is none. */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Removes temp files and folders that killed processes left in a folder more than an hour ago. What cannot be removed
 * stays, such as a folder that a run with `sudo` left: nothing that is written beside it depends on it. Harmless when
 * there is no folder.
 * @param names which of them, in a folder that is not ours alone
 */
export async function removeLeftOverTemps(folder: string, now: EpochMs, names = tempName): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!names.test(name)) continue;
    const path = join(folder, name);
    try {
      const { mtimeMs } = await stat(path);
      // The lock folder of a killed process may be among them.
      if (now - mtimeMs > leftOverAfterMs) await rm(path, { recursive: true, force: true });
    } catch (error) {
      // Another process may be tidying up at the same moment, too.
      if (systemCode(error) === null) throw error;
    }
  }
}

/** The names in a folder; none when there is no folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Twelve or so letters and digits, for names that must not collide. */
export function uniquePart(random: Random): string {
  const part = (): string =>
    Math.floor(random() * 36 ** 8)
      .toString(36)
      .padStart(8, '0');
  return part() + part();
}
