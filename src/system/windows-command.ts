import { win32 } from 'node:path';
import type { Environment } from './environment.ts';

export interface ResolvedCommand {
  readonly file: string;
  readonly commandArguments: readonly string[];
  readonly verbatim: boolean;
}

export interface UnstartableCommand {
  readonly code: 'ENOENT' | 'EINVAL';
}

interface WindowsMachine {
  readonly environment: Environment;
  readonly isFile: (path: string) => boolean;
}

const startableExtensions: ReadonlySet<string> = new Set(['.com', '.exe', '.bat', '.cmd']);

/**
 * Looks for a program in `PATH`, using `PATHEXT`, but never in the working directory. Batch files are run by `cmd.exe`,
 * with quoted arguments.
 */
export function resolveWindowsCommand(
  [program, ...programArguments]: readonly [string, ...string[]],
  machine: WindowsMachine,
): ResolvedCommand | UnstartableCommand {
  const file = findProgramFile(program, machine);
  if (file === null) return { code: 'ENOENT' };
  if (!/\.(?:bat|cmd)$/i.test(file)) return { file, commandArguments: programArguments, verbatim: false };
  // A line break would start a second command.
  if ([file, ...programArguments].some((text) => /[\0\r\n]/.test(text)) || file.includes('"'))
    return { code: 'EINVAL' };
  const line = [`"${file}"`, ...programArguments.map(batchArgument)].join(' ');
  return {
    file: windowsVariable(machine.environment, 'ComSpec') ?? 'C:\\Windows\\System32\\cmd.exe',
    // Enables extensions for the substring syntax below; disables delayed expansion, which interprets "!", and AutoRun.
    commandArguments: ['/e:ON', '/v:OFF', '/d', '/c', `"${line}"`],
    verbatim: true,
  };
}

export function findProgramFile(program: string, machine: WindowsMachine): string | null {
  const folders = /[\\/]/.test(program) ? [''] : searchPath(machine.environment);
  const extensions = startableExtensions.has(win32.extname(program).toLowerCase())
    ? ['']
    : executableExtensions(machine.environment);
  const paths = folders.flatMap((folder) =>
    extensions.map((extension) => (folder === '' ? program : win32.join(folder, program)) + extension),
  );
  return paths.find(machine.isFile) ?? null;
}

function searchPath(environment: Environment): readonly string[] {
  return (windowsVariable(environment, 'PATH') ?? '')
    .split(';')
    .map((folder) => folder.replaceAll('"', '').trim())
    .filter((folder) => win32.isAbsolute(folder));
}

function executableExtensions(environment: Environment): readonly string[] {
  return (windowsVariable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .toLowerCase()
    .split(';')
    .filter((extension) => startableExtensions.has(extension));
}

export function windowsVariable(environment: Environment, name: string): string | undefined {
  const key = Object.keys(environment).find((variable) => variable.toUpperCase() === name.toUpperCase());
  const value = key === undefined ? undefined : environment[key];
  return value === '' ? undefined : value;
}

/**
 * Quotes an argument so that cmd.exe interprets nothing, as Rust's standard library does: quotes are doubled, and an
 * empty substring is inserted at every `%`.
 */
function batchArgument(argument: string): string {
  const isPlain = /^[\w#$*+\-./:?@\\\u00a0-\uffff]+$/.test(argument) && !argument.endsWith('\\');
  const escaped = argument.replaceAll(/(\\*)"/g, '$1$1""').replaceAll('%', '%%cd:~,%');
  return isPlain ? escaped : `"${escaped.replace(/\\+$/, '$&$&')}"`;
}
