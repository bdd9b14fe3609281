import type { ConfigJson, SettingJson } from '../board/json-schemas.ts';
import { printableText } from '../lib/clean-text.ts';
import { printTable, type TableCell } from '../lib/table.ts';
import { configSchemaText } from '../settings/change-config-file.ts';
import { editConfigFile, knownSettingPath, setSetting, unsetSettings } from '../settings/change-settings.ts';
import { configFileContent, type ProgramPaths, programPaths } from '../settings/config-file.ts';
import type { GlobalOptions } from '../settings/configuration.ts';
import { assertNoMoreArguments, NothingGivenError, UsageError } from '../settings/errors.ts';
import { foreignWriter } from '../settings/file-trust.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { printJson, printNote, type Style, styleOf } from '../settings/session/session.ts';
import {
  originText,
  plainValue,
  type ResolvedSetting,
  resolvedSetting,
  resolvedSettings,
  type SettingPath,
  type SettingsSource,
  shownValue,
  valueText,
} from '../settings/setting-values.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { removeSavedScreen } from './board/start.ts';
import type { PathsJson } from './published-schemas.ts';
import type { JsonOption } from './results.ts';

export type ConfigAction = 'get' | 'set' | 'unset' | 'list' | 'schema' | 'edit';

/** Also works with a broken configuration. Throws a {@link UsageError} or a `StoreError` if nothing was changed. */
export async function runConfig(
  context: CommandContext,
  options: GlobalOptions,
  { json = false }: JsonOption,
  [action = 'list', ...words]: readonly string[],
): Promise<ExitCode> {
  const paths = programPaths(context, options);
  const { config: file } = paths;
  const [name, ...value] = words;
  if (json && action !== 'get' && action !== 'list')
    throw new UsageError(`--json works with "get" and "list", not with "${action}".`);
  if (name === undefined && (action === 'get' || action === 'set')) {
    const advice = `Run: parcel-monitor config ${action} PATH${action === 'set' ? ' VALUE' : ''}`;
    throw new NothingGivenError({ what: 'No setting given.', advice });
  }
  switch (action) {
    case 'set':
      await setSetting({ context, file, options }, name ?? '', value);
      if (name === 'keepScreen') await applyKeepScreen(paths);
      return exitCode.done;
    case 'unset':
      await unsetSettings({ context, file, options }, words);
      return exitCode.done;
    case 'schema':
      assertNoMoreArguments('config schema', words, 0);
      context.stdout.write(configSchemaText());
      return exitCode.done;
    case 'edit': {
      assertNoMoreArguments('config edit', words, 0);
      const code = await editConfigFile(context, file);
      if (code === exitCode.done) await applyKeepScreen(paths);
      return code;
    }
    default: {
      assertNoMoreArguments(`config ${action}`, words, 1);
      const path = name === undefined ? null : knownSettingPath(name);
      const source = { options, environment: context.environment, file: await configFileContent(file) };
      // If other users can change the file, some of its settings may be ignored.
      const writer = context.userId === null ? null : await foreignWriter(file, context.userId);
      if (writer !== null) printNote(context, `${writer.found} ${writer.advice}`);
      const shown = { context, style: styleOf(context, options), source, file, json };
      return action === 'get' && path !== null ? getSetting({ ...shown, path }) : listSettings({ ...shown, path });
    }
  }
}

/** Deletes the saved screen right away instead of when the next board opens. */
async function applyKeepScreen(paths: ProgramPaths): Promise<void> {
  if ((await configFileContent(paths.config))['keepScreen'] === false) await removeSavedScreen(paths);
}

interface ShowSettingsRequest {
  readonly context: CommandContext;
  readonly style: Style;
  readonly source: SettingsSource;
  readonly file: string;
  readonly path: SettingPath | null;
  readonly json: boolean;
}

/** Hides secrets. Returns 2 for settings with which commands refuse to start; other invalid settings are ignored. */
function listSettings({ context, style, source, file, path, json }: ShowSettingsRequest): ExitCode {
  const all = resolvedSettings(source).filter((setting) => path === null || isBelow(setting, path));
  if (json) {
    const listed = all.map((setting) => settingJson(setting, shownValue(setting)));
    printJson<ConfigJson>(context, { version: 1, file, settings: listed });
  } else {
    const columns = [
      { title: 'setting', yields: 0 },
      { title: 'value', yields: 1, most: 60 },
      { title: 'from', yields: 0 },
    ];
    printTable({ context, style }, { columns, rows: all.map(row) });
  }
  const problems = [...new Set(all.flatMap(({ problem }) => problem ?? []))];
  for (const problem of problems.slice(0, maxListed)) printNote(context, `${file}: ${problem}`);
  if (problems.length > maxListed)
    printNote(context, `${file}: ${problems.length - maxListed} more settings are not valid.`);
  return all.some(({ isRefused }) => isRefused) ? exitCode.usage : exitCode.done;
}

const maxListed = 20;

const isBelow = (setting: ResolvedSetting, path: SettingPath): boolean =>
  path.every((name, index) => setting.path[index] === name);

function row(setting: ResolvedSetting): readonly TableCell[] {
  const { path, problem } = setting;
  const isQuiet = setting.origin === null || setting.origin === 'default';
  return [
    { text: printableText(path.join('.')) },
    {
      text: printableText(valueText(setting)),
      dim: isQuiet,
      ...(problem === null ? {} : { tone: 'attention' as const }),
    },
    { text: printableText(originText(setting)), dim: isQuiet },
  ];
}

function settingJson(setting: ResolvedSetting, value: unknown): SettingJson {
  const { path, description, origin, isOverridden, problem } = setting;
  return {
    name: path.join('.'),
    value,
    origin,
    outranked: isOverridden,
    hidden:
      description === null ||
      (description.hidden !== undefined && (description.hidden !== 'password' || value !== setting.value)),
    about: description?.about ?? null,
    problem,
  };
}

/** Returns 1 if the setting is not set. Throws a {@link UsageError} for the API key, which is never printed. */
function getSetting(request: ShowSettingsRequest & { readonly path: SettingPath }): ExitCode {
  const { context, source, file, path, json } = request;
  const setting = resolvedSetting(path, source);
  const { description, origin, value } = setting;
  if (description === null) return getObject(request);
  const name = path.join('.');
  const isSecret = description.hidden === 'key' || description.hidden === 'password';
  if (json) {
    printJson(context, { version: 1, ...settingJson(setting, isSecret ? shownValue(setting) : value) });
    return exitCode.done;
  }
  if (origin === null) {
    const instead = description.defaultText === undefined ? '' : ` The default is: ${description.defaultText}.`;
    printNote(context, `"${name}" is not set.${instead}`);
    return exitCode.failed;
  }
  if (description.hidden === 'key') {
    const place = origin === 'config.json' ? file : origin;
    throw new UsageError(`"${name}" is a secret and is not printed. It comes from ${place}.`);
  }
  const text = plainValue(isSecret ? shownValue(setting) : value);
  context.stdout.write(`${context.stdout.isTerminal ? printableText(text) : text}\n`);
  return exitCode.done;
}

function getObject({ context, source, path }: ShowSettingsRequest & { readonly path: SettingPath }): ExitCode {
  const object = emptyObject();
  for (const setting of resolvedSettings(source))
    if (isBelow(setting, path) && setting.origin !== null)
      setAtPath(object, setting.path.slice(path.length), setting.value);
  printJson(context, object);
  return exitCode.done;
}

/** Without a prototype, every name is a safe key. */
const emptyObject = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

function setAtPath(object: Record<string, unknown>, [name = '', ...deeper]: readonly string[], value: unknown): void {
  if (deeper.length === 0) {
    object[name] = value;
    return;
  }
  object[name] ??= emptyObject();
  setAtPath(object[name] as Record<string, unknown>, deeper, value);
}

/** Removes control characters only at a terminal, because other programs need the exact paths. */
export function runPaths(
  context: CommandContext,
  options: Pick<GlobalOptions, 'config'>,
  { json = false }: JsonOption,
): ExitCode {
  const paths = programPaths(context, options);
  if (json) {
    printJson<PathsJson>(context, { version: 1, ...paths });
    return exitCode.done;
  }
  const shown = context.stdout.isTerminal ? printableText : (path: string): string => path;
  context.stdout.write(
    Object.entries(paths)
      .map(([name, path]) => `${name}\t${shown(path)}\n`)
      .join(''),
  );
  return exitCode.done;
}
