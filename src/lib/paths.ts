import { basename, dirname, join } from 'node:path';
import type { Random } from './clock.ts';

/**
 * A path as one word of a command line that the user can copy.
 * @param platform as `process.platform`: on Windows as both of its shells read it
 */
export function shellWord(path: string, platform = 'linux'): string {
  if (platform === 'win32') return /^[\w@+=:./\\-]+$/.test(path) ? path : `"${path.replaceAll('"', '""')}"`;
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** A temp name taken apart: the name of the file that it was made for, and whether it was that file's lock. */
interface TempName {
  readonly base: string;
  readonly isLock: boolean;
}

const pattern = /^\.(.+?)(\.lock)?\.[0-9a-z]{16}\.tmp$/;

/** Sixteen letters and digits, for names that must not collide. */
export function uniquePart(random: Random): string {
  const part = (): string =>
    Math.floor(random() * 36 ** 8)
      .toString(36)
      .padStart(8, '0');
  return part() + part();
}

/** A new name beside a file, hidden and known by its form: what is found under it later was left by a killed process. */
export function tempPath(path: string, random: Random): string {
  return join(dirname(path), `.${basename(path)}.${uniquePart(random)}.tmp`);
}

/** Takes a file name apart that has the form of {@link tempPath}; null for any other. */
export function readTempName(name: string): TempName | null {
  const [, base, lock] = pattern.exec(name) ?? [];
  return base === undefined ? null : { base, isLock: lock !== undefined };
}
