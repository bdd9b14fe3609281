import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { publishedSchemas } from '../src/commands/published-schemas.ts';
import { configSchemaText } from '../src/settings/change-config-file.ts';

/** Writes the JSON Schemas (draft 7): of what commands print, one file a command, and of `config.json`. */

export async function writeSchemas(outdir: string): Promise<void> {
  const folder = join(outdir, 'schemas');
  await mkdir(folder);
  await writeFile(join(folder, 'config.json'), configSchemaText());
  for (const [name, { schema, title }] of Object.entries(publishedSchemas)) {
    const { $schema, ...shape } = toJsonSchema(schema, { target: 'draft-07' });
    await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ $schema, title, ...shape }, null, 2)}\n`);
  }
}
