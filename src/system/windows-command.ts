import { win32 } from 'node:path';
import type { Environment } from './environment.ts';

export interface WindowsCommand {
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

const startable: ReadonlySet<string> = new Set(['.com', '.exe', '.bat', '.cmd']);

/**
 * Looks for a program in `PATH` with `PATHEXT`, never in the working directory. Batch files run through `cmd.exe` with
 * quoted arguments.
 */
export function windowsCommand(
  [program, ...programArguments]: readonly [string, ...string[]],
  machine: WindowsMachine,
): WindowsCommand | UnstartableCommand {
  const file = programFile(program, machine);
  if (file === null) return { code: 'ENOENT' };
  if (!/\.(?:bat|cmd)$/i.test(file)) return { file, commandArguments: programArguments, verbatim: false };
  // A line break would start another command.
  if ([file, ...programArguments].some((text) => /[\0\r\n]/.test(text)) || file.includes('"'))
    return { code: 'EINVAL' };
  const line = [`"${file}"`, ...programArguments.map(batchArgument)].join(' ');
  return {
    file: windowsVariable(machine.environment, 'ComSpec') ?? 'C:\\Windows\\System32\\cmd.exe',
    // Extensions on for the substring below, delayed expansion off because of "!", no AutoRun.
    commandArguments: ['/e:ON', '/v:OFF', '/d', '/c', `"${line}"`],
    verbatim: true,
  };
}

export function programFile(program: string, machine: WindowsMachine): string | null {
  const folders = /[\\/]/.test(program) ? [''] : searchedFolders(machine.environment);
  const endings = startable.has(win32.extname(program).toLowerCase())
    ? ['']
    : executableExtensions(machine.environment);
  const paths = folders.flatMap((folder) =>
    endings.map((ending) => (folder === '' ? program : win32.join(folder, program)) + ending),
  );
  return paths.find(machine.isFile) ?? null;
}

function searchedFolders(environment: Environment): readonly string[] {
  return (windowsVariable(environment, 'PATH') ?? '')
    .split(';')
    .map((folder) => folder.replaceAll('"', '').trim())
    .filter((folder) => win32.isAbsolute(folder));
}

function executableExtensions(environment: Environment): readonly string[] {
  return (windowsVariable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .toLowerCase()
    .split(';')
    .filter((ending) => startable.has(ending));
}

export function windowsVariable(environment: Environment, name: string): string | undefined {
  const key = Object.keys(environment).find((one) => one.toUpperCase() === name.toUpperCase());
  const value = key === undefined ? undefined : environment[key];
  return value === '' ? undefined : value;
}

/**
 * Quotes like Rust's standard library, so that cmd.exe interprets nothing: quotes are doubled, and every `%` follows an
 * empty substring.
 */
function batchArgument(argument: string): string {
  const isPlain = /^[\w#$*+\-./:?@\\\u00a0-\uffff]+$/.test(argument) && !argument.endsWith('\\');
  const escaped = argument.replaceAll(/(\\*)"/g, '$1$1""').replaceAll('%', '%%cd:~,%');
  return isPlain ? escaped : `"${escaped.replace(/\\+$/, '$&$&')}"`;
}
