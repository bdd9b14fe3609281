import { orAborted } from '../lib/async.ts';
import { printableText } from '../lib/clean-text.ts';
import { type Clock, withTimeout } from '../lib/clock.ts';
import { NamedError, systemText } from '../lib/error-text.ts';
import type { Terminal } from './terminal.ts';

export interface ChildRequest {
  readonly command: readonly [string, ...string[]];
  readonly input: string | Uint8Array | null;
  /**
   * Where output goes. A function receives standard output, and standard error is discarded. Null: both go to our
   * standard error. `discarded`: nowhere, for a program that may outlive us. `terminal`: each goes to our own stream,
   * for a program with a screen of its own.
   */
  readonly onOutput: ((bytes: Uint8Array) => void) | 'discarded' | 'terminal' | null;
  /** Receives standard error, if `onOutput` is a function. */
  readonly onError?: (bytes: Uint8Array) => void;
  readonly terminal: TerminalAccess;
}

/**
 * How a child may use the terminal. `shared`: it can ask for a passphrase, and receives Ctrl+C. `lent`: the same, and
 * it also gets our standard error, where some programs ask. `none`: it leads a process group of its own, so that its
 * children end with it. `hidden`: like `none`, and GPG_TTY does not name the terminal either.
 */
export type TerminalAccess = 'shared' | 'lent' | 'none' | 'hidden';

export type ChildEnd =
  | { readonly kind: 'not-started'; readonly error: NodeJS.ErrnoException }
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals };

export interface Child {
  readonly ended: Promise<ChildEnd>;
  /**
   * Ends the program and its children with SIGTERM, then with SIGKILL after `graceMs`. Resolves when all have ended.
   */
  end(graceMs: number): Promise<void>;
}

/** The only way to start a program. The program gets neither the API key nor the database password. Never throws. */
export type StartChild = (request: ChildRequest) => Child;

/**
 * Resolves with how a child ended, or with null if it was still running after the timeout or when the signal was
 * aborted.
 */
async function waitForEnd(
  child: Child,
  { clock, timeoutMs, signal }: { readonly clock: Clock; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ChildEnd | null> {
  const ended = orAborted(child.ended, signal).catch(() => null);
  return await withTimeout(clock, timeoutMs, ended);
}

export function childFailure(end: ChildEnd): string | null {
  switch (end.kind) {
    case 'not-started':
      return startFailure(end.error);
    case 'killed':
      return `was killed by ${end.signal}`;
    case 'exited':
      return end.code === 0 ? null : `exited with code ${end.code}`;
  }
}

function startFailure({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'was not found';
  if (code === 'EACCES') return 'is not executable';
  return `could not be started${code === undefined ? ` (${message})` : systemText(code)}`;
}

export type RunProgram = (
  program: string,
  programArguments: readonly string[],
  options?: RunProgramOptions,
) => Promise<string>;

interface RunProgramOptions {
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Whether the program may ask the user for input while the board is open. */
  readonly mayPrompt?: boolean;
}

export const programTimeoutMs = 10_000;
/** How long a program may take to end after SIGTERM, in milliseconds. */
const graceMs = 250;
const maxOutputLength = 64 * 1024;

export class ProgramFailedError extends NamedError {
  readonly kind: 'failed' | 'interrupted';
  readonly reason: string;
  readonly hadTerminal: boolean;

  constructor(program: string, reason: string, kind: 'failed' | 'interrupted' = 'failed', hadTerminal = true) {
    super(`${program} ${reason}`);
    this.kind = kind;
    this.reason = reason;
    this.hadTerminal = hadTerminal;
  }
}

interface ProgramsOptions {
  readonly startChild: StartChild;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly terminal?: Pick<Terminal, 'runOutsideBoard' | 'borrow' | 'hasBoard' | 'isFrameShown' | 'restoreForOutput'>;
}

/**
 * The returned function rejects with a {@link ProgramFailedError} if the program fails, takes too long, prints more
 * than 64 KiB or is interrupted.
 */
export function createRunProgram({ startChild, clock, signal: exitSignal, terminal }: ProgramsOptions): RunProgram {
  const run = async (
    access: TerminalAccess,
    [program, ...programArguments]: readonly [string, ...string[]],
    { input = '', timeoutMs = programTimeoutMs, signal: cancelSignal }: RunProgramOptions,
  ): Promise<string> => {
    const signal = cancelSignal === undefined ? exitSignal : AbortSignal.any([exitSignal, cancelSignal]);
    if (signal.aborted) throw new ProgramFailedError(program, 'was not run', 'interrupted');
    const chunks: Uint8Array[] = [];
    let size = 0;
    const overflow = new AbortController();
    const child = startChild({
      command: [program, ...programArguments],
      // A program that asks for input must be able to read it from our standard input.
      input: access === 'lent' && input === '' ? null : input,
      terminal: access,
      onOutput: (bytes) => {
        size += bytes.length;
        if (size > maxOutputLength) overflow.abort();
        else chunks.push(bytes);
      },
    });
    const end = await waitForEnd(child, { clock, timeoutMs, signal: AbortSignal.any([signal, overflow.signal]) });
    const stopReason = overflow.signal.aborted
      ? 'printed more than 64 KiB'
      : `did not finish within ${Math.round(timeoutMs / 1_000)} s`;
    const reason = end === null ? stopReason : childFailure(end);
    if (reason === null) return Buffer.concat(chunks).toString('utf8');
    await child.end(graceMs);
    throw signal.aborted
      ? new ProgramFailedError(program, 'was interrupted', 'interrupted')
      : new ProgramFailedError(program, reason, 'failed', access !== 'hidden');
  };
  const runBeforeScreen = async (command: readonly [string, ...string[]], options: RunProgramOptions) => {
    if (terminal?.isFrameShown !== true) return await run('shared', command, options);
    try {
      return await run('hidden', command, options);
    } catch (error) {
      if (!(error instanceof ProgramFailedError) || error.kind === 'interrupted') throw error;
      terminal.restoreForOutput();
      return await run('shared', command, options);
    }
  };
  return async (program, programArguments, options = {}) => {
    const command = [program, ...programArguments] as const;
    if (terminal === undefined) return await run('shared', command, options);
    if (!terminal.hasBoard) return await terminal.runOutsideBoard(() => runBeforeScreen(command, options));
    if (options.mayPrompt !== true) return await run('hidden', command, options);
    const notice = `parcel-monitor: running ${printableText(program)}, which may ask for input. Press Ctrl+C to stop it.\n`;
    return await terminal.borrow(notice, () => run('lent', command, options));
  };
}

export interface Outcome {
  /** How the program failed, with its last line of error output, or null. */
  readonly failure: string | null;
  readonly output: string;
}

/** Runs a program with this standard input, without access to the terminal. Never throws. */
export type RunForOutput = (command: readonly [string, ...string[]], input: string) => Promise<Outcome>;

const outputTimeoutMs = 60_000;

/** Keeps the first 64 KiB of standard output, and the last line of standard error if the program fails. */
export function createRunForOutput({ startChild, clock, signal }: ProgramsOptions): RunForOutput {
  return async (command, input) => {
    let output = Buffer.alloc(0);
    let errors = Buffer.alloc(0);
    const child = startChild({
      command,
      input,
      terminal: 'hidden',
      onOutput: (bytes) => {
        output = Buffer.concat([output, bytes]).subarray(0, maxOutputLength);
      },
      onError: (bytes) => {
        errors = Buffer.concat([errors, bytes]).subarray(-maxOutputLength);
      },
    });
    const end = await waitForEnd(child, { clock, timeoutMs: outputTimeoutMs, signal });
    if (end === null) await child.end(graceMs);
    const reason = end === null ? `took more than ${outputTimeoutMs / 1000} s and was stopped` : childFailure(end);
    const lastError = printableText(errors.toString('utf8')).trim().split('\n').at(-1)?.trim() ?? '';
    const failure = reason === null || lastError === '' ? reason : `${reason}: ${lastError}`;
    return { failure, output: printableText(output.toString('utf8').replaceAll('\t', '    ')) };
  };
}

export interface RunWithInputOptions {
  readonly command: readonly [string, ...string[]];
  readonly startChild: StartChild;
  readonly clock: Clock;
  /**
   * Ends the running program. Ignored if it is already aborted at the start, because the program would not get a second
   * chance to run.
   */
  readonly signal: AbortSignal;
  readonly output: Exclude<ChildRequest['onOutput'], (...received: never[]) => void>;
  readonly timeoutMs: number;
}

const inputGraceMs = 2_000;
const flushMs = 500;

/** Runs a program with this standard input. Resolves with how it failed, or null. */
export async function runWithInput(options: RunWithInputOptions, input: string): Promise<string | null> {
  const { clock, command, startChild, output, timeoutMs } = options;
  const signal = options.signal.aborted ? new AbortController().signal : options.signal;
  const child = startChild({ command, input, onOutput: output, terminal: 'none' });
  const end = await waitForEnd(child, { clock, timeoutMs, signal });
  if (end !== null) return childFailure(end);
  const hasTimedOut = !signal.aborted;
  await child.end(hasTimedOut ? inputGraceMs : flushMs);
  return hasTimedOut ? `took more than ${timeoutMs / 1000} s and was stopped` : childFailure(await child.ended);
}
