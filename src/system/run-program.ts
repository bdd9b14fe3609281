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
   * standard error. `dropped`: both are discarded, for a program that may outlive us. `terminal`: both go to our own
   * streams, for a program with a screen of its own.
   */
  readonly onOutput: ((bytes: Uint8Array) => void) | 'dropped' | 'terminal' | null;
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
 * Resolves with how a child ended, or with null if it was still running after `limitMs` or when the signal was aborted.
 */
async function endInTime(
  child: Child,
  { clock, limitMs, signal }: { readonly clock: Clock; readonly limitMs: number; readonly signal: AbortSignal },
): Promise<ChildEnd | null> {
  const ended = orAborted(child.ended, signal).catch(() => null);
  return await withTimeout(clock, limitMs, ended);
}

export function failureOf(end: ChildEnd): string | null {
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
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
  readonly asks?: boolean;
}

export const programLimitMs = 10_000;
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
 * Throws a {@link ProgramFailedError} if the program fails, takes too long, prints more than 64 KiB or is interrupted.
 */
export function createRunProgram({ startChild, clock, signal: stopping, terminal }: ProgramsOptions): RunProgram {
  const run = async (
    access: TerminalAccess,
    [program, ...programArguments]: readonly [string, ...string[]],
    { input = '', limitMs = programLimitMs, signal: cancelled }: RunProgramOptions,
  ): Promise<string> => {
    const signal = cancelled === undefined ? stopping : AbortSignal.any([stopping, cancelled]);
    if (signal.aborted) throw new ProgramFailedError(program, 'was not run', 'interrupted');
    const pieces: Uint8Array[] = [];
    let size = 0;
    const tooLong = new AbortController();
    const child = startChild({
      command: [program, ...programArguments],
      // A program that asks for input reads it from our standard input.
      input: access === 'lent' && input === '' ? null : input,
      terminal: access,
      onOutput: (bytes) => {
        size += bytes.length;
        if (size > maxOutputLength) tooLong.abort();
        else pieces.push(bytes);
      },
    });
    const end = await endInTime(child, { clock, limitMs, signal: AbortSignal.any([signal, tooLong.signal]) });
    const stopped = tooLong.signal.aborted
      ? 'printed more than 64 KiB'
      : `did not finish within ${Math.round(limitMs / 1_000)} s`;
    const reason = end === null ? stopped : failureOf(end);
    if (reason === null) return Buffer.concat(pieces).toString('utf8');
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
    if (options.asks !== true) return await run('hidden', command, options);
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

const outputLimitMs = 60_000;

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
    const end = await endInTime(child, { clock, limitMs: outputLimitMs, signal });
    if (end === null) await child.end(graceMs);
    const reason = end === null ? `took more than ${outputLimitMs / 1000} s and was stopped` : failureOf(end);
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
  readonly limitMs: number;
}

const inputGraceMs = 2_000;
const flushMs = 500;

/** Runs a program with this standard input. Resolves with how it failed, or null. */
export async function runWithInput(options: RunWithInputOptions, input: string): Promise<string | null> {
  const { clock, command, startChild, output, limitMs } = options;
  const signal = options.signal.aborted ? new AbortController().signal : options.signal;
  const child = startChild({ command, input, onOutput: output, terminal: 'none' });
  const end = await endInTime(child, { clock, limitMs, signal });
  if (end !== null) return failureOf(end);
  const isLate = !signal.aborted;
  await child.end(isLate ? inputGraceMs : flushMs);
  return isLate ? `took more than ${limitMs / 1000} s and was stopped` : failureOf(await child.ended);
}
