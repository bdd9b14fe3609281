import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testClockEnvironment } from '../clock/clock-shift.ts';
import { builtCli } from './built-cli.ts';
import { runInProcess } from './cli-in-process.ts';
import { createHurryingClock, type HurryingClock } from './hurrying-clock.ts';

/** How a run of the program ended. */
export interface CliResult {
  /** Null when a signal killed it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What every run of a user has in common. */
export interface CliUserOptions {
  /** Added to a small environment of the user's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The clock of what runs in this process; a sandbox that limits calls must share it. */
  readonly clock?: HurryingClock;
}

/** How one run in this process differs from the next. */
export interface CliRun {
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** What somebody at a terminal answers; absent where nobody is there. */
  readonly answer?: string;
  readonly signal?: AbortSignal;
}

/** How one run in a process of its own differs from the next. */
export interface BuiltRun {
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** Descriptors of open files that take the place of pipes. */
  readonly stdout?: number;
  readonly stderr?: number;
}

/** Nobody enters two commands at once, and a service counts the calls of a second. */
const betweenCommandsMs = 1_200;

/** A user of the command line: files of their own, an environment of their own, no terminal. */
export interface CliUser {
  readonly home: string;
  /** Runs a command to its end in this process, in a tenth of the time that a process of its own takes. */
  run(cliArguments: readonly string[], options?: CliRun): Promise<CliResult>;
  /** Runs the built program to its end, for tests of what only a process does: streams, signals, start and end. */
  runBuilt(cliArguments: readonly string[], options?: BuiltRun): Promise<CliResult>;
  /** Starts the built program and leaves it running. */
  start(cliArguments: readonly string[], options?: BuiltRun): Promise<ChildProcess>;
  remove(): Promise<void>;
}

/** Makes a user with an empty home. */
export async function createCliUser(options: CliUserOptions = {}): Promise<CliUser> {
  const { clock = createHurryingClock() } = options;
  const home = await mkdtemp(join(tmpdir(), 'parcel-monitor-user-'));
  const environmentWith = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
    ...testClockEnvironment(),
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'en_US.UTF-8',
    TZ: 'Europe/Berlin',
    ...options.environment,
    ...more,
  });
  const start: CliUser['start'] = async (cliArguments, { environment, input = '', stdout, stderr } = {}) => {
    const stdio: StdioOptions = ['pipe', stdout ?? 'pipe', stderr ?? 'pipe'];
    const child = spawn(process.execPath, [await builtCli(), ...cliArguments], {
      stdio,
      env: environmentWith(environment),
    });
    child.stdin?.on('error', () => {
      // A program that ends without reading its input is what some tests are about.
    });
    child.stdin?.end(input);
    return child;
  };
  return {
    home,
    start,
    run(cliArguments, { environment, ...run } = {}) {
      clock.skip(betweenCommandsMs);
      return runInProcess(cliArguments, {
        ...run,
        environment: environmentWith(environment),
        clock,
      });
    },
    async runBuilt(cliArguments, run) {
      const child = await start(cliArguments, run);
      const ended = new Promise<number | null>((resolve, reject) => {
        child.on('close', resolve);
        child.on('error', reject);
      });
      const [stdout, stderr] = await Promise.all(
        [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))),
      );
      return { exitCode: await ended, stdout: stdout ?? '', stderr: stderr ?? '' };
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
}
