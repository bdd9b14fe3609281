import { closeSync, constants, fsync, lstatSync, openSync, rmSync } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { nullIfMissing, systemCode } from '../../lib/store-errors.ts';
import { markOf } from './file-calls.ts';
import { readWholeFile } from './open-file.ts';

export async function removeFile(path: string): Promise<void> {
  const stats = await nullIfMissing(lstat(path));
  if (stats?.isFile() || stats?.isSymbolicLink()) await nullIfMissing(unlink(path));
}

export function removeFileSync(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // By force: harmless when another process has removed it.
  if (stats?.isFile() || stats?.isSymbolicLink()) rmSync(path, { force: true });
}

/** What a system answers that cannot sync a folder; there the rename itself has to do. */
const folderSyncUnsupported = new Set(['EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EACCES', 'EBADF']);

/** Nothing else than a folder is opened, and nothing is waited for, even if something else is there by now. */
const folderOnly = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NONBLOCK ?? 0);

const fsyncOf = promisify(fsync);

export async function syncFolder(folder: string): Promise<void> {
  try {
    const file = openSync(folder, folderOnly);
    try {
      await fsyncOf(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!folderSyncUnsupported.has(systemCode(error) ?? '')) throw error;
  }
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
export async function replaceInPlace(temp: string, path: string): Promise<string> {
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
