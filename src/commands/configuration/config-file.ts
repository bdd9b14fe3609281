import type { Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemWords } from '../../service/failures/system-words.ts';
import { NotAFileError, systemCode } from '../../watchlist/errors.ts';
import { readNamedFile } from '../../watchlist/files/open-file.ts';
import { UsageError } from '../session/errors.ts';
import type { ConfigFileContent } from './config-schema.ts';
import { type Doubt, foreignReader, foreignWriter } from './file-trust.ts';

/** The content, and what a person should know about the file itself. */
interface ConfigFileReading extends ConfigFileContent {
  /** False when there is no file. */
  readonly found: boolean;
  /** Who besides the user decides what it says; null when nobody does. Then no program that it names is to be run. */
  readonly foreignWriter: Doubt | null;
  /** All that is doubtful about the file. */
  readonly doubts: readonly Doubt[];
}

/**
 * Reads `config.json`. A missing file is an empty one unless `isRequired` (given with `--config`). Throws a
 * {@link UsageError} that names the file when it cannot be read, is no JSON or holds a value that cannot be used.
 * @param userId who runs the program; null where files have no such owners
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
  if (content === null) return { settings: {}, warnings: [], found: false, foreignWriter: null, doubts: [] };
  // Checking settings takes a library that commands without settings start without.
  const { parseConfigFile } = await import('./config-schema.ts');
  const parsed = await parseConfigFile(content, path);
  if (userId === null) return { ...parsed, found: true, foreignWriter: null, doubts: [] };
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
    doubts: [writer, ...readers].filter((doubt) => doubt !== null),
  };
}

/** The text of `config.json`; null where there is no file and none is required. Rejects with a {@link UsageError} when it cannot be read. */
export async function configFileText(
  path: string,
  isRequired = false,
  note?: (opened: Stats) => void,
): Promise<string | null> {
  try {
    return (await readNamedFile(path, note)).toString('utf8');
  } catch (cause) {
    if (cause instanceof NotAFileError)
      throw new UsageError(
        `The configuration ${path} is ${cause.what}, not a file. ${isRequired ? 'Name a file.' : 'Move it away, or put a file in its place.'}`,
        { cause },
      );
    const code = systemCode(cause);
    if (code === null) throw cause;
    if (code === 'ENOENT' && !isRequired) return null;
    if (code === 'ENOENT') throw new UsageError(`There is no configuration file ${path}.`, { cause });
    throw new UsageError(`The configuration ${path} cannot be read${systemWords(code)}.`, { cause });
  }
}
