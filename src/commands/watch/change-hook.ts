import { failureOf, type StartChild } from '../../process/child.ts';
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
/** How long a command may take to end when it took too long, in milliseconds. */
const graceMs = 2_000;
/** The same when the program ends, which does not wait for longer. */
const farewellMs = 500;

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
    const failure = await run(options, input);
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

/** Runs the command once; answers how it failed, null when it did not. */
async function run({ command, startChild, clock, signal }: ChangeHookOptions, input: string): Promise<string | null> {
  const child = startChild({ command, input, onOutput: null, usesTerminal: false });
  let isLate = false;
  let ending: Promise<void> | null = null;
  const cancelLimit = clock.setTimer(hookLimitMs, () => {
    isLate = true;
    ending = child.end(graceMs);
  });
  const onAbort = (): void => {
    ending = child.end(farewellMs);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const ended = await child.ended;
  cancelLimit();
  signal.removeEventListener('abort', onAbort);
  // What it started is part of the run.
  await ending;
  return isLate && ended.kind !== 'not-started' ? 'took more than 30 s and was ended' : failureOf(ended);
}
