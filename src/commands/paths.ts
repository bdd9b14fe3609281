import { printableText } from '../lib/clean-text.ts';
import { programPaths } from '../settings/config-file.ts';
import type { GlobalOptions } from '../settings/configuration.ts';
import { profileNamed } from '../settings/profiles.ts';
import { type CommandContext, type SandboxRequest, untilAborted } from '../settings/session/context.ts';
import { printJson, printNote } from '../settings/session/session.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';
import type { PathsJson } from './published-schemas.ts';
import type { JsonOption } from './results.ts';

/** Removes control characters only at a terminal, because other programs need the exact paths. */
export function runPaths(
  context: CommandContext,
  options: Pick<GlobalOptions, 'config'>,
  { json = false }: JsonOption,
): ExitCode {
  const { config, data, watchlist, history, changes, state, couriers } = programPaths(context, options);
  const paths = { config, data, watchlist, history, changes, state, couriers };
  if (json) {
    printJson<PathsJson>(context, { version: 1, ...paths });
    return exitCode.done;
  }
  const shown = context.stdout.isTerminal ? printableText : (path: string): string => path;
  context.stdout.write(
    Object.entries(paths)
      .map(([name, path]) => `${name}\t${shown(path)}\n`)
      .join(''),
  );
  return exitCode.done;
}

export interface SandboxOptions extends Omit<SandboxRequest, 'faults' | 'registered'> {
  readonly fault?: SandboxRequest['faults'];
  readonly profile?: string;
}

export async function runSandbox(
  context: CommandContext,
  _globals: GlobalOptions,
  options: SandboxOptions,
): Promise<ExitCode> {
  const { fault: faults = [], profile, ...request } = options;
  const { start } = await context.loadSandbox();
  const sandbox = await start({ ...profileOptions(profile), ...request, faults });
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
    if (faults.length > 0) printNote(context, `Injected faults: ${faults.join(', ')}.`);
    if (request.credit !== undefined)
      printNote(context, `The account has ${request.credit} registrations and instant calls left.`);
    if (request.webhook !== undefined) printNote(context, `The sandbox calls ${request.webhook} on every change.`);
    else if (request.webhookSignature !== undefined && request.webhookSignature !== 'hmac')
      printNote(context, '--webhook-signature has no effect without --webhook.');
    printNote(context, 'The sandbox is running. Press Ctrl+C to stop it.');
    await untilAborted(context.signal);
    return exitCode.done;
  } finally {
    await sandbox.close();
  }
}

/** Throws a `UsageError` for an unknown profile. */
function profileOptions(profile: string | undefined): Pick<SandboxRequest, 'header' | 'basePath'> {
  if (profile === undefined) return {};
  const { baseUrl, header } = profileNamed(profile);
  return { header, basePath: new URL(baseUrl).pathname };
}
