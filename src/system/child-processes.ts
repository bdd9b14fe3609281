import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { type Clock, withTimeout } from '../lib/clock.ts';
import type { Environment } from './environment.ts';
import type { Child, ChildEnd, ChildRequest, StartChild, TerminalAccess } from './run-program.ts';
import {
  programFile,
  type UnstartableCommand,
  type WindowsCommand,
  windowsCommand,
  windowsVariable,
} from './windows-command.ts';

type ParentProcess = Pick<NodeJS.Process, 'kill' | 'platform'>;

interface ChildrenOptions {
  readonly parent: ParentProcess;
  readonly environment: Environment;
  readonly clock: Clock;
}

/** How long to read the remaining output after a child has ended, in milliseconds. */
const drainMs = 200;

export function createStartChild({ parent, environment, clock }: ChildrenOptions): StartChild {
  const childEnvironment = withoutSecrets(environment);
  return (request) => {
    const started = startProcess(request, childEnvironment, parent);
    if (started instanceof Error) {
      return { ended: Promise.resolve({ kind: 'not-started', error: started }), end: async () => {} };
    }
    return runningChild(started, request, { parent, environment: childEnvironment, clock });
  };
}

const secrets: ReadonlySet<string> = new Set(['PARCEL_MONITOR_API_KEY', 'PGPASSWORD']);

/**
 * Keeps the address of the store, without its password, for programs that call us. On Windows, names of variables are
 * not case-sensitive.
 */
function withoutSecrets(environment: Environment): Environment {
  const kept = Object.entries(environment).filter(([name]) => !secrets.has(name.toUpperCase()));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name.toUpperCase() === 'PARCEL_MONITOR_STORE' ? withoutPassword(value ?? '') : value,
    ]),
  );
}

const withoutPassword = (address: string): string => address.replace(/^((?:\s*[a-z+]*:\/\/)?[^:@]*):[^?]*@/is, '$1@');

/** Returns the child, or the error if it cannot be started. Node emits some of these errors and throws others. */
function startProcess(
  { command, input, onError, onOutput, terminal }: ChildRequest,
  environment: Environment,
  { platform }: ParentProcess,
): ChildProcess | NodeJS.ErrnoException {
  const [program] = command;
  const started =
    platform === 'win32' ? windowsCommand(command, { environment, isFile }) : unixCommand(command, environment);
  if ('code' in started) return Object.assign(new Error(`spawn ${program} ${started.code}`), started);
  try {
    return spawn(started.file, started.commandArguments, {
      env: terminal === 'hidden' ? { ...environment, GPG_TTY: '/dev/null' } : environment,
      // On Windows, it would become part of the verbatim command line.
      ...(platform === 'win32' ? {} : { argv0: program }),
      stdio: [input === null ? 'inherit' : 'pipe', ...outputStreams(onOutput, terminal, onError !== undefined)],
      // On Windows, a detached child gets a window of its own.
      detached: leadsGroup(terminal) && platform !== 'win32',
      // A program with a screen of its own needs a window.
      windowsHide: onOutput !== 'terminal',
      windowsVerbatimArguments: started.verbatim,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Skips relative folders in `PATH`, because the working directory may contain a planted program. */
function unixCommand(
  [program, ...commandArguments]: ChildRequest['command'],
  { PATH: path }: Environment,
): WindowsCommand | UnstartableCommand {
  const folders = path?.split(posix.delimiter) ?? [];
  const absolute = folders.filter((folder) => posix.isAbsolute(folder));
  if (program.includes('/') || absolute.length === folders.length)
    return { file: program, commandArguments, verbatim: false };
  const file = absolute.map((folder) => posix.join(folder, program)).find(isExecutable);
  return file === undefined ? { code: 'ENOENT' } : { file, commandArguments, verbatim: false };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    // It is missing, or this user cannot execute it.
    return false;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function outputStreams(
  onOutput: ChildRequest['onOutput'],
  terminal: TerminalAccess,
  readsErrors: boolean,
): readonly [1 | 2 | 'pipe' | 'ignore', 2 | 'pipe' | 'ignore'] {
  if (onOutput === null) return [2, 2];
  if (onOutput === 'terminal') return [1, 2];
  if (onOutput === 'dropped') return ['ignore', 'ignore'];
  return ['pipe', readsErrors ? 'pipe' : terminal === 'lent' ? 2 : 'ignore'];
}

function runningChild(
  child: ChildProcess,
  request: ChildRequest,
  { parent, environment, clock }: ChildrenOptions,
): Child {
  const family = parent.platform === 'win32' ? windowsFamily(child, environment) : unixFamily(child, request, parent);
  const exited = new Promise<ChildEnd>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve({ kind: 'not-started', error }));
    child.on('exit', (code, signal) =>
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal }),
    );
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const { onError, onOutput } = request;
  if (onError !== undefined) child.stderr?.on('data', (bytes: Buffer) => onError(bytes));
  if (typeof onOutput === 'function') child.stdout?.on('data', (bytes: Buffer) => onOutput(bytes));
  // Fails if the child does not read its input.
  child.stdin?.on('error', () => {});
  if (request.input !== null) child.stdin?.end(request.input);

  const readLastOutput = async (): Promise<ChildEnd> => {
    const end = await exited;
    if (end.kind !== 'not-started') await withTimeout(clock, drainMs, closed);
    // A background process may still hold the other end open.
    child.stdout?.destroy();
    child.stderr?.destroy();
    return end;
  };
  const end = async (graceMs: number): Promise<void> => {
    family.signal('SIGTERM');
    const isGone = exited.then(() => (family.isGone() ? undefined : new Promise<never>(() => {})));
    await withTimeout(clock, graceMs, isGone);
    family.signal('SIGKILL');
  };
  let ending: Promise<void> | null = null;
  return {
    ended: readLastOutput(),
    end: (graceMs) => {
      ending ??= end(graceMs);
      return ending;
    },
  };
}

const leadsGroup = (terminal: TerminalAccess): boolean => terminal === 'none' || terminal === 'hidden';

interface Family {
  signal(signal: NodeJS.Signals): void;
  isGone(): boolean;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

function unixFamily(child: ChildProcess, { terminal }: ChildRequest, parent: ParentProcess): Family {
  const { pid } = child;
  const members = new Set<number>();
  const send = (target: number, signal: NodeJS.Signals | 0): boolean => {
    try {
      return parent.kill(target, signal);
    } catch {
      // The process has ended, or its id now belongs to a process of a different user.
      return false;
    }
  };
  if (pid === undefined) return { signal: () => {}, isGone: () => true };
  if (leadsGroup(terminal)) {
    return { signal: (signal) => void send(-pid, signal), isGone: () => !send(-pid, 0) };
  }
  return {
    signal(signal) {
      // Descendants cannot be found any more once they are orphaned, so we remember them.
      if (!hasEnded(child)) for (const member of descendantsOf(pid)) members.add(member);
      child.kill(signal);
      for (const member of members) send(member, signal);
    },
    isGone: () => hasEnded(child) && ![...members].some((member) => send(member, 0)),
  };
}

/** Windows has no process groups or signals, and ending a batch file does not end the program that it runs. */
function windowsFamily(child: ChildProcess, environment: Environment): Family {
  const { pid } = child;
  return {
    signal(signal) {
      if (pid === undefined || hasEnded(child)) return;
      const words = ['/pid', String(pid), '/t', '/f'];
      // The full path, so that no other program with this name is run.
      const taskkill = `${windowsVariable(environment, 'SystemRoot') ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
      const ending = spawn(taskkill, words, { stdio: 'ignore', env: environment, windowsHide: true });
      ending.on('error', () => child.kill(signal));
    },
    isGone: () => hasEnded(child),
  };
}

function descendantsOf(pid: number): readonly number[] {
  const children = threadsOf(pid).flatMap((thread) => childrenOf(pid, thread));
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function childrenOf(pid: number, thread: string): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    // The process has ended, or this system has no /proc.
    return [];
  }
}

/**
 * Writes to a slow terminal from a separate process, which may outlive ours. Does nothing on Windows, where writes do
 * not block.
 */
export function writeToTerminalLater(text: string, { platform }: Pick<ParentProcess, 'platform'>): void {
  if (platform === 'win32') return;
  // The shell opens the terminal itself, because a shared descriptor would be blocking for both processes.
  const child = spawn('/bin/sh', ['-c', 'printf %s "$0" > /dev/tty', text], { env: {}, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

/** Returns the path at which the system would find a program, or null. Does not run it. */
export type FindProgram = (name: string) => Promise<string | null>;

interface FindProgramOptions {
  readonly environment: Environment;
  readonly platform: string;
}

export function createFindProgram({ environment, platform }: FindProgramOptions): FindProgram {
  if (platform === 'win32') return async (name) => programFile(name, { environment, isFile });
  const folders = (environment['PATH'] ?? '').split(posix.delimiter).filter((folder) => posix.isAbsolute(folder));
  return async (name) => folders.map((folder) => posix.join(folder, name)).find(isExecutable) ?? null;
}
