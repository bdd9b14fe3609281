import type { ReadStream } from 'node:tty';
import { UsageError } from './settings/errors.ts';
import type { ShowBoard } from './settings/session/context.ts';
import { writeToTerminalLater } from './system/child-processes.ts';
import { systemClock } from './system/clock.ts';
import { createCopyToDesktop, createOpenPage } from './system/desktop.ts';
import type { Environment } from './system/environment.ts';
import { createSuspension, type ProcessLife } from './system/process-life.ts';
import type { StartChild } from './system/run-program.ts';
import { openConsoleInput } from './system/standard-streams.ts';
import type { Terminal } from './system/terminal.ts';

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
    import('./tui/terminal/clipboard.ts'),
    import('./tui/terminal/clipboard.ts'),
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
  readonly stdout: NodeJS.WriteStream;
}

/** The screen; Ink and React are not loaded before it is wanted. */
export function createShowBoard({ life, environment, startChild, terminal, stdout }: BoardWorld): ShowBoard {
  return async (request) => {
    life.lendTerminal();
    const [surroundings, { runBoard }, { hasTitle }] = await Promise.all([
      createSurroundings(environment, startChild, request.colour),
      import('./tui/run-board.ts'),
      import('./notify/terminal-title.ts'),
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
      stdout,
      leaveInterrupts: () => life.leaveInterrupts(),
      writeLater: (text) => writeToTerminalLater(text, process),
    });
  };
}
