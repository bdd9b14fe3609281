import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CliResult, CliUser } from './cli-user.ts';

/** Path of the built program. `build-when-stale.ts` builds it before the first test. */
export const builtCli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface BuiltRun {
  readonly environment?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** Descriptors of open files to use instead of pipes. */
  readonly stdout?: number;
  readonly stderr?: number;
}

/** Starts the built program for a user, in a separate process, and leaves it running. */
export async function startBuiltCli(
  user: CliUser,
  cliArguments: readonly string[],
  { environment, input = '', stdout, stderr }: BuiltRun = {},
): Promise<ChildProcess> {
  const stdio: StdioOptions = ['pipe', stdout ?? 'pipe', stderr ?? 'pipe'];
  const child = spawn(process.execPath, [builtCli, ...cliArguments], {
    stdio,
    env: user.environment(environment),
  });
  child.stdin?.on('error', () => {
    // In some tests, the program exits without reading its input.
  });
  child.stdin?.end(input);
  return child;
}

/** Runs the built program until it exits, in a separate process, for tests of streams, signals, startup and exit. */
export async function runBuiltCli(user: CliUser, cliArguments: readonly string[], run?: BuiltRun): Promise<CliResult> {
  const child = await startBuiltCli(user, cliArguments, run);
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))),
  );
  return { exitCode: await exited, stdout: stdout ?? '', stderr: stderr ?? '' };
}
