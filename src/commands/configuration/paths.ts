import { posix, win32 } from 'node:path';
import type { Environment } from '../../process/environment.ts';
import { UnavailableError, UsageError } from '../session/errors.ts';

/** Where the program keeps what. All are absolute, but for a `--config` given otherwise. */
export interface ProgramPaths {
  readonly config: string;
  /** Directory of `watchlist.json` and `history/`. */
  readonly data: string;
  readonly watchlist: string;
  readonly history: string;
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

const xdgVariables = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'] as const;

/**
 * Finds the program's files: XDG base directories on every Unix, `%APPDATA%` and `%LOCALAPPDATA%` on Windows.
 * A relative XDG value is ignored, as that specification asks. Where the home folder is needed, throws a
 * {@link UnavailableError} when there is none, and a {@link UsageError} for one that would depend on where the program
 * is started: settings name programs to run, and must not come from whatever folder that is.
 */
export function programPaths(source: PathsSource): ProgramPaths {
  const path = source.platform === 'win32' ? win32 : posix;
  const usual = source.platform === 'win32' ? windowsFolders(source) : unixFolders(source);
  const absolute = (variable: string): string | null => absoluteOrNull(path, source.environment[variable]);
  const xdg = (variable: string): string | null => {
    const base = absolute(variable);
    return base === null ? null : path.join(base, folder);
  };
  const data = xdg('XDG_DATA_HOME') ?? usual.data();
  return {
    config: source.configFile ?? path.join(xdg('XDG_CONFIG_HOME') ?? usual.config(), 'config.json'),
    data,
    watchlist: path.join(data, 'watchlist.json'),
    history: path.join(data, 'history'),
    state: xdg('XDG_STATE_HOME') ?? usual.state(),
    couriers: path.join(xdg('XDG_CACHE_HOME') ?? usual.cache(), 'couriers.json'),
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

/** Found out only when they are used: with all XDG variables set, no home folder is needed. */
interface Folders {
  config(): string;
  data(): string;
  state(): string;
  cache(): string;
}

function absoluteOrNull(path: typeof posix, value: string | undefined): string | null {
  return value !== undefined && path.isAbsolute(value) ? value : null;
}

function unixFolders(source: PathsSource): Folders {
  const inHome = (...names: readonly string[]) => posix.join(usableHome(source, posix), ...names, folder);
  return {
    config: () => inHome('.config'),
    data: () => inHome('.local', 'share'),
    state: () => inHome('.local', 'state'),
    cache: () => inHome('.cache'),
  };
}

function windowsFolders(source: PathsSource): Folders {
  const base = (variable: string, usual: string): string =>
    absoluteOrNull(win32, source.environment[variable]) ?? win32.join(usableHome(source, win32), 'AppData', usual);
  const roaming = (): string => win32.join(base('APPDATA', 'Roaming'), folder);
  const local = (): string => win32.join(base('LOCALAPPDATA', 'Local'), folder);
  return {
    config: roaming,
    data: roaming,
    state: () => win32.join(local(), 'State'),
    cache: () => win32.join(local(), 'Cache'),
  };
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
