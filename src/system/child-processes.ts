import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { type Clock, withTimeout } from '../lib/clock.ts';
import type { Environment } from './environment.ts';
import type { Child, ChildEnd, ChildRequest, StartChild, TerminalAccess } from './run-program.ts';
import {
  findProgramFile,
  type ResolvedCommand,
  resolveWindowsCommand,
  type UnstartableCommand,
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
    const child = startProcess(request, childEnvironment, parent);
    if (child instanceof Error) {
      return { ended: Promise.resolve({ kind: 'not-started', error: child }), end: async () => {} };
    }
    return superviseChild(child, request, { parent, environment: childEnvironment, clock });
  };
}

const secrets: ReadonlySet<string> = new Set(['PARCEL_MONITOR_API_KEY', 'PGPASSWORD']);

/**
 * Keeps the store's address, without its password, for child processes that run this program. On Windows, the names of
 * variables are not case-sensitive.
 */
function withoutSecrets(environment: Environment): Environment {
  const entries = Object.entries(environment).filter(([name]) => !secrets.has(name.toUpperCase()));
  return Object.fromEntries(
    entries.map(([name, value]) => [
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
  const resolved =
    platform === 'win32'
      ? resolveWindowsCommand(command, { environment, isFile })
      : resolveUnixCommand(command, environment);
  if ('code' in resolved) return Object.assign(new Error(`spawn ${program} ${resolved.code}`), resolved);
  try {
    return spawn(resolved.file, resolved.commandArguments, {
      env: terminal === 'hidden' ? { ...environment, GPG_TTY: '/dev/null' } : environment,
      // On Windows, `argv0` would become part of the verbatim command line.
      ...(platform === 'win32' ? {} : { argv0: program }),
      stdio: [input === null ? 'inherit' : 'pipe', ...outputStreams(onOutput, terminal, onError !== undefined)],
      // On Windows, a detached child gets a window of its own.
      detached: leadsGroup(terminal) && platform !== 'win32',
      // A program that shows a screen of its own needs a visible window.
      windowsHide: onOutput !== 'terminal',
      windowsVerbatimArguments: resolved.verbatim,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Skips relative folders in `PATH`, because the working directory may contain a planted program. */
function resolveUnixCommand(
  [program, ...commandArguments]: ChildRequest['command'],
  { PATH: path }: Environment,
): ResolvedCommand | UnstartableCommand {
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
  if (onOutput === 'discarded') return ['ignore', 'ignore'];
  return ['pipe', readsErrors ? 'pipe' : terminal === 'lent' ? 2 : 'ignore'];
}

function superviseChild(
  child: ChildProcess,
  request: ChildRequest,
  { parent, environment, clock }: ChildrenOptions,
): Child {
  const tree =
    parent.platform === 'win32' ? createWindowsTree(child, environment) : createUnixTree(child, request, parent);
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
    tree.signal('SIGTERM');
    const treeEnded = exited.then(() => (tree.hasEnded() ? undefined : new Promise<never>(() => {})));
    await withTimeout(clock, graceMs, treeEnded);
    tree.signal('SIGKILL');
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

/** A child and its descendants. */
interface ProcessTree {
  signal(signal: NodeJS.Signals): void;
  hasEnded(): boolean;
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

function createUnixTree(child: ChildProcess, { terminal }: ChildRequest, parent: ParentProcess): ProcessTree {
  const { pid } = child;
  const descendants = new Set<number>();
  const send = (target: number, signal: NodeJS.Signals | 0): boolean => {
    try {
      return parent.kill(target, signal);
    } catch {
      // The process has ended, or its id now belongs to another user's process.
      return false;
    }
  };
  if (pid === undefined) return { signal: () => {}, hasEnded: () => true };
  if (leadsGroup(terminal)) {
    return { signal: (signal) => void send(-pid, signal), hasEnded: () => !send(-pid, 0) };
  }
  return {
    signal(signal) {
      // Descendants are remembered, because they cannot be found once they are orphaned.
      if (!hasExited(child)) for (const descendant of findDescendants(pid)) descendants.add(descendant);
      child.kill(signal);
      for (const descendant of descendants) send(descendant, signal);
    },
    hasEnded: () => hasExited(child) && ![...descendants].some((descendant) => send(descendant, 0)),
  };
}

/** Windows has no process groups or signals, and ending a batch file does not end the program that it runs. */
function createWindowsTree(child: ChildProcess, environment: Environment): ProcessTree {
  const { pid } = child;
  return {
    signal(signal) {
      if (pid === undefined || hasExited(child)) return;
      const taskkillArguments = ['/pid', String(pid), '/t', '/f'];
      // The full path prevents a different program with this name from being run.
      const taskkill = `${windowsVariable(environment, 'SystemRoot') ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
      const killer = spawn(taskkill, taskkillArguments, { stdio: 'ignore', env: environment, windowsHide: true });
      killer.on('error', () => child.kill(signal));
    },
    hasEnded: () => hasExited(child),
  };
}

function findDescendants(pid: number): readonly number[] {
  const children = listThreads(pid).flatMap((thread) => listChildren(pid, thread));
  return children.flatMap((child) => [child, ...findDescendants(child)]);
}

function listThreads(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function listChildren(pid: number, thread: string): readonly number[] {
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
  if (platform === 'win32') return async (name) => findProgramFile(name, { environment, isFile });
  const folders = (environment['PATH'] ?? '').split(posix.delimiter).filter((folder) => posix.isAbsolute(folder));
  return async (name) => folders.map((folder) => posix.join(folder, name)).find(isExecutable) ?? null;
}
