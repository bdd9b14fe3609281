import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Clock, inTime } from '../lib/clock.ts';
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

/** What is left of its output is read for so long after a child has ended, in milliseconds. */
const lastOutputMs = 200;

export function createStartChild({ parent, environment, clock }: ChildrenOptions): StartChild {
  const childEnvironment = withoutSecrets(environment);
  return (request) => {
    const started = spawned(request, childEnvironment, parent);
    if (started instanceof Error) {
      return { ended: Promise.resolve({ kind: 'not-started', error: started }), end: async () => {} };
    }
    return living(started, request, { parent, environment: childEnvironment, clock });
  };
}

const secrets: ReadonlySet<string> = new Set(['PARCEL_MONITOR_API_KEY', 'PGPASSWORD']);

/** Names of variables have no case on Windows. A program of ours has to find the same store, but not the password in its address. */
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

/** Some reasons not to start come as an event, others are thrown. */
function spawned(
  { command, input, onOutput, terminal }: ChildRequest,
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
      // On Windows it would be the first word of a line that is given as it is, and may hold blanks.
      ...(platform === 'win32' ? {} : { argv0: program }),
      stdio: [input === null ? 'inherit' : 'pipe', ...outputOf(onOutput, terminal)],
      // On Windows, it would get a window of its own.
      detached: leadsGroup(terminal) && platform !== 'win32',
      // What has a screen of its own needs a window.
      windowsHide: onOutput !== 'terminal',
      windowsVerbatimArguments: started.verbatim,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Relative folders of `PATH` are passed over: anybody may have put a program into the working directory. */
function unixCommand(
  [program, ...commandArguments]: ChildRequest['command'],
  { PATH: path }: Environment,
): WindowsCommand | UnstartableCommand {
  const folders = path?.split(posix.delimiter) ?? [];
  const absolute = folders.filter((folder) => posix.isAbsolute(folder));
  if (program.includes('/') || absolute.length === folders.length)
    return { file: program, commandArguments, verbatim: false };
  const file = absolute.map((folder) => posix.join(folder, program)).find(mayBeRun);
  return file === undefined ? { code: 'ENOENT' } : { file, commandArguments, verbatim: false };
}

function mayBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    // Not there, or not to be run by this user: both mean the same here.
    return false;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function outputOf(
  onOutput: ChildRequest['onOutput'],
  terminal: TerminalAccess,
): readonly [1 | 2 | 'pipe' | 'ignore', 2 | 'ignore'] {
  if (onOutput === null) return [2, 2];
  if (onOutput === 'terminal') return [1, 2];
  return onOutput === 'dropped' ? ['ignore', 'ignore'] : ['pipe', terminal === 'lent' ? 2 : 'ignore'];
}

function living(child: ChildProcess, request: ChildRequest, { parent, environment, clock }: ChildrenOptions): Child {
  const family = parent.platform === 'win32' ? windowsFamilyOf(child, environment) : familyOf(child, request, parent);
  const exited = new Promise<ChildEnd>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve({ kind: 'not-started', error }));
    child.on('exit', (code, signal) =>
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal }),
    );
  });
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const { onOutput } = request;
  if (typeof onOutput === 'function') child.stdout?.on('data', (bytes: Buffer) => onOutput(bytes));
  // It need not read its input.
  child.stdin?.on('error', () => {});
  if (request.input !== null) child.stdin?.end(request.input);

  const readLastOutput = async (): Promise<ChildEnd> => {
    const end = await exited;
    if (end.kind !== 'not-started') await inTime(clock, lastOutputMs, closed);
    // What runs on in the background may hold the other end for as long as it likes.
    child.stdout?.destroy();
    return end;
  };
  const end = async (graceMs: number): Promise<void> => {
    family.signal('SIGTERM');
    const isGone = exited.then(() => (family.isGone() ? undefined : new Promise<never>(() => {})));
    await inTime(clock, graceMs, isGone);
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

function familyOf(child: ChildProcess, { terminal }: ChildRequest, parent: ParentProcess): Family {
  const { pid } = child;
  const members = new Set<number>();
  const send = (target: number, signal: NodeJS.Signals | 0): boolean => {
    try {
      return parent.kill(target, signal);
    } catch {
      // It has ended already, or has become somebody else whom we may not end.
      return false;
    }
  };
  if (pid === undefined) return { signal: () => {}, isGone: () => true };
  if (leadsGroup(terminal)) {
    return { signal: (signal) => void send(-pid, signal), isGone: () => !send(-pid, 0) };
  }
  return {
    signal(signal) {
      // A process without its parent is not found any more, so earlier ones are remembered.
      if (!hasEnded(child)) for (const member of descendantsOf(pid)) members.add(member);
      child.kill(signal);
      for (const member of members) send(member, signal);
    },
    isGone: () => hasEnded(child) && ![...members].some((member) => send(member, 0)),
  };
}

/** Windows knows neither groups nor signals, and ends a batch file without the program that it waits for. */
function windowsFamilyOf(child: ChildProcess, environment: Environment): Family {
  const { pid } = child;
  return {
    signal(signal) {
      if (pid === undefined || hasEnded(child)) return;
      const words = ['/pid', String(pid), '/t', '/f'];
      // Named in full, so that no other program of that name is run.
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
    // It has ended, or this system does not say.
    return [];
  }
}

/**
 * Has another process write to a slow terminal, even after ours has ended. Does nothing on Windows, where writes do not
 * wait.
 */
export function writeToTerminalLater(text: string, { platform }: Pick<ParentProcess, 'platform'>): void {
  if (platform === 'win32') return;
  // It opens the terminal itself: a descriptor that it got from us would be made to wait for it, and ours with it.
  const child = spawn('/bin/sh', ['-c', 'printf %s "$0" > /dev/tty', text], { env: {}, stdio: 'ignore' });
  child.on('error', () => {
    // The terminal takes nothing: there is no way left to report it.
  });
  child.unref();
}

/** Finds a program where the system would; returns its path, null when it is not there. Does not run it. */
export type FindProgram = (name: string) => Promise<string | null>;

interface FindProgramOptions {
  readonly environment: Environment;
  readonly platform: string;
}

export function createFindProgram({ environment, platform }: FindProgramOptions): FindProgram {
  if (platform === 'win32') return async (name) => programFile(name, { environment, isFile });
  const folders = (environment['PATH'] ?? '').split(posix.delimiter).filter((folder) => posix.isAbsolute(folder));
  return async (name) => {
    for (const folder of folders) {
      const candidate = posix.join(folder, name);
      if (await isProgram(candidate)) return candidate;
    }
    return null;
  };
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not to be run by this user: both mean the same here.
    return false;
  }
}
