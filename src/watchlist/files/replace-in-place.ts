import { constants } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { markOf } from './file-mark.ts';
import { readWholeFile } from './open-file.ts';
import { removeFile } from './remove-file.ts';
import { syncFolder } from './sync-folder.ts';

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
