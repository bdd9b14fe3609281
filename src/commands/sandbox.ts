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
  /** Each as `NAME[:p=0.3][:count=5][:delay=2000][:OPERATION]`. */
  readonly fault?: readonly string[];
  /** How many registrations and instant calls the account has left; no limit when left out. */
  readonly credit?: number;
  /** How many couriers are listed at least. */
  readonly couriers?: number;
  /** Address on this machine that is called back on every change. */
  readonly webhook?: string;
}

/** Runs the embedded service and prints how to reach it, until the program is told to stop. */
export async function runSandbox(
  context: CommandContext,
  { credit, couriers, fault: faults = [], webhook, port, speed, seed }: SandboxOptions,
): Promise<ExitCode> {
  const { start } = await context.loadSandbox();
  const sandbox = await start({
    port,
    speed,
    seed,
    registered: [],
    faults,
    ...(webhook === undefined ? {} : { webhookUrl: webhook }),
    ...(credit === undefined ? {} : { credit }),
    ...(couriers === undefined ? {} : { couriersPadding: couriers }),
  });
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
    if (faults.length > 0) say(context, `It does wrong on purpose: ${faults.join(', ')}.`);
    if (credit !== undefined) say(context, `Its account has credit for ${credit} registrations and instant calls.`);
    if (webhook !== undefined) say(context, `It calls back ${webhook} on every change.`);
    say(context, 'The sandbox is running; Ctrl-C ends it.');
    await untilAborted(context.signal);
    return exitCode.done;
  } finally {
    await sandbox.close();
  }
}
