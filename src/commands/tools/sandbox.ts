import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { profileNamed } from '../configuration/profiles.ts';
import type { CommandContext, SandboxRequest } from '../session/context.ts';
import { say } from '../session/session.ts';
import { untilAborted } from '../session/waiting.ts';

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
  /** Header that carries the key; outranks that of the profile. */
  readonly header?: string;
  /** Outranks that of the profile. */
  readonly basePath?: string;
}

/** Runs the embedded service and prints how to reach it, until the program is to stop. */
export async function runSandbox(
  context: CommandContext,
  { profile }: Pick<GlobalOptions, 'profile'>,
  options: SandboxOptions,
): Promise<ExitCode> {
  const { credit, couriers, fault: faults = [], webhook, port, speed, seed } = options;
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
    ...placeOf(profile, options),
  });
  try {
    context.stdout.write(
      [
        `base URL: ${sandbox.baseUrl}`,
        `API key: ${sandbox.apiKey}`,
        `export PARCEL_MONITOR_BASE_URL=${sandbox.baseUrl}`,
        `export PARCEL_MONITOR_API_KEY=${sandbox.apiKey}`,
        `export PARCEL_MONITOR_API_HEADER=${sandbox.headerName}`,
        '',
      ].join('\n'),
    );
    if (faults.length > 0) say(context, `Faults on purpose: ${faults.join(', ')}.`);
    if (credit !== undefined) say(context, `Its account has credit for ${credit} registrations and instant calls.`);
    if (webhook !== undefined) say(context, `It calls back ${webhook} on every change.`);
    say(context, 'The sandbox is running; Ctrl-C ends it.');
    await untilAborted(context.signal);
    return exitCode.done;
  } finally {
    await sandbox.close();
  }
}

/**
 * Where clients look for the service, and how they send the key. A profile is a known deployment, whose clients need no change.
 * Throws a `UsageError` for a profile that there is not.
 */
function placeOf(
  profile: string | undefined,
  { header, basePath }: SandboxOptions,
): Pick<SandboxRequest, 'headerName' | 'basePath'> {
  const known = profile === undefined ? null : profileNamed(profile);
  const headerName = header ?? known?.header;
  const path = basePath ?? (known === null ? undefined : new URL(known.baseUrl).pathname);
  return {
    ...(headerName === undefined ? {} : { headerName }),
    ...(path === undefined ? {} : { basePath: path }),
  };
}
