import { Readable } from 'node:stream';
import packageJson from '../../package.json' with { type: 'json' };
import { runProgram } from '../../src/commands/program/program.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createSandboxLoader, keyProblems } from '../../src/main.ts';
import type { CommandContext, ShowBoard, ShowStartProgress } from '../../src/settings/session/context.ts';
import { createProcesses } from '../../src/store/file/processes.ts';
import { createStartChild } from '../../src/system/child-processes.ts';
import { createRunProgram } from '../../src/system/run-program.ts';
import type { Output } from '../../src/system/standard-streams.ts';
import { createOutputCollector, type ProgramOutput } from './output-collector.ts';
import { realClock } from './real-clock.ts';

/** The environment of one run. */
export interface InProcessRun {
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Standard input. */
  readonly input?: string;
  /** The user's answers at a terminal. Absent without a terminal. */
  readonly answer?: string;
  /** Interrupts it, like Ctrl+C. */
  readonly signal?: AbortSignal;
  /** Replaces the screen. If present, there is a terminal. */
  readonly showBoard?: ShowBoard;
  /** Replaces the line that shows what the board is waiting for. If absent, there is no such line. */
  readonly showStartProgress?: ShowStartProgress;
}

/** A command that runs in this process. */
export interface InProcessCommand {
  stdout(): string;
  stderr(): string;
  /** Resolves once `reached` returns true for its output. Rejects if the command ends first. */
  until(reached: (said: ProgramOutput) => boolean): Promise<void>;
  /** Resolves with its exit code. Never rejects. */
  readonly ended: Promise<number>;
}

/** Starts a command in this process, with a context like the one that `main.ts` creates, but without the board. */
export function startInProcess(
  argv: readonly string[],
  {
    environment,
    clock,
    input = '',
    answer,
    showBoard,
    showStartProgress,
    signal = new AbortController().signal,
  }: InProcessRun,
): InProcessCommand {
  const collector = createOutputCollector();
  const isTerminal = answer !== undefined || showBoard !== undefined;
  const output = (name: keyof ProgramOutput): Output => ({
    write: (text) => collector.add(name, text),
    isTerminal,
    columns: isTerminal ? 100 : null,
    rows: isTerminal ? 30 : null,
  });
  const startChild = createStartChild({ parent: process, environment, clock: realClock });
  const context: CommandContext = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdinIsTerminal: isTerminal,
    stdin: () => Readable.from([Buffer.from(input)]),
    readLine: async () => answer ?? '',
    arguments: argv,
    environment,
    homeDirectory: environment['HOME'] ?? null,
    userId: process.geteuid?.() ?? null,
    platform: process.platform,
    systemZone: () => environment['TZ'] ?? 'UTC',
    clock,
    random: Math.random,
    processes: createProcesses(process),
    version: packageJson.version,
    nodeVersion: process.versions.node,
    signal,
    onForcedEnd: () => () => undefined,
    passInterruptsOn: () => () => undefined,
    startChild,
    runProgram: createRunProgram({ startChild, clock: realClock, signal }),
    keyProblems,
    loadSandbox: createSandboxLoader(clock),
    showBoard: showBoard ?? (() => Promise.reject(new Error('The board needs a process and a terminal of its own.'))),
    ...(showStartProgress === undefined ? {} : { showStartProgress: showStartProgress }),
  };
  const ended = runProgram(context, argv).finally(collector.end);
  return {
    stdout: () => collector.output.stdout,
    stderr: () => collector.output.stderr,
    until: collector.until,
    ended,
  };
}
