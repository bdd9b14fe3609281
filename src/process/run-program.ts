import type { Clock } from '../service/clock/clock.ts';
import { NamedError } from '../service/failures/named-error.ts';
import { printableText } from '../service/text/clean-text.ts';
import { endInTime, failureOf, type StartChild, type TerminalAccess } from './child.ts';
import type { Terminal } from './terminal.ts';

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
  /** Whether a screen lends it the terminal for what it asks. Otherwise, while there is a screen, it finds no terminal. */
  readonly asks?: boolean;
}

/** How long a program may take, in milliseconds. */
export const programLimitMs = 10_000;
/** How long it may take to end after SIGTERM, in milliseconds: who presses Ctrl-C does not wait for longer. */
const graceMs = 250;
const longestOutput = 64 * 1024;

/** A program that did not do what it was run for. Holds nothing of what it printed. */
export class ProgramFailedError extends NamedError {
  /** `interrupted`: the user wants no more of it. */
  readonly kind: 'failed' | 'interrupted';
  /** Why, to follow its name in a sentence. */
  readonly reason: string;
  /** Whether it could have asked its user. */
  readonly hadTerminal: boolean;

  constructor(program: string, reason: string, kind: 'failed' | 'interrupted' = 'failed', hadTerminal = true) {
    super(`${program} ${reason}`);
    this.kind = kind;
    this.reason = reason;
    this.hadTerminal = hadTerminal;
  }
}

/** What programs run on. */
interface ProgramsOptions {
  readonly startChild: StartChild;
  readonly clock: Clock;
  /** Ends the program that runs. */
  readonly signal: AbortSignal;
  /** The terminal, where a board or a frame may be; left out where there is none. */
  readonly terminal?: Pick<Terminal, 'aside' | 'borrow' | 'hasBoard' | 'isFrameStanding' | 'makeWay'>;
}

/**
 * Makes a {@link RunProgram}. It rejects with a {@link ProgramFailedError} when the program fails, takes longer than
 * it may, prints more than 64 KiB or is interrupted; whatever the program does about that, it is gone a quarter of a second later.
 */
export function createRunProgram({ startChild, clock, signal: ending, terminal }: ProgramsOptions): RunProgram {
  const run = async (
    access: TerminalAccess,
    [program, ...programArguments]: readonly [string, ...string[]],
    { input = '', limitMs = programLimitMs, signal: unwanted }: RunProgramOptions,
  ): Promise<string> => {
    const signal = unwanted === undefined ? ending : AbortSignal.any([ending, unwanted]);
    if (signal.aborted) throw new ProgramFailedError(program, 'was not run', 'interrupted');
    const pieces: Uint8Array[] = [];
    let size = 0;
    const tooMuch = new AbortController();
    const child = startChild({
      command: [program, ...programArguments],
      // What asks without a terminal of its own reads the answer there.
      input: access === 'lent' && input === '' ? null : input,
      terminal: access,
      onOutput: (bytes) => {
        size += bytes.length;
        if (size > longestOutput) tooMuch.abort();
        else pieces.push(bytes);
      },
    });
    const end = await endInTime(child, { clock, limitMs, signal: AbortSignal.any([signal, tooMuch.signal]) });
    const stopped = tooMuch.signal.aborted
      ? 'printed more than 64 KiB'
      : `did not end within ${Math.round(limitMs / 1_000)} s`;
    const reason = end === null ? stopped : failureOf(end);
    if (reason === null) return Buffer.concat(pieces).toString('utf8');
    await child.end(graceMs);
    throw signal.aborted
      ? new ProgramFailedError(program, 'was interrupted', 'interrupted')
      : new ProgramFailedError(program, reason, 'failed', access !== 'hidden');
  };
  /** Most programs ask nothing, and the frame can stay; one that fails may have wanted to ask, and gets the terminal. */
  const runBeforeScreen = async (command: readonly [string, ...string[]], options: RunProgramOptions) => {
    if (terminal?.isFrameStanding !== true) return await run('shared', command, options);
    try {
      return await run('hidden', command, options);
    } catch (error) {
      if (!(error instanceof ProgramFailedError) || error.kind === 'interrupted') throw error;
      terminal.makeWay();
      return await run('shared', command, options);
    }
  };
  return async (program, programArguments, options = {}) => {
    const command = [program, ...programArguments] as const;
    if (terminal === undefined) return await run('shared', command, options);
    if (!terminal.hasBoard) return await terminal.aside(() => runBeforeScreen(command, options));
    if (options.asks !== true) return await run('hidden', command, options);
    const told = `parcel-monitor: ${printableText(program)} runs here, and may ask something. Ctrl+C stops it.\n`;
    return await terminal.borrow(told, () => run('lent', command, options));
  };
}
