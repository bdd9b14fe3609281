import { posix, win32 } from 'node:path';
import type { Environment } from './context.ts';

/** Where the program keeps what (design.md, command line). All are absolute, but for a `--config` given otherwise. */
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
  readonly homeDirectory: string;
  /** As `process.platform`. */
  readonly platform: string;
  /** The file given with `--config`; null for the usual one. */
  readonly configFile: string | null;
}

const folder = 'parcel-monitor';

/**
 * Finds the program's files: XDG base directories on every Unix, `%APPDATA%` and `%LOCALAPPDATA%` on Windows.
 * A relative XDG value is ignored, as that specification asks.
 */
export function programPaths(source: PathsSource): ProgramPaths {
  const path = source.platform === 'win32' ? win32 : posix;
  const usual = source.platform === 'win32' ? windowsFolders(source) : unixFolders(source);
  const absolute = (variable: string): string | null => absoluteOrNull(path, source.environment[variable]);
  const xdg = (variable: string): string | null => {
    const base = absolute(variable);
    return base === null ? null : path.join(base, folder);
  };
  const data = xdg('XDG_DATA_HOME') ?? usual.data;
  return {
    config: source.configFile ?? path.join(xdg('XDG_CONFIG_HOME') ?? usual.config, 'config.json'),
    data,
    watchlist: path.join(data, 'watchlist.json'),
    history: path.join(data, 'history'),
    state: xdg('XDG_STATE_HOME') ?? usual.state,
    couriers: path.join(xdg('XDG_CACHE_HOME') ?? usual.cache, 'couriers.json'),
  };
}

interface Folders {
  readonly config: string;
  readonly data: string;
  readonly state: string;
  readonly cache: string;
}

function absoluteOrNull(path: typeof posix, value: string | undefined): string | null {
  return value !== undefined && path.isAbsolute(value) ? value : null;
}

function unixFolders({ homeDirectory }: PathsSource): Folders {
  return {
    config: posix.join(homeDirectory, '.config', folder),
    data: posix.join(homeDirectory, '.local', 'share', folder),
    state: posix.join(homeDirectory, '.local', 'state', folder),
    cache: posix.join(homeDirectory, '.cache', folder),
  };
}

function windowsFolders({ environment, homeDirectory }: PathsSource): Folders {
  const base = (variable: string, usual: string): string =>
    absoluteOrNull(win32, environment[variable]) ?? win32.join(homeDirectory, 'AppData', usual);
  const roaming = win32.join(base('APPDATA', 'Roaming'), folder);
  const local = win32.join(base('LOCALAPPDATA', 'Local'), folder);
  return { config: roaming, data: roaming, state: win32.join(local, 'State'), cache: win32.join(local, 'Cache') };
}
