import type { Clock } from '../service/clock/clock.ts';
import { type ChildRequest, failureOf, type StartChild } from './child.ts';

/** What is run, and on what. */
export interface RunWithInputOptions {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]];
  readonly startChild: StartChild;
  readonly clock: Clock;
  /** Ends the program under way. */
  readonly signal: AbortSignal;
  /** Where its output goes: null for our standard error. */
  readonly output: Exclude<ChildRequest['onOutput'], (...received: never[]) => void>;
  /** How long it may take, in milliseconds. */
  readonly limitMs: number;
}

/** How long a program may take to end when it took too long, in milliseconds. */
const graceMs = 2_000;
/** The same when our own program ends, which does not wait for longer. */
const farewellMs = 500;

/** Runs a program to its end with this text on its standard input; answers how it failed, null when it did not. */
export async function runWithInput(options: RunWithInputOptions, input: string): Promise<string | null> {
  const { command, startChild, clock, signal, output, limitMs } = options;
  const child = startChild({ command, input, onOutput: output, terminal: 'none' });
  let isLate = false;
  let ending: Promise<void> | null = null;
  const cancelLimit = clock.setTimer(limitMs, () => {
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
  const failure = failureOf(ended);
  return isLate && ended.kind !== 'not-started' ? `took more than ${limitMs / 1000} s and was ended` : failure;
}
