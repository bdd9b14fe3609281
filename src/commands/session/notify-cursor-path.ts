import { join } from 'node:path';
import type { ProgramPaths } from '../configuration/paths.ts';

/** The file that says how far the change log of a watchlist in a database was notified on this machine: each log counts from 1. */
export function notifyCursorPath({ state }: Pick<ProgramPaths, 'state'>, watchlist: string): string {
  let sum = 0;
  for (const letter of watchlist) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return join(state, `notify-${(sum >>> 0).toString(36)}.json`);
}
