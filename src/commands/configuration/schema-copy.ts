import { dirname, join } from 'node:path';
import type { Random } from '../../service/clock/clock.ts';
import { isJsonObject } from '../../service/text/json.ts';
import { nullIfMissing, systemCode } from '../../watchlist/errors.ts';
import { writeFileAtomically } from '../../watchlist/files/atomic-write.ts';
import { readWholeFile } from '../../watchlist/files/open-file.ts';
import { parseConfigText } from './config-text.ts';

/** The copy of the schema that lies beside `config.json`: it is there without a network and fits the installed version. */
const schemaCopyName = 'config.schema.json';

/** How `config.json` names it. */
export const schemaReference = `./${schemaCopyName}`;

/** The schema of `config.json` as it is printed and kept. */
export async function configSchemaText(): Promise<string> {
  const { configJsonSchema } = await import('./config-json-schema.ts');
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}

/**
 * Writes the schema beside a `config.json` that names it, unless it is there as it should be. A folder that cannot be written
 * is no failure: only editors miss it. Answers the path of the copy when there was none before, else null.
 * @param path of `config.json` as it is opened by whoever edits it: a link need not be followed
 * @param text what stands in it
 */
export async function keepSchemaCopy(path: string, text: string, random: Random): Promise<string | null> {
  const settings = await parseConfigText(text, path);
  if (!isJsonObject(settings) || settings['$schema'] !== schemaReference) return null;
  const copy = join(dirname(path), schemaCopyName);
  try {
    const wanted = await configSchemaText();
    const there = await nullIfMissing(readWholeFile(copy));
    if (there?.toString('utf8') !== wanted) await writeFileAtomically(copy, wanted, random);
    return there === null ? copy : null;
  } catch (error) {
    if (systemCode(error) === null && !(error instanceof Error && 'path' in error)) throw error;
    return null;
  }
}
