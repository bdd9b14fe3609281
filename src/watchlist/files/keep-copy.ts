import { lstat, rename, stat } from 'node:fs/promises';
import type { Random } from '../../service/clock/clock.ts';
import { nullIfMissing, systemCode } from '../errors.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { piecesOfNamedFile } from './open-file.ts';
import { removeFile } from './remove-file.ts';

/**
 * Keeps a file as it is under a second name, because it is about to be replaced. It is copied, not linked: whoever
 * writes the one in place afterwards must not reach the other. Creates the folder. Answers whether there is a copy now
 * that was not there before: an older one of that name stays as it is, and no file needs no copy. Throws what the system
 * throws, and leaves nothing then.
 */
export async function keepCopy(path: string, copy: string, random: Random): Promise<boolean> {
  if (!(await isMissing(path, copy))) return false;
  await copyFile(path, copy, random);
  return true;
}

/** Copies a file, whole or not at all; what stands under the new name is replaced. Throws as `writeFileAtomically`. */
export async function copyFile(path: string, copy: string, random: Random): Promise<void> {
  await writeFileAtomically(copy, { pieces: () => piecesOfNamedFile(path) }, random);
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

/** Whether there is a file and no copy of it yet. A second name of the same file, as older versions made, is none. */
async function isMissing(path: string, copy: string): Promise<boolean> {
  const file = await nullIfMissing(stat(path));
  if (file === null) return false;
  const there = await nullIfMissing(lstat(copy));
  return there === null || (there.ino === file.ino && there.dev === file.dev);
}
