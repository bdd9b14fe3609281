import type { JsonObject } from '../../service/text/json.ts';
import { configFileText } from '../configuration/config-file.ts';
import { readConfigObject } from '../configuration/config-schema.ts';

/**
 * All that stands in `config.json`, right or wrong; an empty object where there is no file. Rejects with a `UsageError`
 * when it cannot be read or is not valid JSON.
 */
export async function configFileContent(path: string): Promise<JsonObject> {
  const text = await configFileText(path);
  return text === null ? {} : await readConfigObject(text, path);
}
