import { constants, fstatSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Random } from '../../lib/clock.ts';
import { shellWord, tempPath } from '../../lib/paths.ts';
import { nullIfMissing, StoreError, systemCode } from '../../lib/store-errors.ts';
import { fileMarkSync, markOf } from './file-place.ts';
import { fileMode, giveTo, makeFolder, type Owner, rightfulOwner, syncFolder } from './folders.ts';
import { readWholeFile, refuseOtherThanFile } from './open-file.ts';

interface ReplacingSteps {
  /** When the new text is on the disk beside the old one: what costs space or time comes last, so that it harms nothing. */
  readonly beforeReplacing?: (() => Promise<void>) | undefined;
  /**
   * E.g. because a lock was lost; nothing else runs between it and the rename. Answers where the temp file is then: it
   * may have been moved, so that the rename fails when what has just been looked at does not hold any more.
   */
  readonly beforeRename?: (temp: string) => string;
}

/** What a file is to hold: a text, or pieces of one, between the writing of which everybody else has a turn. */
export type FileText = string | TextPieces;

interface TextPieces {
  readonly pieces: () => Iterable<string> | AsyncIterable<string | Uint8Array>;
}

const mostTries = 3;

/**
 * Writes a whole file so that a reader, a crash or a power cut sees the old text or the new one, never a part:
 * temp file of mode 0600 in the same folder, fsync, rename, fsync of the folder. Creates the folder (0700). The file
 * keeps its owner. Answers the new file's mark (`fileMark`).
 * A file that cannot be replaced, for being mounted by itself, is written in place (`replaceInPlace`). Throws what the
 * system throws, a `NotAFileError` where something else stands there, and a {@link StoreError} where the file
 * belongs to somebody else and would change hands.
 */
export async function writeFileAtomically(
  path: string,
  text: FileText,
  random: Random,
  steps: ReplacingSteps = {},
): Promise<string> {
  const old = await refuseOtherThanFile(path);
  for (let tries = 1; ; tries += 1) {
    let temp = await writeTemp(path, text, random, old);
    try {
      // Afterwards another file may stand there already.
      const mark = fileMarkSync(temp);
      await steps.beforeReplacing?.();
      temp = steps.beforeRename?.(temp) ?? temp;
      if (!renameUnlessBusy(temp, path)) return await replaceInPlace(temp, path);
      await syncFolder(dirname(path));
      return mark;
    } catch (error) {
      await removeFile(temp);
      if (!isGone(error, temp) || tries === mostTries) throw error;
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

const isGone = (error: unknown, temp: string): boolean =>
  systemCode(error) === 'ENOENT' && error instanceof Error && 'path' in error && error.path === temp;

async function writeTemp(path: string, text: FileText, random: Random, old: Owner | null): Promise<string> {
  const { file, temp } = await makeTemp(path, random);
  try {
    await keepOwner(file, path, old);
    await file.writeFile(contentOf(text), 'utf8');
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
      if (code === 'ENOENT' && tries < mostTries) await makeFolder(dirname(path));
      else if (code !== 'EEXIST') throw error;
    }
  }
}

function contentOf(text: FileText): string | ReturnType<TextPieces['pieces']> {
  if (typeof text === 'string') return text;
  const pieces = text.pieces();
  return Symbol.asyncIterator in pieces ? pieces : inFewPieces(pieces);
}

/** Pieces shorter than this, in UTF-16 units, are written with the next: each costs a way to another thread and back. */
const shortPiece = 65_536;

function* inFewPieces(pieces: Iterable<string>): Generator<string> {
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < shortPiece) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}

/**
 * A file that is replaced must not change hands: run once with `sudo`, the program would otherwise lock its user out
 * of the watchlist. A new file belongs to whom its folder belongs, where that can be arranged.
 */
async function keepOwner(file: FileHandle, path: string, old: Owner | null): Promise<void> {
  const own = fstatSync(file.fd);
  const wanted = old ?? rightfulOwner(path, own);
  if (wanted === null || wanted.uid === own.uid) return;
  if ((await giveTo(file, wanted)) || old === null) return;
  throw new StoreError(
    'no-permission',
    `${path} belongs to another user (user id ${wanted.uid}), and nothing was written. "sudo chown ${own.uid} ${shellWord(path)}" makes it yours again.`,
    path,
  );
}

/** Where the new text of a file waits while it is written in place: when that ends halfway, it is the file's. */
export function unfinishedPath(path: string): string {
  return `${path}.next`;
}

/**
 * Gives a file, which cannot be replaced because it is mounted by itself, the text of `temp`; answers its new mark. The
 * text waits beside it, whole, until it has been written; the file keeps its old text when there is no room for the new
 * one. Throws what the system throws.
 */
async function replaceInPlace(temp: string, path: string): Promise<string> {
  const next = unfinishedPath(path);
  const text = await readWholeFile(temp);
  await rename(temp, next);
  await syncFolder(dirname(path));
  await using file = await open(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  await makeRoom(file, text, next);
  await writeAt(file, text, 0, text.length);
  await file.truncate(text.length);
  await file.sync();
  const mark = markOf(await file.stat({ bigint: true }));
  await removeFile(next);
  return mark;
}

/** Writes what reaches beyond the old text first: that alone needs room, and can be cut off again. */
async function makeRoom(file: FileHandle, text: Buffer, next: string): Promise<void> {
  const { size } = await file.stat();
  if (text.length <= size) return;
  try {
    await writeAt(file, text, size, text.length);
    await file.sync();
  } catch (error) {
    await file.truncate(size);
    await removeFile(next);
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
  // By force: harmless when another process has removed it.
  if (stats?.isFile() || stats?.isSymbolicLink()) rmSync(path, { force: true });
}
