import type { Stats } from 'node:fs';
import { dirname, posix, resolve, win32 } from 'node:path';
import { systemText } from '../lib/error-text.ts';
import type { JsonObject } from '../lib/json.ts';
import { NotAFileError, systemCode } from '../lib/store-errors.ts';
import { readNamedFile } from '../store/file/open-file.ts';
import { folderVariables, ignoredFolderVariables, type UserFoldersSource, userFolder } from '../system/environment.ts';
import { type ConfigFileContent, parseConfigFile, readConfigObject } from './check-settings.ts';
import { UnavailableError, UsageError } from './errors.ts';
import { foreignReader, foreignWriter, type TrustIssue } from './file-trust.ts';

/** Paths of the program's files. They are absolute, except a relative `--config`. */
export interface ProgramPaths {
  readonly config: string;
  /** Directory of `watchlist.json`, `history/` and `changes.jsonl`. */
  readonly data: string;
  readonly watchlist: string;
  readonly history: string;
  readonly changes: string;
  /** Directory of the cool-down, the meter, the lease and the log. */
  readonly state: string;
  readonly couriers: string;
}

/**
 * Returns the paths of the program's files: XDG base directories on Unix, `%APPDATA%` and `%LOCALAPPDATA%` on Windows.
 * Ignores relative XDG values, as the specification asks. Throws an {@link UnavailableError} if there is no home
 * folder, and a {@link UsageError} if it is relative, because settings name programs to run.
 */
export function programPaths(source: UserFoldersSource, { config }: { readonly config?: string } = {}): ProgramPaths {
  const path = source.platform === 'win32' ? win32 : posix;
  const data = requireFolder('data', source);
  return {
    config: config ?? path.join(requireFolder('config', source), 'config.json'),
    data,
    watchlist: path.join(data, 'watchlist.json'),
    history: path.join(data, 'history'),
    changes: path.join(data, 'changes.jsonl'),
    state: requireFolder('state', source),
    couriers: path.join(requireFolder('cache', source), 'couriers.json'),
  };
}

export function ignoredFolders(source: Omit<UserFoldersSource, 'homeDirectory'>): readonly string[] {
  return ignoredFolderVariables(source).map(
    (name) => `${name} is ignored, because it is not an absolute path; correct or unset it.`,
  );
}

function requireFolder(kind: Parameters<typeof userFolder>[0], source: UserFoldersSource): string {
  const folder = userFolder(kind, source);
  if (folder === null) throw homeError(source);
  return folder;
}

function homeError({ homeDirectory, platform }: UserFoldersSource): UnavailableError | UsageError {
  const variable = platform === 'win32' ? 'USERPROFILE' : 'HOME';
  const advice = `Set ${variable} to your home folder, or all of ${folderVariables.join(', ')}, to absolute paths.`;
  if (homeDirectory === null) {
    return new UnavailableError(
      `Your home folder is not known: ${variable} is not set or too long, and the system does not know it. ${advice}`,
    );
  }
  const problem = homeDirectory === '' ? 'is empty' : `is "${homeDirectory}", which is not an absolute path`;
  return new UsageError(`Your home folder cannot be used: ${variable} ${problem}. ${advice}`);
}

interface ConfigFileReading extends ConfigFileContent {
  readonly found: boolean;
  /** How other users can change the file, or null if they cannot. If they can, we run no programs named in it. */
  readonly foreignWriter: TrustIssue | null;
  readonly trustIssues: readonly TrustIssue[];
}

/**
 * Reads `config.json`. A missing file counts as empty unless `isRequired`, as with `--config`. Rejects with a {@link
 * UsageError} that names the file if it is not readable or not valid.
 * @param userId the user who runs the program; null if the system has no user ids
 */
export async function readConfigFile(
  path: string,
  isRequired: boolean,
  userId: number | null,
): Promise<ConfigFileReading> {
  let opened: Stats | null = null;
  const content = await configFileText(path, isRequired, (stats) => {
    opened = stats;
  });
  if (content === null) return { settings: {}, warnings: [], found: false, foreignWriter: null, trustIssues: [] };
  const parsed = await parseConfigFile(content, path);
  if (userId === null) return { ...parsed, found: true, foreignWriter: null, trustIssues: [] };
  const writer = await foreignWriter(path, userId, opened);
  const { apiKey, apiKeyFile } = parsed.settings;
  const secrets = [
    ...(apiKey === undefined ? [] : [path]),
    ...(apiKeyFile === undefined ? [] : [resolve(dirname(path), apiKeyFile)]),
  ];
  const readers = await Promise.all(secrets.map(foreignReader));
  return {
    ...parsed,
    found: true,
    foreignWriter: writer,
    trustIssues: [writer, ...readers].filter((issue) => issue !== null),
  };
}

/**
 * Returns the text of `config.json`, or null if there is no file and none is required. Rejects with a {@link
 * UsageError} if it cannot be read.
 */
async function configFileText(
  path: string,
  isRequired = false,
  onOpen?: (stats: Stats) => void,
): Promise<string | null> {
  try {
    return (await readNamedFile(path, onOpen)).toString('utf8');
  } catch (cause) {
    if (cause instanceof NotAFileError)
      throw new UsageError(
        `The configuration ${path} is ${cause.found}, not a file. ${isRequired ? 'Specify a file.' : 'Move it somewhere else, or put a file in its place.'}`,
        { cause },
      );
    const code = systemCode(cause);
    if (code === null) throw cause;
    if (code === 'ENOENT' && !isRequired) return null;
    if (code === 'ENOENT') throw new UsageError(`There is no configuration file ${path}.`, { cause });
    throw new UsageError(`The configuration ${path} cannot be read${systemText(code)}.`, { cause });
  }
}

/**
 * Returns the whole content of `config.json`, valid or not, or an empty object if there is no file. Rejects with a
 * `UsageError` if the file cannot be read or is not valid JSON.
 */
export async function configFileContent(path: string): Promise<JsonObject> {
  const text = await configFileText(path);
  return text === null ? {} : await readConfigObject(text, path);
}

/**
 * Like {@link configFileContent}, but returns an empty object if the file cannot be used. Other commands report that.
 */
export async function configFileContentOrEmpty(path: string): Promise<JsonObject> {
  return await configFileContent(path).catch((error: unknown) => {
    if (error instanceof UsageError) return {};
    throw error;
  });
}
