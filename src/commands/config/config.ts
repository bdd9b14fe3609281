import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { foreignWriter } from '../configuration/file-trust.ts';
import type { ProgramPaths } from '../configuration/paths.ts';
import type { CommandContext } from '../session/context.ts';
import { refuseMore, UsageError } from '../session/errors.ts';
import { say, sessionPaths, styleOf } from '../session/session.ts';
import { setSetting, unsetSettings } from './change-settings.ts';
import { configFileContent } from './config-file-content.ts';
import { knownSettingPath } from './setting-path.ts';

/** What is done to settings. */
export type ConfigAction = 'get' | 'set' | 'unset' | 'list' | 'schema' | 'edit';

/** Options of `config`. */
export interface ConfigOptions {
  readonly json?: boolean;
}

/**
 * Prints or changes settings of `config.json`. Works whatever that holds, so that it can be mended. Rejects with a
 * {@link UsageError} and with a `StoreError`, and has changed nothing then.
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
      if (name === undefined) throw new UsageError('Which setting? Write: parcel-monitor config set PATH VALUE');
      const code = await setSetting(request, name, value);
      if (name === 'keepScreen') await heedKeepScreen(paths);
      return code;
    }
    case 'unset': {
      return await unsetSettings(request, words);
    }
    case 'schema': {
      refuseMore(`config ${action}`, words, 0);
      const { configSchemaText } = await import('../configuration/schema-copy.ts');
      context.stdout.write(await configSchemaText());
      return exitCode.done;
    }
    case 'edit': {
      refuseMore(`config ${action}`, words, 0);
      const { editConfigFile } = await import('./edit-config-file.ts');
      const code = await editConfigFile(context, file);
      if (code === exitCode.done) await heedKeepScreen(paths);
      return code;
    }
    default: {
      refuseMore(`config ${action}`, words, 1);
      const { getSetting, listSettings } = await import('./show-settings.ts');
      const path = words[0] === undefined ? null : knownSettingPath(words[0]);
      if (action === 'get' && path === null)
        throw new UsageError('Which setting? Write: parcel-monitor config get PATH');
      const source = { options: globalOptions, environment: context.environment, file: await configFileContent(file) };
      if (context.userId !== null) {
        // What is listed may not be used: somebody else may have written it.
        const writer = await foreignWriter(file, context.userId);
        if (writer !== null) say(context, `${writer.found} ${writer.advice}`);
      }
      const shown = { context, style: styleOf(context, globalOptions), source, file, json };
      return action === 'get' && path !== null ? getSetting({ ...shown, path }) : listSettings({ ...shown, path });
    }
  }
}

/** Who does not want the screen kept expects it to be gone now, and not when a board is opened. */
async function heedKeepScreen(paths: ProgramPaths): Promise<void> {
  const { keepScreen } = await configFileContent(paths.config);
  if (keepScreen !== false) return;
  const { forgetLastScreen } = await import('../board/last-screen.ts');
  await forgetLastScreen(paths);
}
