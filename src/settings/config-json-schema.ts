import type { Setting, Shape } from './setting-types.ts';
import { settingTable } from './table.ts';

/** Objects of settings by their names, and settings. */
interface Tree {
  [name: string]: Tree | Setting;
}

/**
 * The JSON Schema (draft 7) of `config.json`, by which editors check and complete it: with what each setting is for, its
 * default and examples. What no schema can say, such as whether a zone exists, `config set` and `doctor` check.
 */
export function configJsonSchema(): Shape {
  const tree: Tree = {};
  for (const [name, setting] of Object.entries(settingTable)) {
    const parts = name.split('.');
    const object = parts.slice(0, -1).reduce<Tree>((inner, part) => {
      inner[part] ??= {};
      return inner[part] as Tree;
    }, tree);
    object[parts.at(-1) ?? ''] = setting;
  }
  const title = 'Settings of parcel-monitor';
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...objectShape(tree) };
}

function objectShape(tree: Tree): Shape {
  const shapes = Object.entries(tree).map(([name, part]) => [name, partShape(part)] as const);
  const [[first = '', any] = []] = shapes;
  if (first === '*')
    return { type: 'object', propertyNames: { type: 'string', minLength: 1 }, additionalProperties: any };
  // Names that are not known are marked, as the program warns of them.
  return { type: 'object', properties: Object.fromEntries(shapes), additionalProperties: false };
}

function partShape(part: Tree | Setting): Shape {
  if (!isSetting(part)) return objectShape(part);
  const { about, examples, type, usual } = part;
  return {
    description: `${about}.`,
    ...type.shape,
    ...(usual === undefined ? {} : { default: usual }),
    ...(examples === undefined ? {} : { examples }),
  };
}

const isSetting = (part: Tree | Setting): part is Setting => typeof part['about'] === 'string';
