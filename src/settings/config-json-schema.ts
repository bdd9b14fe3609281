import { toJsonSchema } from '@valibot/to-json-schema';
import { isJsonObject } from '../lib/json.ts';
import { configSchema } from './config-schema.ts';
import { describeSetting } from './setting-table.ts';

/**
 * The JSON Schema (draft 7) of `config.json`, by which editors check and complete it: with what each setting is for, its
 * default and examples. What no schema can say, such as whether a zone exists, `config set` and `doctor` check.
 */
export function configJsonSchema(): Shape {
  // Checks by a function have no form there; trimming changes nothing that a schema says.
  const { $schema, ...shape } = toJsonSchema(configSchema, {
    target: 'draft-07',
    errorMode: 'ignore',
    typeMode: 'input',
    ignoreActions: ['trim', 'check', 'transform', 'raw_transform'],
  });
  return { $schema, title: 'Settings of parcel-monitor', ...described(shape as Shape, []) };
}

type Shape = Readonly<Record<string, unknown>>;

/** With all that there is to say about the settings; names that are not known are marked, as the program warns of them. */
function described(shape: Shape, path: readonly string[]): Shape {
  const { required: _none, ...whole } = shape;
  const { properties, additionalProperties } = whole;
  const inner = (name: string, part: unknown): unknown =>
    isJsonObject(part) ? described(part, [...path, name]) : part;
  if (isJsonObject(properties)) {
    const parts = Object.entries(properties).map(([name, part]) => [name, inner(name, part)] as const);
    return { ...whole, properties: Object.fromEntries(parts), additionalProperties: false };
  }
  if (isJsonObject(additionalProperties)) return { ...whole, additionalProperties: inner('*', additionalProperties) };
  const setting = describeSetting(path);
  if (setting === null) return whole;
  const { about, usual, examples } = setting;
  return {
    description: `${about}.`,
    ...whole,
    ...(usual === undefined ? {} : { default: usual }),
    ...(examples === undefined ? {} : { examples }),
  };
}
