import { builtInViews, type View } from '../board/views.ts';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { type ConfigFileContext, changeConfigFile } from './change-config-file.ts';
import type { SettingChange } from './config-text.ts';

/** The parts of a view that the board can save. `notify` is not changed. */
const ownFields = ['filter', 'order', 'columns', 'collapsed'] as const satisfies readonly (keyof View)[];

/**
 * Writes a view to `views` in `config.json`, where it replaces one with the same name, or deletes it if it is null. If
 * the user has no views yet, the built-in ones are also written. Comments stay. Rejects like `changeConfigFile`.
 */
export async function saveView(
  file: string,
  name: string,
  view: View | null,
  context: ConfigFileContext,
): Promise<void> {
  await changeConfigFile(file, (settings) => changesFor(settings, name, view), context);
}

function changesFor({ views: given }: JsonObject, name: string, view: View | null): readonly SettingChange[] {
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
