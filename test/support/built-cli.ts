import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';
import { testClockEnvironment } from '../clock/clock-shift.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const builtPath = join(root, 'dist', 'cli.js');

/**
 * Path of the built program. It is built first when it is missing or older than its sources; test files that run at
 * the same time wait for one another.
 */
export async function builtCli(): Promise<string> {
  const workshop = join(root, 'node_modules', '.cache', 'parcel-monitor');
  await mkdir(workshop, { recursive: true });
  const release = await lock(workshop, { retries: { retries: 240, minTimeout: 250, maxTimeout: 250 }, stale: 60_000 });
  try {
    const newest = Math.max(
      ...(await Promise.all(['src', '.config'].map((name) => newestChange(join(root, name))))),
      (await stat(join(root, 'package.json'))).mtimeMs,
    );
    const built = await stat(builtPath).catch(() => null);
    if (built === null || built.mtimeMs < newest) {
      await promisify(execFile)(process.execPath, [join(root, '.config', 'build.ts')]);
    }
  } finally {
    await release();
  }
  return builtPath;
}

async function newestChange(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true });
  const changes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).mtimeMs));
  return Math.max(0, ...changes);
}

/** How a run of the program ended. */
export interface CliResult {
  /** Null when a signal killed it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user of the program: files of their own, an environment of their own. */
export interface CliUser {
  readonly home: string;
  /** Runs the program to its end; `input` is its standard input. */
  run(cliArguments: readonly string[], options?: RunOptions): Promise<CliResult>;
  /** Starts the program and leaves it running. */
  start(cliArguments: readonly string[], options?: RunOptions): ChildProcess;
  remove(): Promise<void>;
}

/** What differs from one run to the next. */
export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Descriptors of open files that take the place of pipes. */
  readonly stdout?: number;
  readonly stderr?: number;
}

/** Makes a user with an empty home and no terminal. */
export async function createCliUser(): Promise<CliUser> {
  const cli = await builtCli();
  const home = await mkdtemp(join(tmpdir(), 'parcel-monitor-user-'));
  const start: CliUser['start'] = (cliArguments, options = {}) => {
    const { environment = {}, input = '', stdout = 'pipe', stderr = 'pipe' } = options;
    const child = spawn(process.execPath, [cli, ...cliArguments], {
      stdio: ['pipe', stdout, stderr],
      env: {
        ...testClockEnvironment(),
        PATH: process.env['PATH'],
        HOME: home,
        LANG: 'en_US.UTF-8',
        TZ: 'Europe/Berlin',
        ...environment,
      },
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
    async run(cliArguments, options) {
      const child = start(cliArguments, options);
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
