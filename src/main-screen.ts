import type { ReadStream } from 'node:tty';
import type { ShowBoard } from './commands/session/context.ts';
import { UsageError } from './commands/session/errors.ts';
import type { StartChild } from './process/child.ts';
import { writeToTerminalLater } from './process/child-processes.ts';
import { createCopyToDesktop } from './process/clipboard.ts';
import { openConsoleInput } from './process/console-input.ts';
import type { Environment } from './process/environment.ts';
import { createSuspension } from './process/job-control.ts';
import { createOpenPage } from './process/open-page.ts';
import type { ProcessLife } from './process/process-life.ts';
import { systemClock } from './process/system-clock.ts';
import type { Terminal } from './process/terminal.ts';

/** The part of the composition root that gives the commands their screen: the board. */

/** Where keys come from: from the terminal itself where standard input is a text that was looked through. */
async function keysOf({ foundAlready }: Parameters<ShowBoard>[0]): Promise<ReadStream> {
  if (foundAlready === undefined || process.stdin.isTTY) return process.stdin;
  try {
    return await openConsoleInput(process.platform);
  } catch (error) {
    throw new UsageError(
      'There is no keyboard to choose with: give --dry-run to print what is found, or --yes to add what is new and beyond doubt.',
      { cause: error },
    );
  }
}

/** What the screen is given beside what it is asked for. */
async function createSurroundings(environment: Environment, startChild: StartChild, colour: boolean) {
  const [{ knowsHyperlinks }, { clipboardSequence }] = await Promise.all([
    import('./ui/terminal/hyperlinks.ts'),
    import('./ui/terminal/clipboard-sequence.ts'),
  ]);
  const desktop = { platform: process.platform, environment, startChild, clock: systemClock };
  return {
    clock: systemClock,
    hyperlinks: colour && knowsHyperlinks(environment),
    openPage: createOpenPage(desktop),
    clipboards: {
      copyToDesktop: createCopyToDesktop(desktop),
      clipboardSequence: (text: string) => clipboardSequence(text, environment),
    },
    suspension: createSuspension(process),
  };
}

/** What the screen takes from the process. */
interface BoardWorld {
  readonly life: ProcessLife;
  readonly environment: Environment;
  readonly startChild: StartChild;
  readonly terminal: Terminal;
  readonly stdout: () => NodeJS.WriteStream;
}

/** The screen; Ink and React are not loaded before it is wanted. */
export function createShowBoard({ life, environment, startChild, terminal, stdout }: BoardWorld): ShowBoard {
  return async (request) => {
    life.lendTerminal();
    const [surroundings, { runBoard }, { hasTitle }] = await Promise.all([
      createSurroundings(environment, startChild, request.colour),
      import('./ui/run-board.ts'),
      import('./ui/notify/use-terminal-title.ts'),
    ]);
    const input = await keysOf(request);
    return await runBoard({
      ...request,
      ...surroundings,
      hasTitle: hasTitle(environment, process.platform),
      terminal,
      onWindowChange: (listener) => {
        process.on('SIGWINCH', listener);
        return () => process.off('SIGWINCH', listener);
      },
      stdin: input,
      stdout: stdout(),
      leaveInterrupts: () => life.leaveInterrupts(),
      writeLater: (text) => writeToTerminalLater(text, process),
    });
  };
}
