import type { Stats } from 'node:fs';
import type { PlatformPath } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export const isSet = (text: string | undefined): boolean => text !== undefined && text !== '';

export const isAnySet = (environment: Environment, ...names: readonly string[]): boolean =>
  names.some((name) => isSet(environment[name]));

export const isOverSsh = (environment: Environment): boolean => isAnySet(environment, 'SSH_CONNECTION', 'SSH_TTY');

export const isInWsl = (environment: Environment): boolean => isAnySet(environment, 'WSL_DISTRO_NAME', 'WSL_INTEROP');

export function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Whether the terminal cannot move the cursor, as in an Emacs shell. */
export const isDumbTerminal = (environment: Environment): boolean => nonEmpty(environment['TERM']) === 'dumb';

export interface UserFoldersSource {
  readonly environment: Environment;
  /** Null if unknown. */
  readonly homeDirectory: string | null;
  readonly platform: string;
}

/** Not imported, because an old Node that does not know such imports must still be able to parse the launcher. */
const pathModule = (): PlatformPath => process.getBuiltinModule('node:path');

const programFolder = 'parcel-monitor';

interface FolderKind {
  readonly variable: string;
  readonly unix: readonly string[];
  readonly windows: { readonly variable: string; readonly fallback: string; readonly subfolder?: string };
}

const roaming = { variable: 'APPDATA', fallback: 'Roaming' };
const local = { variable: 'LOCALAPPDATA', fallback: 'Local' };
const folderKinds = {
  config: { variable: 'XDG_CONFIG_HOME', unix: ['.config'], windows: roaming },
  data: { variable: 'XDG_DATA_HOME', unix: ['.local', 'share'], windows: roaming },
  state: { variable: 'XDG_STATE_HOME', unix: ['.local', 'state'], windows: { ...local, subfolder: 'State' } },
  cache: { variable: 'XDG_CACHE_HOME', unix: ['.cache'], windows: { ...local, subfolder: 'Cache' } },
} as const satisfies Readonly<Record<string, FolderKind>>;

export const folderVariables: readonly string[] = Object.values(folderKinds).map(({ variable }) => variable);

/**
 * Returns one of the program's folders: in the XDG base directories on Unix, and in `%APPDATA%` or `%LOCALAPPDATA%` on
 * Windows. Ignores relative paths, as XDG requires. Returns null if the folder depends on an unknown home folder.
 */
export function userFolder(kind: keyof typeof folderKinds, source: UserFoldersSource): string | null {
  const { environment, homeDirectory, platform } = source;
  const { unix, variable, windows }: FolderKind = folderKinds[kind];
  const { posix, win32 } = pathModule();
  const path = platform === 'win32' ? win32 : posix;
  const configured = absoluteOrNull(path, environment[variable]);
  if (configured !== null) return path.join(configured, programFolder);
  const home = absoluteOrNull(path, homeDirectory ?? undefined);
  if (platform !== 'win32') return home === null ? null : posix.join(home, ...unix, programFolder);
  const base =
    absoluteOrNull(win32, environment[windows.variable]) ??
    (home === null ? null : win32.join(home, 'AppData', windows.fallback));
  return base === null ? null : win32.join(base, programFolder, windows.subfolder ?? '');
}

export function ignoredFolderVariables({
  environment,
  platform,
}: Omit<UserFoldersSource, 'homeDirectory'>): readonly string[] {
  const { posix, win32 } = pathModule();
  const path = platform === 'win32' ? win32 : posix;
  return folderVariables.filter((name) => {
    const value = environment[name] ?? '';
    return value !== '' && absoluteOrNull(path, value) === null;
  });
}

function absoluteOrNull(path: Pick<PlatformPath, 'isAbsolute'>, value: string | undefined): string | null {
  return value !== undefined && path.isAbsolute(value) ? value : null;
}

/** Returns a string that changes when a file is written or replaced, or when a folder is replaced. */
export function pathMark(stats: Pick<Stats, 'ino' | 'isDirectory' | 'mtimeMs' | 'size'> | undefined): string {
  if (stats === undefined) return 'none';
  return stats.isDirectory() ? String(stats.ino) : `${stats.ino}-${stats.mtimeMs}-${stats.size}`;
}

/** Must equal `engines` in package.json. */
export const oldestNode = '22.19';

/**
 * Returns an error message, or null if the version is new enough.
 * @param version `process.versions.node`
 */
export function nodeVersionProblem(version: string): string | null {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode.split('.').map(Number);
  const isNewEnough =
    Number(major) > Number(oldestMajor) ||
    (Number(major) === Number(oldestMajor) && Number(minor) >= Number(oldestMinor));
  if (isNewEnough) return null;
  return `parcel-monitor: this is Node ${version}, but Node ${oldestNode} or newer is required. Install a newer Node, or run "npm ci && npm start" in a clone of the project, which includes its own Node.`;
}
