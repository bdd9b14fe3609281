import { constants, fstatSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Random } from '../../lib/clock.ts';
import { shellWord, tempPath } from '../../lib/paths.ts';
import { nullIfMissing, StoreError, systemCode } from '../../lib/store-errors.ts';
import { changeOwner, fileMode, intendedOwner, makeFolder, type Owner, syncFolder } from './folders.ts';
import { fileMarkSync, readWholeFile, statRegularFile, statsMark } from './open-file.ts';

interface ReplacingSteps {
  /** Called once the new text is on disk, next to the old one. The place for slow work that needs disk space. */
  readonly beforeReplacing?: (() => Promise<void> | undefined) | undefined;
  /**
   * Called right before the rename, for example to check that a lock was not lost. May move the temp file to a place
   * from which the rename fails if the check is outdated by then. Returns the temp file's path.
   */
  readonly beforeRename?: (temp: string) => string;
}

/** A file's text, whole or in pieces. Other work can run between pieces. */
export type FileText = string | TextPieces;

interface TextPieces {
  readonly pieces: () => Iterable<string> | AsyncIterable<string | Uint8Array>;
}

const maxTries = 3;

/**
 * Writes a file atomically: after a crash or a power cut, it has either the old text or the new one. Writes a temp file
 * (0600) in the same folder, fsyncs it, renames it, and fsyncs the folder. Creates a missing folder (0700). Keeps the
 * file's owner. A file that is a mount point cannot be replaced, so it is written in place (`replaceInPlace`). Returns
 * the new file's mark (`fileMark`). Throws system errors, a `NotAFileError` if there is something other than a regular
 * file, and a {@link StoreError} if the owner would change.
 */
export async function writeFileAtomically(
  path: string,
  text: FileText,
  random: Random,
  steps: ReplacingSteps = {},
): Promise<string> {
  const oldStats = await statRegularFile(path);
  for (let tries = 1; ; tries += 1) {
    let temp = await writeTemp(path, text, random, oldStats);
    try {
      // Taken now, because after the rename a different file may be at `path`.
      const mark = fileMarkSync(temp);
      await steps.beforeReplacing?.();
      temp = steps.beforeRename?.(temp) ?? temp;
      if (!renameUnlessBusy(temp, path)) return await replaceInPlace(temp, path);
      await syncFolder(dirname(path));
      return mark;
    } catch (error) {
      await removeFile(temp);
      if (!isTempGone(error, temp) || tries === maxTries) throw error;
    }
  }
}

function renameUnlessBusy(temp: string, path: string): boolean {
  try {
    renameSync(temp, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EBUSY') return false;
    throw error;
  }
}

const isTempGone = (error: unknown, temp: string): boolean =>
  systemCode(error) === 'ENOENT' && error instanceof Error && 'path' in error && error.path === temp;

async function writeTemp(path: string, text: FileText, random: Random, oldOwner: Owner | null): Promise<string> {
  const { file, temp } = await makeTemp(path, random);
  try {
    await keepOwner(file, path, oldOwner);
    await writeFile(file, toContent(text), 'utf8');
    await file.sync();
  } catch (error) {
    await file.close();
    await removeFile(temp);
    throw error;
  }
  await file.close();
  return temp;
}

async function makeTemp(path: string, random: Random): Promise<{ readonly file: FileHandle; readonly temp: string }> {
  for (let tries = 1; ; tries += 1) {
    const temp = tempPath(path, random);
    try {
      return { file: await open(temp, 'wx', fileMode), temp };
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT' && tries < maxTries) await makeFolder(dirname(path));
      else if (code !== 'EEXIST') throw error;
    }
  }
}

function toContent(text: FileText): string | ReturnType<TextPieces['pieces']> {
  if (typeof text === 'string') return text;
  const pieces = text.pieces();
  return Symbol.asyncIterator in pieces ? pieces : joinShortPieces(pieces);
}

/** In UTF-16 code units. Shorter pieces are joined, because each write costs a round trip to another thread. */
const minPieceLength = 65_536;

function* joinShortPieces(pieces: Iterable<string>): Generator<string> {
  let joined = '';
  for (const piece of pieces) {
    joined += piece;
    if (joined.length < minPieceLength) continue;
    yield joined;
    joined = '';
  }
  if (joined !== '') yield joined;
}

/**
 * Keeps the owner when a file is replaced: otherwise, a single run with `sudo` would lock the user out of the watchlist.
 * A new file gets the owner of its folder if possible.
 */
async function keepOwner(file: FileHandle, path: string, oldOwner: Owner | null): Promise<void> {
  const created = fstatSync(file.fd);
  const intended = oldOwner ?? intendedOwner(path, created);
  if (intended === null || intended.uid === created.uid) return;
  if ((await changeOwner(file, intended)) || oldOwner === null) return;
  throw new StoreError(
    'no-permission',
    `${path} belongs to another user (user id ${intended.uid}), so nothing was written. "sudo chown ${created.uid} ${shellWord(path)}" makes it yours again.`,
    path,
  );
}

/** Returns where the new text is kept during a write in place. After a crash, it counts as the file's text. */
export function unfinishedPath(path: string): string {
  return `${path}.next`;
}

/**
 * Writes the text of `temp` over a file that is a mount point. Returns its new mark. Until this is complete, the whole
 * text is kept next to the file. If the disk is full, the file keeps its old text. Throws system errors.
 */
async function replaceInPlace(temp: string, path: string): Promise<string> {
  const nextPath = unfinishedPath(path);
  const text = await readWholeFile(temp);
  await rename(temp, nextPath);
  await syncFolder(dirname(path));
  await using file = await open(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  await reserveSpace(file, text, nextPath);
  await writeAt(file, text, 0, text.length);
  await file.truncate(text.length);
  await file.sync();
  const mark = statsMark(await file.stat({ bigint: true }));
  await removeFile(nextPath);
  return mark;
}

/** First writes the part beyond the old length: only that part needs space, and it can be cut off again. */
async function reserveSpace(file: FileHandle, text: Buffer, nextPath: string): Promise<void> {
  const { size } = await file.stat();
  if (text.length <= size) return;
  try {
    await writeAt(file, text, size, text.length);
    await file.sync();
  } catch (error) {
    await file.truncate(size);
    await removeFile(nextPath);
    throw error;
  }
}

async function writeAt(file: FileHandle, text: Buffer, from: number, to: number): Promise<void> {
  for (let at = from; at < to; ) {
    const { bytesWritten } = await file.write(text, at, to - at, at);
    at += bytesWritten;
  }
}

export async function removeFile(path: string): Promise<void> {
  const stats = await nullIfMissing(lstat(path));
  if (stats?.isFile() || stats?.isSymbolicLink()) await nullIfMissing(unlink(path));
}

export function removeFileSync(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // `force`: another process may have removed it.
  if (stats?.isFile() || stats?.isSymbolicLink()) rmSync(path, { force: true });
}
