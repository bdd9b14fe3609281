import { defaultKeyHeader } from '../service/operations.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';
import { say } from './session.ts';
import { untilAborted } from './waiting.ts';

/** Options of `sandbox`. */
export interface SandboxOptions {
  readonly port: number;
  readonly speed: number;
  readonly seed: number;
}

/** Runs the embedded service and prints how to reach it, until the program is told to stop. */
export async function runSandbox(context: CommandContext, options: SandboxOptions): Promise<ExitCode> {
  const { start } = await context.loadSandbox();
  const sandbox = await start({ ...options, registered: [] });
  try {
    context.stdout.write(
      [
        `base URL: ${sandbox.baseUrl}`,
        `API key: ${sandbox.apiKey}`,
        `export PARCEL_MONITOR_BASE_URL=${sandbox.baseUrl}`,
        `export PARCEL_MONITOR_API_KEY=${sandbox.apiKey}`,
        `export PARCEL_MONITOR_API_HEADER=${defaultKeyHeader}`,
        '',
      ].join('\n'),
    );
    say(context, 'The sandbox is running; Ctrl-C ends it.');
    await untilAborted(context.signal);
    return exitCode.done;
  } finally {
    await sandbox.close();
  }
}
