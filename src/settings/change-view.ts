import { builtInViews, type View } from '../board/views.ts';
import { isJsonObject } from '../lib/json.ts';
import { assertWritten, type ConfigFileContext, rewriteConfigFile } from './change-config-file.ts';
import { readConfigObject, settingProblems } from './check-settings.ts';
import { editConfigText, type SettingChange } from './config-text.ts';
import { UsageError } from './errors.ts';

/** The parts of a view that the board can save. `notify` is not changed. */
const ownFields = ['filter', 'order', 'columns', 'collapsed'] as const satisfies readonly (keyof View)[];

/**
 * Writes a view to `views` in `config.json`, where it replaces one with the same name, or deletes it if it is null. If
 * the user has no views yet, the built-in ones are also written. Comments stay. Rejects like `changeConfigFile`.
 */
export async function changeView(
  file: string,
  name: string,
  view: View | null,
  context: ConfigFileContext,
): Promise<void> {
  await rewriteConfigFile(file, context, async (before) => {
    const text = before ?? '';
    const settings = text.trim() === '' ? {} : await readConfigObject(text, file);
    const changes = changesFor(settings, name, view);
    const after = await editConfigText(text, changes, file);
    const changed = await readConfigObject(after, file);
    // A deleted view cannot be compared any more.
    if (view === null) return after;
    assertWritten(file, changed, changes);
    const known = new Set(settingProblems(settings).map(({ sentence }) => sentence));
    const wrong = settingProblems(changed).find(({ sentence }) => !known.has(sentence));
    if (wrong !== undefined) throw new UsageError(`${wrong.sentence} Nothing was changed.`);
    return after;
  });
}

function changesFor(settings: object, name: string, view: View | null): readonly SettingChange[] {
  const given: unknown = Reflect.get(settings, 'views');
  const views: readonly unknown[] = Array.isArray(given) ? given : builtInViews;
  const found = views.findIndex((one) => isJsonObject(one) && isNamed(one['name'], name));
  const at = found === -1 ? views.length : found;
  if (!Array.isArray(given)) {
    const all = [...views.slice(0, at), ...(view === null ? [] : [view]), ...views.slice(at + 1)];
    return [{ path: ['views'], value: all }];
  }
  if (view === null) return found === -1 ? [] : [{ path: ['views', at], value: undefined }];
  if (found === -1) return [{ path: ['views', at], value: view }];
  return ownFields.map((field) => ({ path: ['views', at, field], value: view[field] }));
}

const isNamed = (value: unknown, name: string): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === name.trim().toLowerCase();
