import { lstatSync, type Stats } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { shellWord } from './paths.ts';

/** User id of the administrator; where there are no users, everything has it. */
const administrator = 0;

/** Files and folders that a run with `sudo` left to the administrator among those of a user. */
interface LeftToAdministrator {
  /** The uppermost of them. */
  readonly top: string;
  /** The command that gives all of them back. */
  readonly command: string;
}

/**
 * What keeps a user from `path`, or from the nearest thing above it that is there, when that is the administrator's and
 * lies in a folder of the user; else null. Never throws.
 */
export function leftToAdministrator(path: string): LeftToAdministrator | null {
  if (!isAbsolute(path)) return null;
  let at = path;
  let stats = look(at);
  while (stats === null && dirname(at) !== at) {
    at = dirname(at);
    stats = look(at);
  }
  while (stats?.uid === administrator && dirname(at) !== at) {
    const above = look(dirname(at));
    if (above !== null && above.uid !== administrator) {
      return { top: at, command: `sudo chown -R ${above.uid}:${above.gid} ${shellWord(at)}` };
    }
    at = dirname(at);
    stats = above;
  }
  return null;
}

function look(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    // Not there, or in a folder that may not be searched: then that one is looked at.
    return null;
  }
}
