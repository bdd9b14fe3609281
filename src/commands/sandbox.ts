import type { GlobalOptions } from '../settings/configuration.ts';
import { profileNamed } from '../settings/profiles.ts';
import { type CommandContext, type SandboxRequest, untilAborted } from '../settings/session/context.ts';
import { say } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

/** Options of `sandbox`. */
export interface SandboxOptions extends Omit<SandboxRequest, 'faults'> {
  readonly fault?: SandboxRequest['faults'];
  /** A known deployment of the service, whose clients need no change. */
  readonly profile?: string;
}

/** Runs the embedded service and prints how to reach it, until the program is to stop. */
export async function runSandbox(
  context: CommandContext,
  _globals: GlobalOptions,
  options: SandboxOptions,
): Promise<ExitCode> {
  const { fault: faults = [], profile, ...request } = options;
  const { start } = await context.loadSandbox();
  const sandbox = await start({ ...placeOf(profile), ...request, faults });
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
    if (request.webhook !== undefined) say(context, `It calls back ${request.webhook} on every change.`);
    else if (request.webhookSignature !== undefined && request.webhookSignature !== 'hmac')
      say(context, '--webhook-signature does nothing without --webhook.');
    say(context, 'The sandbox is running; Ctrl-C ends it.');
    await untilAborted(context.signal);
    return exitCode.done;
  } finally {
    await sandbox.close();
  }
}

/**
 * Where clients of a known deployment look for the service, and how they send the key, unless options say otherwise: they need no
 * change. Throws a `UsageError` for a profile that there is not.
 */
function placeOf(profile: string | undefined): Pick<SandboxRequest, 'header' | 'basePath'> {
  if (profile === undefined) return {};
  const { baseUrl, header } = profileNamed(profile);
  return { header, basePath: new URL(baseUrl).pathname };
}
