import { basename, dirname, isAbsolute, join } from 'node:path';
import { didYouMean } from '../../lib/text.ts';
import type { GlobalOptions } from '../../settings/configuration.ts';
import { UnavailableError, UsageError } from '../../settings/errors.ts';
import type { CommandContext } from '../../settings/session/context.ts';
import { say, sessionPaths } from '../../settings/session/session.ts';
import { makeFolder } from '../../store/file/folders.ts';
import { nonEmpty } from '../../system/environment.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import { writeOutputFile } from '../output-file.ts';
import { completionScripts } from './completion-script.ts';
import { type Shell, shells } from './expected-words.ts';

/** Throws a `UsageError` for an unknown shell. */
export function shellNamed(name: string | undefined): Shell {
  const known = shells.find((shell) => shell === name);
  if (known !== undefined) return known;
  throw new UsageError(`Which shell? Use: ${shells.join(', ')}.${didYouMean(name ?? '', shells)}`);
}

/** Writes the script to the place where the shell looks for it. Start-up files are not changed. */
export async function installCompletion(
  context: CommandContext,
  globals: Pick<GlobalOptions, 'config'>,
  name: string | undefined,
): Promise<ExitCode> {
  const shell = shellNamed(name ?? loginShell(context));
  const { path, nextSteps } = scriptPlace(shell, context);
  await makeFolder(dirname(path));
  await writeOutputFile(path, completionScripts[shell], { context, paths: sessionPaths(context, globals) });
  context.stdout.write(`${path}\n`);
  say(context, nextSteps);
  return exitCode.done;
}

function loginShell({ environment, platform }: CommandContext): string | undefined {
  const shell = nonEmpty(environment['SHELL']);
  return shell === undefined ? (platform === 'win32' ? 'powershell' : undefined) : basename(shell);
}

function scriptPlace(
  shell: Shell,
  { environment, homeDirectory, platform }: CommandContext,
): { readonly path: string; readonly nextSteps: string } {
  if (homeDirectory === null) throw new UnavailableError('The home folder is unknown. Set HOME and try again.');
  const folder = (variable: string, fallback: readonly string[]): string => {
    const named = nonEmpty(environment[variable]);
    return named !== undefined && isAbsolute(named) ? named : join(homeDirectory, ...fallback);
  };
  const config = (): string => folder('XDG_CONFIG_HOME', ['.config']);
  const next = 'Open a new shell to use it.';
  switch (shell) {
    case 'bash':
      return {
        path: join(folder('XDG_DATA_HOME', ['.local', 'share']), 'bash-completion', 'completions', 'parcel-monitor'),
        nextSteps: `${next} This requires the package bash-completion.`,
      };
    case 'zsh':
      return {
        path: join(homeDirectory, '.zfunc', '_parcel-monitor'),
        nextSteps:
          'Make sure that ~/.zshrc contains "fpath=(~/.zfunc $fpath)" above "compinit". Then open a new shell.',
      };
    case 'fish':
      return { path: join(config(), 'fish', 'completions', 'parcel-monitor.fish'), nextSteps: next };
    case 'powershell': {
      const place =
        platform === 'win32' ? join(homeDirectory, 'Documents', 'PowerShell') : join(config(), 'powershell');
      const path = join(place, 'parcel-monitor.ps1');
      return { path, nextSteps: `Add this line to your $PROFILE file, then open a new shell: . '${path}'` };
    }
  }
}
