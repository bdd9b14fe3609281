import { type ChildProcess, spawn } from 'node:child_process';
import type { CancelTimer, Clock } from '../service/clock.ts';
import { createSerialQueue } from '../watchlist/serial-queue.ts';
import type { Environment } from './context.ts';

/** Hands changes to a command of the user's. */
export interface ChangeHook {
  /** Runs the command with this text on its standard input, after those before have ended. */
  push(input: string): void;
  /** Resolves when the command has ended for all of them. */
  whenDone(): Promise<void>;
}

/** What a hook runs on. */
export interface ChangeHookOptions {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]];
  readonly environment: Environment;
  readonly clock: Clock;
  /** Told how a run failed, in a sentence. */
  readonly tell: (sentence: string) => void;
  /** Ends the command under way and runs no further one. */
  readonly signal: AbortSignal;
}

/** How long a run may take, in milliseconds. */
export const hookLimitMs = 30_000;
/** How long a command may take to end when it is asked to, in milliseconds. */
const graceMs = 2_000;

/**
 * Makes a hook: one run at a time, in the order of the changes, each of them ended after 30 s. What the command prints
 * goes to standard error. A run that fails is told and stops nothing.
 */
export function createChangeHook(options: ChangeHookOptions): ChangeHook {
  const { command, signal, tell } = options;
  const queue = createSerialQueue();
  let last: Promise<void> = Promise.resolve();
  let dropped = 0;
  const runNext = async (input: string): Promise<void> => {
    if (signal.aborted) {
      dropped += 1;
      return;
    }
    const failure = await run(options, input);
    if (failure !== null && !signal.aborted) tell(`The command ${command[0]} ${failure}.`);
  };
  return {
    push(input) {
      last = queue.run(() => runNext(input));
    },
    async whenDone() {
      await last;
      if (dropped > 0) tell(`Interrupted before the command ${command[0]} was told of ${dropped} more changes.`);
    },
  };
}

/** Runs the command once; answers how it failed, null when it did not. */
function run({ command, environment, clock, signal }: ChangeHookOptions, input: string): Promise<string | null> {
  const [program, ...programArguments] = command;
  return new Promise((resolve) => {
    const child = spawn(program, programArguments, {
      env: { ...environment },
      stdio: ['pipe', 2, 2],
      windowsHide: true,
    });
    let isLate = false;
    const end = createEnd(child, clock);
    const cancelLimit = clock.setTimer(hookLimitMs, () => {
      isLate = true;
      end.ask();
    });
    const finish = (failure: string | null): void => {
      cancelLimit();
      end.cancel();
      signal.removeEventListener('abort', end.ask);
      resolve(failure);
    };
    signal.addEventListener('abort', end.ask, { once: true });
    child.on('error', (error: NodeJS.ErrnoException) => finish(startFailure(error)));
    child.on('exit', (code, killedBy) =>
      finish(isLate ? 'took more than 30 s and was ended' : exitFailure(code, killedBy)),
    );
    // A command need not read what it is told.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Ends a process: first asked, then forced. */
function createEnd(child: ChildProcess, clock: Clock): { readonly ask: () => void; readonly cancel: () => void } {
  let cancelForce: CancelTimer = () => {};
  return {
    ask() {
      child.kill('SIGTERM');
      cancelForce();
      cancelForce = clock.setTimer(graceMs, () => child.kill('SIGKILL'));
    },
    cancel: () => cancelForce(),
  };
}

function startFailure({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'was not found';
  if (code === 'EACCES') return 'may not be run';
  return `could not be started (${code ?? message})`;
}

function exitFailure(code: number | null, killedBy: NodeJS.Signals | null): string | null {
  if (code === 0) return null;
  return killedBy === null ? `ended with code ${code}` : `was ended by ${killedBy}`;
}
