import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import type { ShowBoard, ShowStartProgress } from '../../src/settings/session/context.ts';
import { testClockEnvironment } from '../clock/clock-shift.ts';
import { type InProcessCommand, startInProcess } from './cli-in-process.ts';
import { createSkippingClock, type SkippingClock } from './skipping-clock.ts';

export interface CliResult {
  /** Null if a signal killed it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Applies to all runs of a user. */
export interface CliUserOptions {
  /** Added to the user's small environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The clock for commands that run to completion. A sandbox that limits calls must share it. */
  readonly clock?: SkippingClock;
}

export interface CliRun {
  readonly environment?: Readonly<Record<string, string>>;
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

/** A user of the command line with their own files and environment, without a terminal. */
export interface CliUser {
  readonly home: string;
  readonly configFile: string;
  /** Writes `config.json`, as a string or as an object, readable only by the user. */
  configure(content: object | string): Promise<void>;
  /** The user's environment, plus other variables. */
  environment(more?: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Runs a command to completion in this process, which takes a tenth of the time of a separate process. */
  run(cliArguments: readonly string[], options?: CliRun): Promise<CliResult>;
  /** Starts a command that keeps running in this process, on a clock at normal speed. */
  start(cliArguments: readonly string[], clock: Clock, options?: CliRun): InProcessCommand;
  remove(): Promise<void>;
}

/** A user does not enter two commands within a second, and the service limits calls per second. */
const betweenCommandsMs = 1_200;

export async function createCliUser(options: CliUserOptions = {}): Promise<CliUser> {
  const skippingClock = options.clock ?? createSkippingClock();
  const home = await mkdtemp(join(tmpdir(), 'parcel-monitor-user-'));
  const environmentWith: CliUser['environment'] = (more) => ({
    ...testClockEnvironment(),
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'en_US.UTF-8',
    TERM: 'xterm-256color',
    TZ: 'Europe/Berlin',
    ...options.environment,
    ...more,
  });
  const configFile = join(home, '.config', 'parcel-monitor', 'config.json');
  const start: CliUser['start'] = (cliArguments, clock, { environment, ...run } = {}) =>
    startInProcess(cliArguments, { ...run, environment: environmentWith(environment), clock });
  return {
    home,
    configFile,
    async configure(content) {
      await mkdir(dirname(configFile), { recursive: true, mode: 0o700 });
      await writeFile(configFile, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    },
    environment: environmentWith,
    start,
    async run(cliArguments, run) {
      skippingClock.skip(betweenCommandsMs);
      const command = start(cliArguments, skippingClock, run);
      return { exitCode: await command.ended, stdout: command.stdout(), stderr: command.stderr() };
    },
    // An interrupted command may still be writing.
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** A user for each test of the file. Their files are removed afterwards. */
export function userForEachTest(options: CliUserOptions = {}): CliUser {
  let user: CliUser | null = null;
  const current = (): CliUser => {
    if (user === null) throw new Error('The user exists only within a test.');
    return user;
  };
  beforeEach(async () => {
    user = await createCliUser(options);
  });
  afterEach(() => current().remove());
  return {
    get home() {
      return current().home;
    },
    get configFile() {
      return current().configFile;
    },
    configure: (content) => current().configure(content),
    environment: (more) => current().environment(more),
    run: (cliArguments, run) => current().run(cliArguments, run),
    start: (cliArguments, clock, run) => current().start(cliArguments, clock, run),
    remove: () => current().remove(),
  };
}
