import { win32 } from 'node:path';
import type { Environment } from './environment.ts';

/** What Windows is to start: a file, and its arguments, which are put behind it as they are where they are `verbatim`. */
export interface WindowsCommand {
  readonly file: string;
  readonly commandArguments: readonly string[];
  readonly verbatim: boolean;
}

/** Why a command cannot be started. */
export interface UnstartableCommand {
  /** `ENOENT`: there is no such program; `EINVAL`: it is a batch file, and an argument cannot be given to one. */
  readonly code: 'ENOENT' | 'EINVAL';
}

/** What is known of the machine. */
interface WindowsMachine {
  readonly environment: Environment;
  /** Whether there is a file of this path. */
  readonly isFile: (path: string) => boolean;
}

/** What Windows starts as a process; scripts of other kinds need a program that is named with them. */
const startable: ReadonlySet<string> = new Set(['.com', '.exe', '.bat', '.cmd']);

/**
 * How Windows starts a command without giving a shell anything to interpret. A name is looked for where `PATH` says, with
 * the endings of `PATHEXT`, and not in the working directory, where anybody may have put a file of that name. Batch files
 * (`.cmd`, `.bat`), as which npm installs programs, can be run by `cmd.exe` only: their arguments are quoted so that it
 * takes none of them for more than a text.
 */
export function windowsCommand(
  [program, ...programArguments]: readonly [string, ...string[]],
  machine: WindowsMachine,
): WindowsCommand | UnstartableCommand {
  const file = programFile(program, machine);
  if (file === null) return { code: 'ENOENT' };
  if (!/\.(?:bat|cmd)$/i.test(file)) return { file, commandArguments: programArguments, verbatim: false };
  // They end a line of a batch file's, and what follows would be another command.
  if ([file, ...programArguments].some((text) => /[\0\r\n]/.test(text)) || file.includes('"'))
    return { code: 'EINVAL' };
  const line = [`"${file}"`, ...programArguments.map(batchArgument)].join(' ');
  return {
    file: windowsVariable(machine.environment, 'ComSpec') ?? 'C:\\Windows\\System32\\cmd.exe',
    // Extensions on, for the substring of a variable below; delayed expansion off, or "!" would expand; no AutoRun.
    commandArguments: ['/e:ON', '/v:OFF', '/d', '/c', `"${line}"`],
    verbatim: true,
  };
}

/** Where a program is; null for nowhere. */
export function programFile(program: string, machine: WindowsMachine): string | null {
  const folders = /[\\/]/.test(program) ? [''] : searchedFolders(machine.environment);
  const endings = startable.has(win32.extname(program).toLowerCase()) ? [''] : usualEndings(machine.environment);
  const paths = folders.flatMap((folder) =>
    endings.map((ending) => (folder === '' ? program : win32.join(folder, program)) + ending),
  );
  return paths.find(machine.isFile) ?? null;
}

/** Relative ones would depend on the working directory. */
function searchedFolders(environment: Environment): readonly string[] {
  return (windowsVariable(environment, 'PATH') ?? '')
    .split(';')
    .map((folder) => folder.replaceAll('"', '').trim())
    .filter((folder) => win32.isAbsolute(folder));
}

function usualEndings(environment: Environment): readonly string[] {
  return (windowsVariable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .toLowerCase()
    .split(';')
    .filter((ending) => startable.has(ending));
}

/** What a variable says, whose name has no case on Windows; undefined where it says nothing. */
export function windowsVariable(environment: Environment, name: string): string | undefined {
  const key = Object.keys(environment).find((one) => one.toUpperCase() === name.toUpperCase());
  const value = key === undefined ? undefined : environment[key];
  return value === '' ? undefined : value;
}

/**
 * An argument of a batch file, as cmd.exe leaves it alone: what is not known to be harmless stands in quotes, a quote is
 * doubled, and every `%` stands behind a variable's empty substring, so that it never begins the name of a variable. The same as
 * Rust's standard library does.
 */
function batchArgument(argument: string): string {
  const isPlain = /^[\w#$*+\-./:?@\\\u00a0-\uffff]+$/.test(argument) && !argument.endsWith('\\');
  const escaped = argument.replaceAll(/(\\*)"/g, '$1$1""').replaceAll('%', '%%cd:~,%');
  return isPlain ? escaped : `"${escaped.replace(/\\+$/, '$&$&')}"`;
}
