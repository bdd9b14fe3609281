import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import packageJson from '../package.json' with { type: 'json' };
import { runProgram as runCommand } from './commands/program/program.ts';
import type { Clock } from './lib/clock.ts';
import { zoneOfMachine } from './lib/date-time.ts';
import { describeFailure, type ProgramFacts, UnavailableError, UsageError } from './settings/errors.ts';
import type { CommandContext, SandboxPort } from './settings/session/context.ts';
import { createProcesses } from './store/file/processes.ts';
import { createStartChild } from './system/child-processes.ts';
import { systemClock } from './system/clock.ts';
import { type Environment, isDumbTerminal } from './system/environment.ts';
import { createExitProcess } from './system/exit.ts';
import { type ProcessLife, watchProcess } from './system/process-life.ts';
import { createRunProgram } from './system/run-program.ts';
import {
  createByteWriter,
  createOutput,
  isFile,
  makeNonBlocking,
  type Output,
  openConsoleInput,
} from './system/standard-streams.ts';
import type { Terminal } from './system/terminal.ts';
import { drawnSize } from './tui/terminal/frame-writer.ts';

const manifest: { readonly bugs?: string; readonly homepage?: string; readonly version: string } = packageJson;
const { platform, versions } = process;
const facts: ProgramFacts = {
  version: manifest.version,
  nodeVersion: versions.node,
  platform,
  reportAt: manifest.bugs,
};

interface LaunchInfo {
  readonly environment: Environment;
  /** The zone name reported by the system, which may not be a known zone. */
  readonly systemZone: string;
}

/**
 * The composition root. Runs the command given by the arguments, then ends the process.
 * @param terminal may already show a saved screen
 */
export async function main(launchInfo: LaunchInfo, terminal: Terminal): Promise<void> {
  const { stderr, stdout } = process;
  // When the process exits, Ink writes to standard error to restore the cursor. A frozen terminal must not block this.
  for (const stream of [stdout, stderr]) makeNonBlocking(stream);
  const streams = { stdout, stderr, beforeWriting: () => terminal.restoreForOutput() };
  const leaveProcess = createExitProcess(process);
  const leave = (exitCode: number): void => {
    terminal.restore();
    leaveProcess(exitCode);
  };
  const life = watchProcess(process, streams, leave, (error) => describeFailure(error, facts).message);
  life.onForcedEnd(() => {
    terminal.restore();
    return null;
  });
  const context = createContext(launchInfo, life, terminal);
  await life.end(await runCommand(context, process.argv.slice(2)));
}

function createStreamOutput(
  stream: NodeJS.WriteStream & { readonly fd: number },
  terminal: Terminal,
  onFailure: (error: NodeJS.ErrnoException) => void,
): Output {
  return createOutput({
    stream,
    size: stream.isTTY === true ? drawnSize(stream) : null,
    writeBytes: stream.isTTY !== true && isFile(stream.fd) ? createByteWriter(stream.fd) : null,
    beforeWriting: () => terminal.restoreForOutput(),
    onFailure,
  });
}

function createContext({ environment, systemZone }: LaunchInfo, life: ProcessLife, terminal: Terminal): CommandContext {
  const startChild = createStartChild({ parent: process, environment, clock: systemClock });
  const runProgram = createRunProgram({ startChild, clock: systemClock, signal: life.signal, terminal });
  return {
    stdout: createStreamOutput(process.stdout, terminal, life.markResultsLost),
    stderr: createStreamOutput(process.stderr, terminal, life.markMessagesLost),
    // A getter, because most commands do not need standard input.
    get stdinIsTerminal() {
      return isatty(0);
    },
    stdin: () => process.stdin,
    readLine: () => readLine(life.signal),
    arguments: process.argv.slice(2),
    environment,
    homeDirectory: homeDirectory(),
    userId: process.geteuid?.() ?? null,
    systemZone: () => zoneOfMachine(systemZone),
    clock: systemClock,
    random: Math.random,
    processes: createProcesses(process),
    ...facts,
    homepage: manifest.homepage,
    signal: life.signal,
    startChild,
    runProgram,
    onForcedEnd: (hook) => life.onForcedEnd(hook),
    passInterruptsOn: () => life.passInterruptsOn(),
    keyProblems,
    loadSandbox: createSandboxLoader(systemClock),
    showBoard: async (request) => {
      life.lendTerminal();
      const { showBoard } = await import('./main-screen.ts');
      return await showBoard({ life, environment, startChild, terminal, stdout: process.stdout }, request);
    },
    // A Windows console would decode our bytes with its own code page.
    ...(process.platform === 'win32' || isDumbTerminal(environment)
      ? {}
      : {
          showStartProgress: (text: string | null) => terminal.showProgress(text),
          onStartQuit: (listener: (() => void) | null) => terminal.onQuit(listener),
        }),
  };
}

/** Returns null if HOME is not set and the system has no home folder for the user. */
function homeDirectory(): string | null {
  try {
    return homedir();
  } catch {
    // Commands that need files report the problem.
    return null;
  }
}

/** Reads a line from the terminal itself, because standard input may have ended. */
async function readLine(signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const input = await openConsoleInput(process.platform);
  const lines = createInterface({ input });
  try {
    return await lines.question('', { signal });
  } catch {
    // The user pressed Ctrl+C, or the terminal is gone.
    return '';
  } finally {
    lines.close();
    input.destroy();
  }
}

/** Loads the board's keymap only when needed. */
export const keyProblems: NonNullable<CommandContext['keyProblems']> = async (settings) =>
  (await import('./tui/app/own-actions.ts')).applyUserKeys(settings).problems;

/** Loads the embedded sandbox only when needed. */
export const createSandboxLoader = (clock: Clock) => async (): Promise<SandboxPort> => {
  const [sandbox, { faults: knownFaults, parseFault, SandboxStartError }] = await Promise.all([
    import('./sandbox/sandbox.ts'),
    import('./sandbox/faults/fault-rule.ts'),
  ]);
  return {
    async start({ faults = [], ...request }) {
      try {
        return await sandbox.startSandbox({ ...request, faults: faults.map(parseFault), clock });
      } catch (error) {
        if (!(error instanceof SandboxStartError)) throw error;
        const { message, kind } = error;
        throw new (kind === 'unusable-option' ? UsageError : UnavailableError)(message, { cause: error });
      }
    },
    demo: { port: 0, speed: sandbox.demoSpeed, seed: sandbox.demoSeed, registered: sandbox.demoParcels },
    faults: knownFaults,
  };
};
