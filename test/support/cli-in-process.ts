import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runProgram } from '../../src/commands/program/program.ts';
import type { CommandContext } from '../../src/commands/session/context.ts';
import type { Output } from '../../src/process/standard-output.ts';
import type { Clock } from '../../src/service/clock/clock.ts';
import { createPseudoRandom } from '../polling/harness.ts';
import { realClock } from './real-clock.ts';

/** What a run in this process said, and its exit code. */
export interface InProcessResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How one run differs from the next. */
export interface InProcessRun {
  /** What somebody at a terminal answers; absent where nobody is there. */
  readonly answer?: string;
  readonly signal?: AbortSignal;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A user of the command line with files of their own, in this process. */
export interface InProcessUser {
  readonly home: string;
  run(argv: readonly string[], options?: InProcessRun): Promise<InProcessResult>;
  remove(): Promise<void>;
}

const unused = (): Promise<never> => Promise.reject(new Error('not used here'));

/** Makes a user of a service. */
export async function createInProcessUser(
  environment: Readonly<Record<string, string>>,
  clock: Clock = realClock,
): Promise<InProcessUser> {
  const home = await mkdtemp(join(tmpdir(), 'parcel-monitor-in-process-'));
  const random = createPseudoRandom();
  return {
    home,
    remove: () => rm(home, { recursive: true, force: true }),
    async run(argv, { answer, environment: more = {}, signal = new AbortController().signal } = {}) {
      const said = { stdout: '', stderr: '' };
      const isTerminal = answer !== undefined;
      const output = (name: 'stdout' | 'stderr'): Output => ({
        write: (text) => {
          said[name] += text;
        },
        isTerminal,
        columns: isTerminal ? 100 : null,
        rows: isTerminal ? 30 : null,
      });
      const context: CommandContext = {
        stdout: output('stdout'),
        stderr: output('stderr'),
        stdinIsTerminal: isTerminal,
        stdin: () => Readable.from([]),
        readLine: async () => answer ?? '',
        environment: { HOME: home, LANG: 'en_US.UTF-8', ...environment, ...more },
        homeDirectory: home,
        userId: null,
        platform: 'linux',
        systemZone: () => 'Europe/Berlin',
        clock,
        random,
        processes: { pid: process.pid, scope: () => 'here', isRunning: () => true },
        version: '0',
        nodeVersion: process.versions.node,
        signal,
        onForcedEnd: () => () => undefined,
        startChild: () => {
          throw new Error('not used here');
        },
        runProgram: unused,
        loadSandbox: unused,
        showBoard: unused,
      };
      const exitCode = await runProgram(context, argv);
      return { exitCode, ...said };
    },
  };
}
