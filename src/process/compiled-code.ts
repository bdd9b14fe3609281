import { join } from 'node:path';
import { type UserFoldersSource, userFolder } from './user-folders.ts';

/** What is known of a folder, or of what else is there under its name. */
interface FolderFacts {
  readonly uid: number;
  readonly mode: number;
  isDirectory(): boolean;
}

/** What it takes to find out where compiled code may be kept. */
export interface CompiledCodeSource extends UserFoldersSource {
  /** Who runs the program; null where files have no such owners. */
  readonly userId: number | null;
  readonly isDemo: boolean;
  /** Of what has this name itself, not of where a link leads; null when there is nothing. */
  readonly look: (path: string) => FolderFacts | null;
  /** Makes a folder for its owner only. */
  readonly makeFolder: (path: string) => void;
}

/** Where it is remembered which watchlist of a database was used here. */
export const keptAccountFile = 'store.json';

function inState(source: UserFoldersSource): string | null {
  const state = userFolder('state', source);
  return state === null ? null : join(state, keptAccountFile);
}

/**
 * The folder in which our code is kept as Node has compiled it, which saves a tenth of a command and more; null for none. What
 * lies there is run, so it must belong to whoever runs the program, and nobody else may write to it: with `sudo` that is
 * not so. Whoever has no watchlist yet, or looks at the demonstration, is left without a trace. Throws what the system
 * throws.
 */
export function compiledCodeFolder(source: CompiledCodeSource): string | null {
  const { isDemo, look, makeFolder, userId } = source;
  const cache = userFolder('cache', source);
  const watchlists = [userFolder('data', source), inState(source)];
  const hasWatchlist = watchlists.some((path) => path !== null && look(path) !== null);
  if (isDemo || cache === null || !hasWatchlist) return null;
  if (look(cache) === null) makeFolder(cache);
  const facts = look(cache);
  if (facts === null || !facts.isDirectory()) return null;
  const isOwn = userId === null || (facts.uid === userId && (facts.mode & 0o022) === 0);
  return isOwn ? join(cache, 'code') : null;
}
