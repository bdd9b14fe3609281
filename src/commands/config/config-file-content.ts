import type { JsonObject } from '../../service/text/json.ts';
import { NotAFileError, nullIfMissing, systemCode } from '../../watchlist/errors.ts';
import { readNamedFile } from '../../watchlist/files/open-file.ts';
import { readConfigObject } from '../configuration/config-schema.ts';
import { UsageError } from '../session/errors.ts';

/**
 * All that stands in `config.json`, right or wrong; an empty object where there is no file. Rejects with a {@link UsageError}
 * when it cannot be read or is not valid JSON.
 */
export async function configFileContent(path: string): Promise<JsonObject> {
  const text = await textOf(path);
  return text === null ? {} : await readConfigObject(text, path);
}

async function textOf(path: string): Promise<string | null> {
  try {
    return (await nullIfMissing(readNamedFile(path)))?.toString('utf8') ?? null;
  } catch (cause) {
    if (cause instanceof NotAFileError)
      throw new UsageError(`The configuration cannot be read: ${cause.message}`, { cause });
    const code = systemCode(cause);
    if (code === null) throw cause;
    throw new UsageError(`The configuration ${path} cannot be read (${code}).`, { cause });
  }
}
