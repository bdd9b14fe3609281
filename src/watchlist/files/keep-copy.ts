import { type FileHandle, lstat, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Random } from '../../service/clock/clock.ts';
import { nullIfMissing, systemCode } from '../errors.ts';
import { makeFolder } from './make-folder.ts';
import { openFile } from './open-file.ts';
import { fileMode, giveTo, rightfulOwner } from './ownership.ts';
import { removeFile } from './remove-file.ts';
import { syncFolder } from './sync-folder.ts';
import { tempPath } from './temp-name.ts';

const pieceLength = 1_048_576;

/**
 * Keeps a file as it is under a second name, because it is about to be replaced. It is copied, not linked: whoever
 * writes the one in place afterwards must not reach the other. Creates the folder. Answers whether there is a copy now
 * that was not there before: an older one of that name stays as it is, and no file needs no copy. Throws what the system
 * throws, and leaves nothing then.
 */
export async function keepCopy(path: string, copy: string, random: Random): Promise<boolean> {
  if (!(await isMissing(path, copy))) return false;
  await makeFolder(dirname(copy));
  await copyFile(path, copy, random);
  return true;
}

/** Copies a file, whole or not at all; whatever stands under the new name is replaced. Throws what the system throws. */
export async function copyFile(path: string, copy: string, random: Random): Promise<void> {
  const temp = tempPath(copy, random);
  const source = await openFile(path);
  try {
    await writeCopy(source, temp);
    await rename(temp, copy);
  } catch (error) {
    await removeFile(temp);
    throw error;
  } finally {
    await source.close();
  }
  await syncFolder(dirname(copy));
}

/**
 * Moves a file to another folder, which may lie on another file system. Throws what the system throws; ENOENT where
 * there is no file.
 */
export async function moveFile(from: string, to: string, random: Random): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    await copyFile(from, to, random);
    await removeFile(from);
  }
}

async function writeCopy(source: FileHandle, temp: string): Promise<void> {
  const file = await open(temp, 'wx', fileMode);
  try {
    const owner = await rightfulOwner(temp, await file.stat());
    if (owner !== null) await giveTo(file, owner);
    const piece = Buffer.allocUnsafe(pieceLength);
    for (;;) {
      const { bytesRead } = await source.read(piece, 0, pieceLength);
      if (bytesRead === 0) break;
      await file.writeFile(piece.subarray(0, bytesRead));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Whether there is a file and no copy of it yet. A second name of the same file, as older versions made, is none. */
async function isMissing(path: string, copy: string): Promise<boolean> {
  const file = await nullIfMissing(stat(path));
  if (file === null) return false;
  const there = await nullIfMissing(lstat(copy));
  return there === null || (there.ino === file.ino && there.dev === file.dev);
}
