import type { Clock } from '../../service/clock/clock.ts';
import { createSerialQueue } from '../../watchlist/files/serial-queue.ts';
import type { StartChild } from '../child.ts';
import type { Environment } from '../environment.ts';
import { type RunWithInputOptions, runWithInput } from '../run-with-input.ts';
import { type Channel, unusableChannel } from './channel.ts';
import { type ChangeText, desktopProgram } from './desktop-program.ts';

/** What programs are run with to notify. */
export interface ProgramChannelOptions {
  readonly startChild: StartChild;
  readonly clock: Clock;
  /** Ends the program under way. */
  readonly signal: AbortSignal;
  /** Where the output of the user's command goes: `dropped` where a screen is drawn. */
  readonly output: RunWithInputOptions['output'];
}

/** How long the system may take to show a notification, in milliseconds. */
const desktopLimitMs = 10_000;
/** How long the user's command may take for a change, in milliseconds. */
export const commandLimitMs = 30_000;

/** Has the desktop show a notification. */
export function createDesktopChannel(
  options: ProgramChannelOptions,
  { platform, environment }: { readonly platform: string; readonly environment: Environment },
): Channel {
  const program = desktopProgram(platform, environment);
  if (program.kind === 'none') return unusableChannel('desktop', program.why);
  return {
    name: 'desktop',
    means: program.name,
    unusable: null,
    async send(notification) {
      const { command, input } = program.call(notification);
      const failure = await runWithInput({ ...options, output: 'dropped', command, limitMs: desktopLimitMs }, input);
      return failure === null ? null : `${program.name} ${failure}. ${program.advice}`;
    },
  };
}

/** Runs a command of the user's for each change, one after the other, with its JSON on standard input. */
export function createCommandChannel(
  options: ProgramChannelOptions,
  command: readonly [string, ...string[]],
  textOf: ChangeText,
): Channel {
  const queue = createSerialQueue();
  const [program] = command;
  return {
    name: 'command',
    means: program,
    unusable: null,
    async send(_notification, changes) {
      const failures = await Promise.all(
        changes.map((change) =>
          queue.run(async () =>
            options.signal.aborted
              ? 'was not run, since the program ends'
              : await runWithInput({ ...options, command, limitMs: commandLimitMs }, textOf(change)),
          ),
        ),
      );
      const failure = failures.find((one) => one !== null);
      return failure === undefined ? null : `${program} ${failure}. Correct notify.command in config.json.`;
    },
  };
}
