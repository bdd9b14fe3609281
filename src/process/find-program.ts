import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import type { Environment } from './environment.ts';

/** Finds a program where the system would; answers its path, null when it is not there. Does not run it. */
export type FindProgram = (name: string) => Promise<string | null>;

/** What decides where programs are. */
interface FindProgramOptions {
  readonly environment: Environment;
  /** As `process.platform`. */
  readonly platform: string;
}

/** What Windows starts without a shell; a script (`.cmd`, `.bat`) needs one, and counts as not there. */
const windowsEndings = ['.exe', '.com'] as const;

/** Makes a {@link FindProgram}: through `PATH`, whose relative folders are passed over. */
export function createFindProgram({ environment, platform }: FindProgramOptions): FindProgram {
  const isWindows = platform === 'win32';
  const path = isWindows ? win32 : posix;
  const list = Object.entries(environment).find(([name]) => (isWindows ? name.toUpperCase() : name) === 'PATH')?.[1];
  const folders = (list ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const endings: readonly string[] = isWindows ? windowsEndings : [''];
  return async (name) => {
    for (const folder of folders) {
      for (const ending of endings) {
        const candidate = path.join(folder, `${name}${ending}`);
        if (await isProgram(candidate)) return candidate;
      }
    }
    return null;
  };
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not to be run by this user: both mean the same here.
    return false;
  }
}
