import type { Stats } from 'node:fs';
import type { PlatformPath } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export const isSet = (text: string | undefined): boolean => text !== undefined && text !== '';

export const isOneSet = (environment: Environment, ...names: readonly string[]): boolean =>
  names.some((name) => isSet(environment[name]));

export const isOverSsh = (environment: Environment): boolean => isOneSet(environment, 'SSH_CONNECTION', 'SSH_TTY');

export const isInWsl = (environment: Environment): boolean => isOneSet(environment, 'WSL_DISTRO_NAME', 'WSL_INTEROP');

export function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Whether the terminal cannot move the cursor, as in an Emacs shell. */
export const onlyPrints = (environment: Environment): boolean => nonEmpty(environment['TERM']) === 'dumb';

export interface UserFoldersSource {
  readonly environment: Environment;
  /** Null if unknown. */
  readonly homeDirectory: string | null;
  readonly platform: string;
}

/** Not imported, because an old Node that does not know such imports must still be able to parse the launcher. */
const pathModule = (): PlatformPath => process.getBuiltinModule('node:path');

const folder = 'parcel-monitor';

interface FolderKind {
  readonly variable: string;
  readonly unix: readonly string[];
  readonly windows: { readonly variable: string; readonly fallback: string; readonly below?: string };
}

const roaming = { variable: 'APPDATA', fallback: 'Roaming' };
const local = { variable: 'LOCALAPPDATA', fallback: 'Local' };
const kinds = {
  config: { variable: 'XDG_CONFIG_HOME', unix: ['.config'], windows: roaming },
  data: { variable: 'XDG_DATA_HOME', unix: ['.local', 'share'], windows: roaming },
  state: { variable: 'XDG_STATE_HOME', unix: ['.local', 'state'], windows: { ...local, below: 'State' } },
  cache: { variable: 'XDG_CACHE_HOME', unix: ['.cache'], windows: { ...local, below: 'Cache' } },
} as const satisfies Readonly<Record<string, FolderKind>>;

export const folderVariables: readonly string[] = Object.values(kinds).map(({ variable }) => variable);

/**
 * Uses the XDG base directories on Unix, and `%APPDATA%` and `%LOCALAPPDATA%` on Windows. Ignores relative paths, as
 * XDG requires. Returns null if the folder depends on an unknown home folder.
 */
export function userFolder(kind: keyof typeof kinds, source: UserFoldersSource): string | null {
  const { environment, homeDirectory, platform } = source;
  const { unix, variable, windows }: FolderKind = kinds[kind];
  const { posix, win32 } = pathModule();
  const path = platform === 'win32' ? win32 : posix;
  const named = absoluteOrNull(path, environment[variable]);
  if (named !== null) return path.join(named, folder);
  const home = absoluteOrNull(path, homeDirectory ?? undefined);
  if (platform !== 'win32') return home === null ? null : posix.join(home, ...unix, folder);
  const base =
    absoluteOrNull(win32, environment[windows.variable]) ??
    (home === null ? null : win32.join(home, 'AppData', windows.fallback));
  return base === null ? null : win32.join(base, folder, windows.below ?? '');
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

/** Returns a string that changes when the file is written or replaced, or its folder is replaced. */
export function pathMark(facts: Pick<Stats, 'ino' | 'isDirectory' | 'mtimeMs' | 'size'> | undefined): string {
  if (facts === undefined) return 'none';
  return facts.isDirectory() ? String(facts.ino) : `${facts.ino}-${facts.mtimeMs}-${facts.size}`;
}

/** Must equal `engines` in package.json. */
export const oldestNode = '22.19';

/** Returns an error message, or null if the version is new enough. @param version `process.versions.node` */
export function nodeVersionProblem(version: string): string | null {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldestNode.split('.').map(Number);
  const isNewEnough =
    Number(major) > Number(oldestMajor) ||
    (Number(major) === Number(oldestMajor) && Number(minor) >= Number(oldestMinor));
  if (isNewEnough) return null;
  return `parcel-monitor: this is Node ${version}, but Node ${oldestNode} or newer is required. Install a newer Node, or run "npm ci && npm start" in a clone of the project, which includes its own Node.`;
}
