import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';
import type { CliResult, CliUser } from './cli-user.ts';

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

/** How one run of the built program differs from the next. */
export interface BuiltRun {
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** Descriptors of open files that take the place of pipes. */
  readonly stdout?: number;
  readonly stderr?: number;
}

/** Starts the built program for a user, in a process of its own, and leaves it running. */
export async function startBuilt(
  user: CliUser,
  cliArguments: readonly string[],
  { environment, input = '', stdout, stderr }: BuiltRun = {},
): Promise<ChildProcess> {
  const stdio: StdioOptions = ['pipe', stdout ?? 'pipe', stderr ?? 'pipe'];
  const child = spawn(process.execPath, [await builtCli(), ...cliArguments], {
    stdio,
    env: user.environment(environment),
  });
  child.stdin?.on('error', () => {
    // A program that ends without reading its input is what some tests are about.
  });
  child.stdin?.end(input);
  return child;
}

/**
 * Runs the built program to its end, in a process of its own: for tests of what only a process has, which are streams,
 * signals, start and end.
 */
export async function runBuilt(user: CliUser, cliArguments: readonly string[], run?: BuiltRun): Promise<CliResult> {
  const child = await startBuilt(user, cliArguments, run);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))),
  );
  return { exitCode: await ended, stdout: stdout ?? '', stderr: stderr ?? '' };
}
