import type { ConfigJson, SettingJson } from '../board/json-schemas.ts';
import { printableText } from '../lib/clean-text.ts';
import { printTable, type TableCell } from '../lib/table.ts';
import { configSchemaText } from '../settings/change-config-file.ts';
import { editConfigFile, knownSettingPath, setSetting, unsetSettings } from '../settings/change-settings.ts';
import { configFileContent, type ProgramPaths, programPaths } from '../settings/config-file.ts';
import type { GlobalOptions } from '../settings/configuration.ts';
import { assertNoMoreArguments, MissingArgumentError, UsageError } from '../settings/errors.ts';
import { foreignWriter } from '../settings/file-trust.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { printJson, printNote, type Style, styleOf } from '../settings/session/output.ts';
import {
  originText,
  plainValue,
  type ResolvedSetting,
  redactedValue,
  resolvedSetting,
  resolvedSettings,
  type SettingPath,
  type SettingsSource,
  valueText,
} from '../settings/setting-values.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import { removeSavedScreen } from './board/start.ts';
import type { PathsJson } from './published-schemas.ts';
import type { JsonOption } from './results.ts';

export type ConfigAction = 'get' | 'set' | 'unset' | 'list' | 'schema' | 'edit';

/** Also works with a broken configuration. Throws a {@link UsageError} or a `StoreError` if a change failed. */
export async function runConfig(
  context: CommandContext,
  options: GlobalOptions,
  { json = false }: JsonOption,
  [action = 'list', ...args]: readonly string[],
): Promise<ExitCode> {
  const paths = programPaths(context, options);
  const { config: file } = paths;
  const [name, ...value] = args;
  if (json && action !== 'get' && action !== 'list')
    throw new UsageError(`--json works with "get" and "list", not with "${action}".`);
  if (name === undefined && (action === 'get' || action === 'set')) {
    const advice = `Run: parcel-monitor config ${action} PATH${action === 'set' ? ' VALUE' : ''}`;
    throw new MissingArgumentError({ what: 'No setting given.', advice });
  }
  switch (action) {
    case 'set':
      await setSetting({ context, file, options }, name ?? '', value);
      if (name === 'keepScreen') await applyKeepScreen(paths);
      return exitCode.done;
    case 'unset':
      await unsetSettings({ context, file, options }, args);
      return exitCode.done;
    case 'schema':
      assertNoMoreArguments('config schema', args, 0);
      context.stdout.write(configSchemaText());
      return exitCode.done;
    case 'edit': {
      assertNoMoreArguments('config edit', args, 0);
      const code = await editConfigFile(context, file);
      if (code === exitCode.done) await applyKeepScreen(paths);
      return code;
    }
    default: {
      assertNoMoreArguments(`config ${action}`, args, 1);
      const path = name === undefined ? null : knownSettingPath(name);
      const source = { options, environment: context.environment, file: await configFileContent(file) };
      // If other users can change the file, some of its settings may be ignored.
      const writer = context.userId === null ? null : await foreignWriter(file, context.userId);
      if (writer !== null) printNote(context, `${writer.found} ${writer.advice}`);
      const request = { context, style: styleOf(context, options), source, file, json };
      return action === 'get' && path !== null ? getSetting({ ...request, path }) : listSettings({ ...request, path });
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

/** Hides secrets. Returns 2 if a setting would keep commands from starting; other invalid settings are ignored. */
function listSettings({ context, style, source, file, path, json }: ShowSettingsRequest): ExitCode {
  const all = resolvedSettings(source).filter((setting) => path === null || isBelow(setting, path));
  if (json) {
    const settings = all.map((setting) => settingJson(setting, redactedValue(setting)));
    printJson<ConfigJson>(context, { version: 1, file, settings });
  } else {
    const columns = [
      { title: 'setting', yields: 0 },
      { title: 'value', yields: 1 },
      { title: 'from', yields: 0 },
    ];
    printTable({ context, style }, { columns, rows: all.map(settingRow) });
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

function settingRow(setting: ResolvedSetting): readonly TableCell[] {
  const { path, problem } = setting;
  const isDefault = setting.origin === null || setting.origin === 'default';
  return [
    { text: printableText(path.join('.')) },
    {
      text: printableText(valueText(setting)),
      dim: isDefault,
      ...(problem === null ? {} : { tone: 'attention' as const }),
    },
    { text: printableText(originText(setting)), dim: isDefault },
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
    printJson(context, { version: 1, ...settingJson(setting, isSecret ? redactedValue(setting) : value) });
    return exitCode.done;
  }
  if (origin === null) {
    const defaultHint = description.defaultText === undefined ? '' : ` The default is: ${description.defaultText}.`;
    printNote(context, `"${name}" is not set.${defaultHint}`);
    return exitCode.failed;
  }
  if (description.hidden === 'key') {
    const place = origin === 'config.json' ? file : origin;
    throw new UsageError(`"${name}" is a secret and is not printed. It comes from ${place}.`);
  }
  const text = plainValue(isSecret ? redactedValue(setting) : value);
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

function setAtPath(object: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    object[name] = value;
    return;
  }
  object[name] ??= emptyObject();
  setAtPath(object[name] as Record<string, unknown>, rest, value);
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
  const formatPath = context.stdout.isTerminal ? printableText : (path: string): string => path;
  context.stdout.write(
    Object.entries(paths)
      .map(([name, path]) => `${name}\t${formatPath(path)}\n`)
      .join(''),
  );
  return exitCode.done;
}
