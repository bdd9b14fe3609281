import { basename, dirname, join } from 'node:path';
import type { Random } from './clock.ts';

/** Quotes a path for a shell. On Windows, the result works in both cmd and PowerShell. */
export function shellWord(path: string, platform = 'linux'): string {
  if (platform === 'win32') return /^[\w@+=:./\\-]+$/.test(path) ? path : `"${path.replaceAll('"', '""')}"`;
  return /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

const tempNamePattern = /^\.(.+?)(\.lock)?\.[0-9a-z]{16}\.tmp$/;

export function randomId(random: Random): string {
  const part = (): string =>
    Math.floor(random() * 36 ** 8)
      .toString(36)
      .padStart(8, '0');
  return part() + part();
}

export function tempPath(path: string, random: Random): string {
  return join(dirname(path), `.${basename(path)}.${randomId(random)}.tmp`);
}

export function readTempName(name: string): { readonly base: string; readonly isLock: boolean } | null {
  const [, base, lock] = tempNamePattern.exec(name) ?? [];
  return base === undefined ? null : { base, isLock: lock !== undefined };
}
