import type { Clock } from '../service/clock/clock.ts';
import { type ChildRequest, endInTime, failureOf, type StartChild } from './child.ts';

/** What is run, and on what. */
export interface RunWithInputOptions {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]];
  readonly startChild: StartChild;
  readonly clock: Clock;
  /** Ends the program under way, but for one that is started when it is aborted already: nobody would start it again. */
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
  const { clock, command, startChild, output, limitMs } = options;
  const signal = options.signal.aborted ? new AbortController().signal : options.signal;
  const child = startChild({ command, input, onOutput: output, terminal: 'none' });
  const end = await endInTime(child, { clock, limitMs, signal });
  if (end !== null) return failureOf(end);
  const isLate = !signal.aborted;
  // What it started is part of the run.
  await child.end(isLate ? graceMs : farewellMs);
  return isLate ? `took more than ${limitMs / 1000} s and was ended` : failureOf(await child.ended);
}
