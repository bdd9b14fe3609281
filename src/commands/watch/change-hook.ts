import type { StartChild } from '../../process/child.ts';
import { runWithInput } from '../../process/run-with-input.ts';
import type { Clock } from '../../service/clock/clock.ts';
import { createSerialQueue } from '../../watchlist/files/serial-queue.ts';

/** Hands changes to a command of the user's. */
export interface ChangeHook {
  /** Runs the command with this text on its standard input, after those before have ended. */
  push(input: string): void;
  /** Resolves when the command has ended for all of them. */
  whenDone(): Promise<void>;
}

/** What a hook runs on. */
interface ChangeHookOptions {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]];
  readonly startChild: StartChild;
  readonly clock: Clock;
  /** Called with how a run failed, in a sentence. */
  readonly report: (sentence: string) => void;
  /** Ends the command under way and runs no further one. */
  readonly signal: AbortSignal;
}

/** How long a run may take, in milliseconds. */
export const hookLimitMs = 30_000;

/**
 * Makes a hook: one run at a time, in the order of the changes, each of them ended after 30 s. What the command prints
 * goes to standard error. A run that fails is reported and stops nothing.
 */
export function createChangeHook(options: ChangeHookOptions): ChangeHook {
  const { command, signal, report } = options;
  const queue = createSerialQueue();
  let last: Promise<void> = Promise.resolve();
  let dropped = 0;
  const runNext = async (input: string): Promise<void> => {
    if (signal.aborted) {
      dropped += 1;
      return;
    }
    const failure = await runWithInput({ ...options, output: null, limitMs: hookLimitMs }, input);
    if (failure !== null && !signal.aborted) report(`The command ${command[0]} ${failure}.`);
  };
  return {
    push(input) {
      last = queue.run(() => runNext(input));
    },
    async whenDone() {
      await last;
      if (dropped > 0) report(`Interrupted: the command ${command[0]} was not run for ${dropped} more changes.`);
    },
  };
}
