import type { ConfigJson, SettingJson } from '../board/json-schemas.ts';
import { printableText } from '../lib/clean-text.ts';
import { knownSettingPath, setSetting, unsetSettings } from '../settings/change-settings.ts';
import { configFileContent, type ProgramPaths } from '../settings/config-file.ts';
import type { GlobalOptions } from '../settings/configuration.ts';
import { refuseMore, UsageError } from '../settings/errors.ts';
import { foreignWriter } from '../settings/file-trust.ts';
import type { CommandContext } from '../settings/session/context.ts';
import { type Style, say, sessionPaths, styleOf } from '../settings/session/session.ts';
import { printTable, type TableCell } from '../settings/session/text-table.ts';
import { originText, plainValue, shownValue, valueText } from '../settings/setting-value.ts';
import {
  type SettingPath,
  type SettingsSource,
  type SettledSetting,
  settledSetting,
  settledSettings,
} from '../settings/settled-settings.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

export type ConfigAction = 'get' | 'set' | 'unset' | 'list' | 'schema' | 'edit';

export interface ConfigOptions {
  readonly json?: boolean;
}

/**
 * Works with a broken configuration, so that it can be corrected.
 * Throws a {@link UsageError} or a `StoreError`, and then changes nothing.
 */
export async function runConfig(
  context: CommandContext,
  globalOptions: GlobalOptions,
  { json = false }: ConfigOptions,
  [action = 'list', ...words]: readonly string[],
): Promise<ExitCode> {
  const paths = sessionPaths(context, globalOptions);
  const { config: file } = paths;
  const request = { context, file, options: globalOptions };
  if (json && action !== 'get' && action !== 'list')
    throw new UsageError(`--json belongs to "get" and "list", not to "${action}".`);
  switch (action) {
    case 'set': {
      const [name, ...value] = words;
      if (name === undefined)
        throw new UsageError({ what: 'Which setting?', advice: 'Write: parcel-monitor config set PATH VALUE' });
      const code = await setSetting(request, name, value);
      if (name === 'keepScreen') await heedKeepScreen(paths);
      return code;
    }
    case 'unset': {
      return await unsetSettings(request, words);
    }
    case 'schema': {
      refuseMore(`config ${action}`, words, 0);
      const { configSchemaText } = await import('../settings/change-config-file.ts');
      context.stdout.write(configSchemaText());
      return exitCode.done;
    }
    case 'edit': {
      refuseMore(`config ${action}`, words, 0);
      const { editConfigFile } = await import('../settings/edit-config-file.ts');
      const code = await editConfigFile(context, file);
      if (code === exitCode.done) await heedKeepScreen(paths);
      return code;
    }
    default: {
      refuseMore(`config ${action}`, words, 1);
      const path = words[0] === undefined ? null : knownSettingPath(words[0]);
      if (action === 'get' && path === null)
        throw new UsageError({ what: 'Which setting?', advice: 'Write: parcel-monitor config get PATH' });
      const source = { options: globalOptions, environment: context.environment, file: await configFileContent(file) };
      if (context.userId !== null) {
        // The file may be ignored because another user may have written it.
        const writer = await foreignWriter(file, context.userId);
        if (writer !== null) say(context, `${writer.found} ${writer.advice}`);
      }
      const shown = { context, style: styleOf(context, globalOptions), source, file, json };
      return action === 'get' && path !== null ? getSetting({ ...shown, path }) : listSettings({ ...shown, path });
    }
  }
}

/** Deletes the kept screen at once, not when a board is opened next. */
async function heedKeepScreen(paths: ProgramPaths): Promise<void> {
  const { keepScreen } = await configFileContent(paths.config);
  if (keepScreen !== false) return;
  const { forgetLastScreen } = await import('../settings/last-screen.ts');
  await forgetLastScreen(paths);
}

interface ShowSettingsRequest {
  readonly context: CommandContext;
  readonly style: Style;
  readonly source: SettingsSource;
  readonly file: string;
  readonly path: SettingPath | null;
  readonly json: boolean;
}

/** Hides secrets. Returns 2 when a setting in the file is wrong. */
function listSettings({ context, style, source, file, path, json }: ShowSettingsRequest): ExitCode {
  const all = settledSettings(source).filter((setting) => path === null || isBelow(setting, path));
  if (json) {
    const answer: ConfigJson = {
      version: 1,
      file,
      settings: all.map((setting) => settingJson(setting, shownValue(setting))),
    };
    context.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  } else {
    const columns = [
      { title: 'setting', yields: 0 },
      { title: 'value', yields: 1, most: 60 },
      { title: 'from', yields: 0 },
    ];
    printTable({ context, style }, { columns, rows: all.map(row) });
  }
  const problems = all.flatMap(({ problem }) => problem ?? []);
  const different = [...new Set(problems)];
  for (const problem of different.slice(0, mostSaid)) say(context, `${file}: ${problem}`);
  if (different.length > mostSaid) say(context, `${file}: ${different.length - mostSaid} more settings are not right.`);
  return problems.length > 0 ? exitCode.usage : exitCode.done;
}

const mostSaid = 20;

const isBelow = (setting: SettledSetting, path: SettingPath): boolean =>
  path.every((name, index) => setting.path[index] === name);

function row(setting: SettledSetting): readonly TableCell[] {
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

function settingJson(setting: SettledSetting, value: unknown): SettingJson {
  const { path, description, origin, isOutranked, problem } = setting;
  return {
    name: path.join('.'),
    value,
    origin,
    outranked: isOutranked,
    hidden:
      description === null ||
      (description.hidden !== undefined && (description.hidden !== 'password' || value !== setting.value)),
    about: description?.about ?? null,
    problem,
  };
}

/** Returns 1 when nothing is set. Throws a {@link UsageError} for the API key, which is never printed. */
function getSetting({
  context,
  source,
  file,
  path,
  json,
}: ShowSettingsRequest & { readonly path: SettingPath }): ExitCode {
  const setting = settledSetting(path, source);
  const { description, origin, value } = setting;
  if (description === null) return getObject({ context, source, path });
  const name = path.join('.');
  if (json) {
    const shown = isNeverPrinted(setting) ? shownValue(setting) : value;
    context.stdout.write(`${JSON.stringify({ version: 1, ...settingJson(setting, shown) }, null, 2)}\n`);
    return exitCode.done;
  }
  if (origin === null) {
    const instead = description.otherwise === undefined ? '' : `; what holds is: ${description.otherwise}`;
    say(context, `"${name}" is not set${instead}.`);
    return exitCode.failed;
  }
  if (description.hidden === 'key') {
    const where = origin === 'config.json' ? file : origin;
    throw new UsageError(`"${name}" is a secret and is not printed; it is set by ${where}.`);
  }
  const text = plainValue(description.hidden === 'password' ? shownValue(setting) : value);
  context.stdout.write(`${context.stdout.isTerminal ? printableText(text) : text}\n`);
  return exitCode.done;
}

/** A key or a password; who needs it has it from where it is set. */
const isNeverPrinted = ({ description }: SettledSetting): boolean =>
  description?.hidden === 'key' || description?.hidden === 'password';

function getObject({
  context,
  source,
  path,
}: Pick<ShowSettingsRequest, 'context' | 'source'> & { readonly path: SettingPath }): ExitCode {
  const below = settledSettings(source).filter((setting) => isBelow(setting, path) && setting.origin !== null);
  // Without a prototype, every name is safe.
  const object = emptyObject();
  for (const setting of below) put(object, setting.path.slice(path.length), setting.value);
  context.stdout.write(`${JSON.stringify(object, null, 2)}\n`);
  return exitCode.done;
}

const emptyObject = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

function put(object: Record<string, unknown>, [name, ...deeper]: readonly string[], value: unknown): void {
  if (name === undefined) return;
  if (deeper.length === 0) {
    object[name] = value;
    return;
  }
  object[name] ??= emptyObject();
  put(object[name] as Record<string, unknown>, deeper, value);
}
