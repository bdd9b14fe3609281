import { lstat, rename } from 'node:fs/promises';
import type { EpochMs, Random } from '../../service/clock/clock.ts';
import { nullIfMissing, StoreError, systemCode } from '../errors.ts';
import { copyFile } from '../files/keep-copy.ts';

/** The name under which a damaged file is put aside, beside its own: one that no other file has. */
export async function damagedName(path: string, now: EpochMs): Promise<string> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const base = `${path}.damaged-${time}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if ((await nullIfMissing(lstat(name))) === null) return name;
  }
}

/**
 * Puts a damaged file aside. Answers false when it is kept under the other name, but cannot go from its place for being
 * mounted there. Throws a `StoreError` when it cannot be put aside at all.
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
      `${path} is damaged (${reason}) and could not be moved to ${aside}. Move it away by hand.`,
      path,
      error,
    );
  }
}
