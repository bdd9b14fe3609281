import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import packageJson from '../package.json' with { type: 'json' };
import { runProgram as runCommand } from './commands/program/program.ts';
import type { Clock } from './lib/clock.ts';
import { zoneOfMachine } from './lib/zone.ts';
import { createShowBoard } from './main-screen.ts';
import { describeFailure, UnavailableError, UsageError } from './settings/errors.ts';
import type { CommandContext, RunningSandbox, SandboxPort } from './settings/session/context.ts';
import { createProcesses } from './store/file/processes.ts';
import { createStartChild } from './system/child-processes.ts';
import { systemClock } from './system/clock.ts';
import { type Environment, onlyPrints } from './system/environment.ts';
import { createLeaveProcess } from './system/exit.ts';
import { type ProcessLife, watchProcess } from './system/process-life.ts';
import { createRunProgram } from './system/run-program.ts';
import {
  bytesWriter,
  createOutput,
  isFile,
  neverBlock,
  type Output,
  openConsoleInput,
} from './system/standard-streams.ts';
import type { Terminal } from './system/terminal.ts';
import { drawnSize } from './tui/terminal/frame-writer.ts';

/** What the user's environment and machine say. */
interface FoundAtStart {
  readonly environment: Environment;
  /** As the machine names its zone, known or not. */
  readonly systemZone: string;
}

/**
 * Composition root: gives the commands their world, runs what the arguments name, ends the process. Rejects when it does
 * not get as far as running anything.
 * @param found what the launcher found before it changed the process
 * @param terminal on which the launcher may have put a frame
 */
export async function main(found: FoundAtStart, terminal: Terminal): Promise<void> {
  const streams = {
    stdout: neverBlocking(process.stdout),
    stderr: neverBlocking(process.stderr),
    beforeWriting: () => terminal.makeWay(),
  };
  const leaveProcess = createLeaveProcess(process);
  const leave = (exitCode: number): void => {
    terminal.giveBack();
    leaveProcess(exitCode);
  };
  const life = watchProcess(process, streams, leave, (error) => describeFailure(error).message);
  life.onForcedEnd(() => {
    terminal.giveBack();
    return null;
  });
  const context = createContext(found, life, terminal);
  await life.end(await runCommand(context, process.argv.slice(2)));
}

/** Never waits for a terminal: what shows the cursor again writes to standard error when the process exits. */
function neverBlocking(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  neverBlock(stream);
  return stream;
}

function outputTo(
  stream: NodeJS.WriteStream & { readonly fd: number },
  terminal: Terminal,
  onFailure: (error: NodeJS.ErrnoException) => void,
): Output {
  return createOutput({
    stream,
    size: stream.isTTY === true ? drawnSize(stream) : null,
    writeBytes: stream.isTTY !== true && isFile(stream.fd) ? bytesWriter(stream.fd) : null,
    beforeWriting: () => terminal.makeWay(),
    onFailure,
  });
}

function createContext(
  { environment, systemZone }: FoundAtStart,
  life: ProcessLife,
  terminal: Terminal,
): CommandContext {
  const startChild = createStartChild({ parent: process, environment, clock: systemClock });
  const runProgram = createRunProgram({ startChild, clock: systemClock, signal: life.signal, terminal });
  return {
    stdout: outputTo(process.stdout, terminal, life.loseResults),
    stderr: outputTo(process.stderr, terminal, life.loseMessages),
    // To ask, and to open it, loads what reads streams, which most commands do not need.
    get stdinIsTerminal() {
      return isatty(0);
    },
    stdin: () => process.stdin,
    readLine: () => readLine(life.signal),
    arguments: process.argv.slice(2),
    environment,
    homeDirectory: homeDirectory(),
    userId: process.geteuid?.() ?? null,
    platform: process.platform,
    systemZone: () => zoneOfMachine(systemZone),
    clock: systemClock,
    random: Math.random,
    processes: createProcesses(process),
    version: packageJson.version,
    nodeVersion: process.versions.node,
    signal: life.signal,
    startChild,
    runProgram,
    onForcedEnd: (farewell) => life.onForcedEnd(farewell),
    leaveInterrupts: () => life.leaveInterrupts(),
    loadSandbox: sandboxLoader(systemClock),
    showBoard: createShowBoard({
      life,
      environment,
      startChild,
      terminal,
      stdout: process.stdout,
    }),
    // Before the board nothing can stand on a console of Windows, which takes bytes for letters of its code page.
    ...(process.platform === 'win32' || onlyPrints(environment)
      ? {}
      : {
          tellStart: (text: string | null) => terminal.tell(text),
          onStartQuit: (listener: (() => void) | null) => terminal.onQuit(listener),
        }),
  };
}

/** Null where HOME is not set, or too long, and the user has no entry in the system's list. */
function homeDirectory(): string | null {
  try {
    return homedir();
  } catch {
    // Said by the commands that need files, as not all of them do.
    return null;
  }
}

/** Not from standard input: that may have been read to its end. */
async function readLine(signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const input = await openConsoleInput(process.platform);
  const lines = createInterface({ input });
  try {
    return await lines.question('', { signal });
  } catch {
    // Interrupted, or nobody is there any more.
    return '';
  } finally {
    lines.close();
    input.destroy();
  }
}

/** Loads the embedded service, which runs on this clock; nothing of it is loaded before it is wanted. */
export const sandboxLoader = (clock: Clock) => async (): Promise<SandboxPort> => {
  const [{ startSandbox }, demo, { faults: allFaults, parseFault }, { SandboxStartError }] = await Promise.all([
    import('./sandbox/sandbox.ts'),
    import('./sandbox/demo-parcels.ts'),
    import('./sandbox/faults/fault-rule.ts'),
    import('./sandbox/errors.ts'),
  ]);
  const started = async (start: () => Promise<RunningSandbox>): Promise<RunningSandbox> => {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof SandboxStartError)) throw error;
      const { message, kind } = error;
      throw new (kind === 'unusable-option' ? UsageError : UnavailableError)(message, { cause: error });
    }
  };
  const { demoParcels, demoSeed: seed, demoSpeed: speed } = demo;
  return {
    start: ({ faults = [], ...request }) =>
      started(() => startSandbox({ ...request, faults: faults.map(parseFault), clock })),
    startDemo: () => started(() => startSandbox({ port: 0, speed, seed, registered: demoParcels, clock })),
    demoParcels,
    faults: allFaults,
  };
};
