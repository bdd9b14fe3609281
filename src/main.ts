import { homedir } from 'node:os';
import packageJson from '../package.json' with { type: 'json' };
import type { CommandContext, Environment, Output, SandboxPort, ShowBoard } from './commands/context.ts';
import { SandboxUnavailableError, UsageError } from './commands/errors.ts';
import { runProgram } from './commands/program.ts';
import { createRunProgram } from './commands/run-command.ts';
import { systemClock } from './commands/system-clock.ts';
import { createSuspension } from './job-control.ts';
import { type ProcessLife, watchProcess } from './process-life.ts';
import { createProcesses } from './processes.ts';

/** What the launcher noted before it changed the process. */
export interface Launch {
  readonly environment: Environment;
  /** The machine's zone, IANA. */
  readonly systemZone: () => string;
}

/** Composition root: gives the commands their world, runs what the arguments name, ends the process. */
export async function main(launch: Launch): Promise<void> {
  const life = watchProcess(process);
  const context = createContext(launch, life);
  await life.end(await runProgram(context, process.argv.slice(2)));
}

function createContext({ environment, systemZone }: Launch, life: ProcessLife): CommandContext {
  return {
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    stdinIsTerminal: process.stdin.isTTY === true,
    readStdin,
    readLine: () => readLine(life.signal),
    environment,
    homeDirectory: homedir(),
    platform: process.platform,
    systemZone,
    clock: systemClock,
    random: Math.random,
    processes: createProcesses(process),
    version: packageJson.version,
    nodeVersion: process.versions.node,
    signal: life.signal,
    runProgram: createRunProgram(environment),
    loadSandbox,
    showBoard: createShowBoard(life),
  };
}

function outputTo(stream: NodeJS.WriteStream): Output {
  return {
    // What is still written after the reader has gone is lost on purpose.
    write: (piece) => void (stream.destroyed || stream.write(piece)),
    isTerminal: stream.isTTY === true,
    columns: stream.isTTY === true ? stream.columns : null,
    rows: stream.isTTY === true ? stream.rows : null,
  };
}

async function readStdin(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return await text(process.stdin);
}

/** Not from standard input: that may have been read to its end. */
async function readLine(signal: AbortSignal): Promise<string> {
  const [{ openSync }, { createInterface }, { ReadStream }] = await Promise.all([
    import('node:fs'),
    import('node:readline/promises'),
    import('node:tty'),
  ]);
  const input = process.platform === 'win32' ? process.stdin : new ReadStream(openSync('/dev/tty', 'r'));
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

/** The embedded service; nothing of it is loaded before it is wanted. */
async function loadSandbox(): Promise<SandboxPort> {
  const [{ startSandbox }, { demoParcels, demoSpeed }, { parseFault }, { SandboxStartError, UnusableOptionError }] =
    await Promise.all([
      import('./sandbox/sandbox.ts'),
      import('./sandbox/demo-parcels.ts'),
      import('./sandbox/faults/fault-rule.ts'),
      import('./sandbox/errors.ts'),
    ]);
  return {
    start: async ({ faults = [], ...request }) => {
      try {
        return await startSandbox({ ...request, faults: faults.map(parseFault), clock: systemClock });
      } catch (error) {
        if (error instanceof UnusableOptionError) throw new UsageError(error.message, { cause: error });
        if (error instanceof SandboxStartError) throw new SandboxUnavailableError(error.message, { cause: error });
        throw error;
      }
    },
    demoParcels,
    demoSpeed,
  };
}

/** The screen; Ink and React are not loaded before it is wanted. */
function createShowBoard(life: ProcessLife): ShowBoard {
  return async (request) => {
    life.holdWarnings();
    const { runBoard } = await import('./ui/run-board.tsx');
    return await runBoard({
      ...request,
      clock: systemClock,
      suspension: createSuspension(process),
      onWindowChange: (listener) => {
        process.on('SIGWINCH', listener);
        return () => process.off('SIGWINCH', listener);
      },
      stdin: process.stdin,
      stdout: process.stdout,
    });
  };
}
