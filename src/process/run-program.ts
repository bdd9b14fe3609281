import type { Clock } from '../service/clock/clock.ts';
import { failureOf, type StartChild } from './child.ts';

/** Runs a program without a shell and answers its standard output. */
export type RunProgram = (
  program: string,
  programArguments: readonly string[],
  options?: RunProgramOptions,
) => Promise<string>;

/** How a run differs from the usual one. */
export interface RunProgramOptions {
  /** What it finds on its standard input; nothing when left out. */
  readonly input?: string;
  /** How long it may take, in milliseconds; 10 s when left out. */
  readonly limitMs?: number;
  /** Ends it, beside the end of our own program. */
  readonly signal?: AbortSignal;
}

/** How long a program may take, in milliseconds. */
export const programLimitMs = 10_000;
/** How long it may take to end after SIGTERM, in milliseconds: who presses Ctrl-C does not wait for longer. */
const graceMs = 250;
const longestOutput = 64 * 1024;

/** A program that did not do what it was run for. Holds nothing of what it printed. */
export class ProgramFailedError extends Error {
  /** `interrupted`: the user wants no more of it. */
  readonly kind: 'failed' | 'interrupted';
  /** Why, to follow its name in a sentence. */
  readonly reason: string;

  constructor(program: string, reason: string, kind: 'failed' | 'interrupted' = 'failed') {
    super(`${program} ${reason}`);
    this.name = 'ProgramFailedError';
    this.kind = kind;
    this.reason = reason;
  }
}

/** What programs run on. */
interface ProgramsOptions {
  readonly startChild: StartChild;
  readonly clock: Clock;
  /** Ends the program that runs. */
  readonly signal: AbortSignal;
}

/**
 * Makes a {@link RunProgram}. It rejects with a {@link ProgramFailedError} when the program fails, takes longer than
 * it may, prints more than 64 KiB or is interrupted; whatever the program does about that, it is gone a quarter of a second later.
 */
export function createRunProgram({ startChild, clock, signal: ending }: ProgramsOptions): RunProgram {
  return async (program, programArguments, { input = '', limitMs = programLimitMs, signal: unwanted } = {}) => {
    const signal = unwanted === undefined ? ending : AbortSignal.any([ending, unwanted]);
    if (signal.aborted) throw new ProgramFailedError(program, 'was not run', 'interrupted');
    const pieces: Uint8Array[] = [];
    let size = 0;
    const { promise: stopped, resolve: stopFor } = Promise.withResolvers<string>();
    const child = startChild({
      command: [program, ...programArguments],
      input,
      usesTerminal: true,
      onOutput: (bytes) => {
        size += bytes.length;
        if (size > longestOutput) stopFor('printed more than 64 KiB');
        else pieces.push(bytes);
      },
    });
    const onAbort = (): void => stopFor('was interrupted');
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelLimit = clock.setTimer(limitMs, () => stopFor(`did not end within ${Math.round(limitMs / 1_000)} s`));
    try {
      const reason = await Promise.race([stopped, child.ended.then(failureOf)]);
      if (reason !== null) {
        await child.end(graceMs);
        throw signal.aborted
          ? new ProgramFailedError(program, 'was interrupted', 'interrupted')
          : new ProgramFailedError(program, reason);
      }
      return Buffer.concat(pieces).toString('utf8');
    } finally {
      cancelLimit();
      signal.removeEventListener('abort', onAbort);
    }
  };
}
