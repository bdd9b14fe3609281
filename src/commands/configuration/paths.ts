import { posix, win32 } from 'node:path';
import {
  folderVariables,
  ignoredFolderVariables,
  type UserFoldersSource,
  userFolder,
} from '../../process/user-folders.ts';
import { UnavailableError, UsageError } from '../session/errors.ts';

/** Where the program keeps what. All are absolute, but for a `--config` given otherwise. */
export interface ProgramPaths {
  readonly config: string;
  /** Directory of `watchlist.json`, `history/` and `changes.jsonl`. */
  readonly data: string;
  readonly watchlist: string;
  readonly history: string;
  /** The change log. */
  readonly changes: string;
  /** Directory of cool-down, meter, lease and log. */
  readonly state: string;
  readonly couriers: string;
}

/** What the paths depend on. */
export interface PathsSource extends UserFoldersSource {
  /** The file given with `--config`; null for the usual one. */
  readonly configFile: string | null;
}

/**
 * Finds the program's files: XDG base directories on every Unix, `%APPDATA%` and `%LOCALAPPDATA%` on Windows.
 * A relative XDG value is ignored, as that specification asks. Where the home folder is needed, throws a
 * {@link UnavailableError} when there is none, and a {@link UsageError} for one that would depend on where the program
 * is started: settings name programs to run, and must not come from whatever folder that is.
 */
export function programPaths(source: PathsSource): ProgramPaths {
  const path = source.platform === 'win32' ? win32 : posix;
  const data = folderOf('data', source);
  return {
    config: source.configFile ?? path.join(folderOf('config', source), 'config.json'),
    data,
    watchlist: path.join(data, 'watchlist.json'),
    history: path.join(data, 'history'),
    changes: path.join(data, 'changes.jsonl'),
    state: folderOf('state', source),
    couriers: path.join(folderOf('cache', source), 'couriers.json'),
  };
}

/** Says which of the XDG variables are set and ignored, a sentence each. */
export function ignoredFolders(source: Pick<PathsSource, 'environment' | 'platform'>): readonly string[] {
  return ignoredFolderVariables(source).map(
    (name) => `${name} is ignored, because it is no absolute path; correct or unset it.`,
  );
}

function folderOf(kind: Parameters<typeof userFolder>[0], source: PathsSource): string {
  const found = userFolder(kind, source);
  if (found === null) throw homeProblem(source);
  return found;
}

function homeProblem({ homeDirectory, platform }: PathsSource): UnavailableError | UsageError {
  const variable = platform === 'win32' ? 'USERPROFILE' : 'HOME';
  const advice = `Set ${variable} to your home folder, or all of ${folderVariables.join(', ')}, to absolute paths.`;
  if (homeDirectory === null) {
    return new UnavailableError(
      `Your home folder is not known: ${variable} is not set, or too long, and the system names none. ${advice}`,
    );
  }
  const found = homeDirectory === '' ? 'is empty' : `is "${homeDirectory}", which is no absolute path`;
  return new UsageError(`Your home folder cannot be used: ${variable} ${found}. ${advice}`);
}
