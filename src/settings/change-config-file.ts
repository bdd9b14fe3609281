import { isUtf8 } from 'node:buffer';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { builtInViews, type View } from '../board/views.ts';
import type { Random } from '../lib/clock.ts';
import { isJsonObject, type JsonObject, valueAt } from '../lib/json.ts';
import { ConcurrentChangeError, nullIfMissing, StoreError, systemCode, toStoreError } from '../lib/store-errors.ts';
import { writeFileAtomically } from '../store/file/atomic-write.ts';
import { makeFolder } from '../store/file/folders.ts';
import { withFileLock } from '../store/file/lock.ts';
import { fileMarkSync, readWholeFile, resolveFilePath } from '../store/file/open-file.ts';
import { readConfigObject, type SettingProblem, settingProblems } from './check-settings.ts';
import { editConfigText, parseConfigText, type SettingChange } from './config-text.ts';
import { UsageError } from './errors.ts';
import type { CommandContext } from './session/context.ts';
import type { Setting, Shape } from './setting-types.ts';
import { settingTable } from './table.ts';

/** The schema is copied next to `config.json`, where it works offline and matches the installed version. */
const schemaCopyName = 'config.schema.json';

export const schemaReference = `./${schemaCopyName}`;

export function configSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}

/**
 * Writes the schema next to a `config.json` that refers to it, unless it is up to date. Ignores a read-only folder,
 * because only editors need the schema. Returns the path if this created the copy, or null.
 * @param path the path of `config.json` as the user opens it
 * @param text its content
 */
export async function updateSchemaCopy(path: string, text: string, random: Random): Promise<string | null> {
  const settings = await parseConfigText(text, path);
  if (!isJsonObject(settings) || settings['$schema'] !== schemaReference) return null;
  const copy = join(dirname(path), schemaCopyName);
  try {
    const schema = configSchemaText();
    const current = await nullIfMissing(readWholeFile(copy));
    if (current?.toString('utf8') !== schema) await writeFileAtomically(copy, schema, random);
    return current === null ? copy : null;
  } catch (error) {
    if (systemCode(error) === null && !(error instanceof Error && 'path' in error)) throw error;
    return null;
  }
}

interface ConfigFileChange {
  readonly isNew: boolean;
  /** False if the settings already had these values, and nothing was written. */
  readonly isChanged: boolean;
}

const schemaChanges: readonly SettingChange[] = [{ path: ['$schema'], value: schemaReference }];

type ConfigFileContext = Pick<CommandContext, 'clock' | 'processes' | 'random' | 'userId'>;

/**
 * Changes settings in `config.json`, either all of them or none. Keeps comments, order and layout, follows links, and
 * creates a missing file with mode 0600 (its folder with 0700), as for all of the program's files. Rejects without
 * writing anything: with a {@link UsageError} if the file is not valid JSON or a changed setting would be invalid, and
 * with a {@link StoreError} if the file cannot be read or written.
 */
export async function changeConfigFile(
  file: string,
  changesOrFunction: readonly SettingChange[] | ((settings: JsonObject) => readonly SettingChange[]),
  context: ConfigFileContext,
): Promise<ConfigFileChange> {
  return await rewriteConfigFile(file, context, async (before) => {
    const isEmpty = before === null || before.trim() === '';
    const changes =
      typeof changesOrFunction === 'function'
        ? changesOrFunction(isEmpty ? {} : await readConfigObject(before, file))
        : changesOrFunction;
    const after = await editConfigText(before ?? '', before === null ? [...schemaChanges, ...changes] : changes, file);
    await assertApplied(file, after, changes);
    return after;
  });
}

/**
 * Passes the text of `config.json` to `edit` (null if there is no file) and writes the result, all under the file's
 * lock. Rejects like {@link changeConfigFile} and with the errors of `edit`, without writing anything.
 */
export async function rewriteConfigFile(
  file: string,
  context: ConfigFileContext,
  edit: (before: string | null) => Promise<string>,
): Promise<ConfigFileChange> {
  return await asConfigErrors(file, async () => {
    const path = await resolveFilePath(file, context.userId);
    await makeFolder(dirname(path));
    return await withFileLock(path, context, async (lock) => {
      const mark = fileMarkSync(path);
      const before = await readConfigText(path);
      const after = await edit(before);
      const isChanged = after !== before;
      const beforeRename = (temp: string): string => {
        const lockedTemp = lock.moveIntoLock(temp);
        // Editors do not take the lock, so the file may have changed.
        if (fileMarkSync(path) !== mark) throw new ConcurrentChangeError(path);
        return lockedTemp;
      };
      if (isChanged) await writeFileAtomically(path, after, context.random, { beforeRename });
      await updateSchemaCopy(file, after, context.random);
      return { isNew: before === null, isChanged };
    });
  });
}

/** Returns null if there is no file. Rejects text that is not UTF-8, because rewriting it would change it. */
async function readConfigText(path: string): Promise<string | null> {
  const content = await nullIfMissing(readWholeFile(path));
  if (content === null) return null;
  if (isUtf8(content)) return content.toString('utf8');
  throw new UsageError({
    what: `${path} is not UTF-8 and was not changed.`,
    advice: 'Save it as UTF-8 with an editor.',
  });
}

/**
 * Throws a {@link UsageError} if the text does not contain a change, or if a changed setting is invalid. Existing
 * errors elsewhere in the file are allowed.
 */
async function assertApplied(path: string, text: string, changes: readonly SettingChange[]): Promise<void> {
  const settings = await readConfigObject(text, path);
  for (const { path: names, value } of changes) {
    // Removing an item shifts the ones after it.
    const isRemovedItem = value === undefined && typeof names.at(-1) === 'number';
    if (!isRemovedItem && !isDeepStrictEqual(normalise(valueAt(settings, names)), normalise(value))) {
      throw new UsageError({
        what: `${path}: "${names.join('.')}" cannot be changed because it or its parent appears twice. Nothing was written.`,
        advice: 'Run: parcel-monitor config edit',
      });
    }
  }
  const problems = settingProblems(settings).filter((problem) => changes.some((change) => concerns(problem, change)));
  if (problems.length > 0) {
    throw new UsageError(`${problems.map(({ sentence }) => sentence).join(' ')} Nothing was changed.`);
  }
}

/** Removes prototypes, which differ between parsers. */
const normalise = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function concerns({ name, place = name }: SettingProblem, { path, value }: SettingChange): boolean {
  const changed = `${path.join('.')}.`;
  return value !== undefined && (`${place}.`.startsWith(changed) || changed.startsWith(`${place}.`));
}

async function asConfigErrors<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (systemCode(error) === 'EROFS') {
      const advice = 'Change it at its source, such as your home manager, or use another file with --config.';
      throw new StoreError('read-only', `${path} is on a read-only file system. ${advice}`, path, error);
    }
    throw systemCode(error) === null ? error : toStoreError(error, path);
  }
}

/** Settings by name, nested as in `config.json`. */
interface Tree {
  [name: string]: Tree | Setting;
}

/**
 * Returns the JSON Schema (draft 7) of `config.json` for editors, with each setting's purpose, default and examples.
 * `config set` and `doctor` check what a schema cannot express, such as whether a zone exists.
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
  const [[name = '', shape] = []] = shapes;
  if (name === '*')
    return { type: 'object', propertyNames: { type: 'string', minLength: 1 }, additionalProperties: shape };
  // Editors mark unknown names, although the program only warns about them.
  return { type: 'object', properties: Object.fromEntries(shapes), additionalProperties: false };
}

function partShape(part: Tree | Setting): Shape {
  if (!isSetting(part)) return objectShape(part);
  const { about, examples, type, defaultValue } = part;
  return {
    description: `${about}.`,
    ...type.shape,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(examples === undefined ? {} : { examples }),
  };
}

const isSetting = (part: Tree | Setting): part is Setting => typeof part['about'] === 'string';

/** The fields of a view that the board saves. `notify` is left as it is. */
const savedFields = ['filter', 'order', 'columns', 'collapsed'] as const satisfies readonly (keyof View)[];

/**
 * Saves a view in `config.json`, replacing one with the same name. Null deletes the view with that name. Also writes
 * the built-in views if the user has none yet. Rejects like {@link changeConfigFile}.
 */
export async function saveView(
  file: string,
  name: string,
  view: View | null,
  context: ConfigFileContext,
): Promise<void> {
  await changeConfigFile(file, (settings) => viewChanges(settings, name, view), context);
}

function viewChanges({ views: configured }: JsonObject, name: string, view: View | null): readonly SettingChange[] {
  const views: readonly unknown[] = Array.isArray(configured) ? configured : builtInViews;
  const existing = views.findIndex((item) => isJsonObject(item) && hasName(item['name'], name));
  const index = existing === -1 ? views.length : existing;
  if (!Array.isArray(configured)) {
    const all = [...views.slice(0, index), ...(view === null ? [] : [view]), ...views.slice(index + 1)];
    return [{ path: ['views'], value: all }];
  }
  if (view === null) return existing === -1 ? [] : [{ path: ['views', index], value: undefined }];
  if (existing === -1) return [{ path: ['views', index], value: view }];
  return savedFields.map((field) => ({ path: ['views', index, field], value: view[field] }));
}

const hasName = (value: unknown, name: string): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === name.trim().toLowerCase();
