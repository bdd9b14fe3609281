import type { ReadStream } from 'node:tty';
import { hasTitle } from './notify/channels.ts';
import { UsageError } from './settings/errors.ts';
import type { BoardEnd, BoardRequest } from './settings/session/context.ts';
import { writeToTerminalLater } from './system/child-processes.ts';
import { systemClock } from './system/clock.ts';
import { createCopyToDesktop, createOpenPage } from './system/desktop.ts';
import type { Environment } from './system/environment.ts';
import { createSuspension, type ProcessLife } from './system/process-life.ts';
import { createRunForOutput, type StartChild } from './system/run-program.ts';
import { openConsoleInput } from './system/standard-streams.ts';
import type { Terminal } from './system/terminal.ts';
import { runBoard } from './tui/run-board.tsx';
import { createCopyText, supportsHyperlinks } from './tui/terminal/clipboard.ts';

/** Opens the input for keys: the terminal itself if standard input was the text to scan. */
async function openKeyInput({ initialScan }: BoardRequest): Promise<ReadStream> {
  if (initialScan === undefined || process.stdin.isTTY) return process.stdin;
  try {
    return await openConsoleInput(process.platform);
  } catch (error) {
    throw new UsageError(
      'Selecting numbers requires an interactive terminal. Use --dry-run to list them, or --yes to add only new numbers that were clearly recognised.',
      { cause: error },
    );
  }
}

interface BoardResources {
  readonly life: ProcessLife;
  readonly environment: Environment;
  readonly startChild: StartChild;
  readonly terminal: Terminal;
  readonly stdout: NodeJS.WriteStream;
}

/** Shows the board. Other commands must not load this file, because Ink and React take time to load. */
export async function showBoard(
  { life, environment, startChild, terminal, stdout }: BoardResources,
  request: BoardRequest,
): Promise<BoardEnd> {
  const desktop = { platform: process.platform, environment, startChild, clock: systemClock };
  const stdin = await openKeyInput(request);
  const { colour, signal } = request;
  return await runBoard({
    ...request,
    clock: systemClock,
    hyperlinks: colour && supportsHyperlinks(environment),
    trueColour: /^(?:truecolor|24bit)$/i.test(environment['COLORTERM'] ?? ''),
    openPage: createOpenPage(desktop),
    runForOutput: createRunForOutput({ startChild, clock: systemClock, signal }),
    copyText: createCopyText(createCopyToDesktop(desktop), environment, terminal),
    suspension: createSuspension(process),
    hasTitle: hasTitle(environment, process.platform),
    terminal,
    onWindowChange: (listener) => {
      process.on('SIGWINCH', listener);
      return () => process.off('SIGWINCH', listener);
    },
    stdin,
    stdout,
    passInterruptsOn: () => life.passInterruptsOn(),
    writeLater: (text) => writeToTerminalLater(text, process),
  });
}
