import { posix, win32 } from 'node:path';
import type { Environment } from '../../process/environment.ts';
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
export interface PathsSource {
  readonly environment: Environment;
  /** Null when the system knows none. */
  readonly homeDirectory: string | null;
  /** As `process.platform`. */
  readonly platform: string;
  /** The file given with `--config`; null for the usual one. */
  readonly configFile: string | null;
}

const folder = 'parcel-monitor';

/** A kind of folder: the variable that names it everywhere, where it is in a home, and where Windows has it. */
interface FolderKind {
  readonly variable: string;
  readonly unix: readonly string[];
  readonly windows: { readonly variable: string; readonly usual: string; readonly below?: string };
}

const roaming = { variable: 'APPDATA', usual: 'Roaming' };
const local = { variable: 'LOCALAPPDATA', usual: 'Local' };
const kinds = {
  config: { variable: 'XDG_CONFIG_HOME', unix: ['.config'], windows: roaming },
  data: { variable: 'XDG_DATA_HOME', unix: ['.local', 'share'], windows: roaming },
  state: { variable: 'XDG_STATE_HOME', unix: ['.local', 'state'], windows: { ...local, below: 'State' } },
  cache: { variable: 'XDG_CACHE_HOME', unix: ['.cache'], windows: { ...local, below: 'Cache' } },
} as const satisfies Readonly<Record<string, FolderKind>>;

const xdgVariables = Object.values(kinds).map(({ variable }) => variable);

/**
 * Finds the program's files: XDG base directories on every Unix, `%APPDATA%` and `%LOCALAPPDATA%` on Windows.
 * A relative XDG value is ignored, as that specification asks. Where the home folder is needed, throws a
 * {@link UnavailableError} when there is none, and a {@link UsageError} for one that would depend on where the program
 * is started: settings name programs to run, and must not come from whatever folder that is.
 */
export function programPaths(source: PathsSource): ProgramPaths {
  const path = source.platform === 'win32' ? win32 : posix;
  const data = folderOf(kinds.data, source);
  return {
    config: source.configFile ?? path.join(folderOf(kinds.config, source), 'config.json'),
    data,
    watchlist: path.join(data, 'watchlist.json'),
    history: path.join(data, 'history'),
    changes: path.join(data, 'changes.jsonl'),
    state: folderOf(kinds.state, source),
    couriers: path.join(folderOf(kinds.cache, source), 'couriers.json'),
  };
}

/** Says which of the XDG variables are set and ignored, a sentence each. */
export function ignoredFolders({
  environment,
  platform,
}: Pick<PathsSource, 'environment' | 'platform'>): readonly string[] {
  const path = platform === 'win32' ? win32 : posix;
  return xdgVariables
    .filter((name) => (environment[name] ?? '') !== '' && absoluteOrNull(path, environment[name]) === null)
    .map((name) => `${name} is ignored, because it is no absolute path; correct or unset it.`);
}

function absoluteOrNull(path: typeof posix, value: string | undefined): string | null {
  return value !== undefined && path.isAbsolute(value) ? value : null;
}

/** The home folder is looked at only where it is needed: with all XDG variables set, none is. */
function folderOf({ variable, unix, windows }: FolderKind, source: PathsSource): string {
  const { environment, platform } = source;
  const path = platform === 'win32' ? win32 : posix;
  const named = absoluteOrNull(path, environment[variable]);
  if (named !== null) return path.join(named, folder);
  if (platform !== 'win32') return posix.join(usableHome(source, posix), ...unix, folder);
  const base =
    absoluteOrNull(win32, environment[windows.variable]) ??
    win32.join(usableHome(source, win32), 'AppData', windows.usual);
  return win32.join(base, folder, windows.below ?? '');
}

function usableHome({ homeDirectory, platform }: PathsSource, path: typeof posix): string {
  const variable = platform === 'win32' ? 'USERPROFILE' : 'HOME';
  const advice = `Set ${variable} to your home folder, or all of ${xdgVariables.join(', ')}, to absolute paths.`;
  if (homeDirectory === null) {
    throw new UnavailableError(
      `Your home folder is not known: ${variable} is not set, or too long, and the system names none. ${advice}`,
    );
  }
  if (!path.isAbsolute(homeDirectory)) {
    const found = homeDirectory === '' ? 'is empty' : `is "${homeDirectory}", which is no absolute path`;
    throw new UsageError(`Your home folder cannot be used: ${variable} ${found}. ${advice}`);
  }
  return homeDirectory;
}
