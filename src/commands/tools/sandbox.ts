import { type ExitCode, exitCode } from '../../process/exit-code.ts';
import type { GlobalOptions } from '../configuration/configuration.ts';
import { profileNamed } from '../configuration/profiles.ts';
import type { CommandContext, SandboxRequest } from '../session/context.ts';
import { say } from '../session/session.ts';
import { untilAborted } from '../session/until-aborted.ts';

/** Options of `sandbox`. */
export interface SandboxOptions extends Pick<SandboxRequest, 'basePath' | 'credit' | 'port' | 'seed' | 'speed'> {
  /** Each as `NAME[:p=0.3][:count=5][:delay=2000][:OPERATION]`. */
  readonly fault?: readonly string[];
  /** How many couriers are listed at least. */
  readonly couriers?: number;
  /** Address on this machine that is called back on every change. */
  readonly webhook?: string;
  /** Header that carries the key; outranks that of the profile, as `basePath` does its path. */
  readonly header?: string;
}

/** Runs the embedded service and prints how to reach it, until the program is to stop. */
export async function runSandbox(
  context: CommandContext,
  { profile }: Pick<GlobalOptions, 'profile'>,
  options: SandboxOptions,
): Promise<ExitCode> {
  const { couriers, fault: faults = [], header: _header, webhook, ...request } = options;
  const { start } = await context.loadSandbox();
  const sandbox = await start({
    ...request,
    faults,
    ...(webhook === undefined ? {} : { webhookUrl: webhook }),
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
    if (request.credit !== undefined)
      say(context, `Its account has credit for ${request.credit} registrations and instant calls.`);
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
