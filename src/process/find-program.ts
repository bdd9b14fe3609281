import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { isFile } from './child-processes.ts';
import type { Environment } from './environment.ts';
import { programFile } from './windows-command.ts';

/** Finds a program where the system would; answers its path, null when it is not there. Does not run it. */
export type FindProgram = (name: string) => Promise<string | null>;

/** What decides where programs are. */
interface FindProgramOptions {
  readonly environment: Environment;
  /** As `process.platform`. */
  readonly platform: string;
}

/** Makes a {@link FindProgram}: through `PATH`, whose relative folders are passed over. */
export function createFindProgram({ environment, platform }: FindProgramOptions): FindProgram {
  if (platform === 'win32') return async (name) => programFile(name, { environment, isFile });
  const folders = (environment['PATH'] ?? '').split(posix.delimiter).filter((folder) => posix.isAbsolute(folder));
  return async (name) => {
    for (const folder of folders) {
      const candidate = posix.join(folder, name);
      if (await isProgram(candidate)) return candidate;
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
