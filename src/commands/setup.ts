import { printableText } from '../lib/clean-text.ts';
import { NamedError } from '../lib/error-text.ts';
import { readKeyText } from '../settings/api-key.ts';
import { programPaths } from '../settings/config-file.ts';
import type { GlobalOptions } from '../settings/configuration.ts';
import { describeFailure, UsageError } from '../settings/errors.ts';
import { profileNamed } from '../settings/service-address.ts';
import { type CommandContext, hasScreen } from '../settings/session/context.ts';
import { inSession } from '../settings/session/open-session.ts';
import { printNote } from '../settings/session/output.ts';
import type { CheckResult, KeySource, SaveResult, ServiceChoice } from '../settings/setup/board-setup.ts';
import { checkConnection } from '../settings/setup/check-connection.ts';
import { hostText, isKeyFor } from '../settings/setup/choices.ts';
import { findUsablePlace, keyPlaceTools } from '../settings/setup/key-places.ts';
import {
  assertTrusted,
  type Configured,
  describeCurrentSetup,
  readSetupConfiguration,
  type SetupPlaces,
  saveService,
  saveSettings,
} from '../settings/setup/setup-settings.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

interface SetupOptions {
  readonly keyFromStdin?: boolean;
  readonly keyCommand?: string;
  readonly keyStore?: string;
  readonly header?: string;
  readonly offline?: boolean;
}

/** Opens the setup on the board. If the key is given, or if there is no terminal, sets up without questions. */
export async function runSetup(
  context: CommandContext,
  options: GlobalOptions,
  setupOptions: SetupOptions,
): Promise<ExitCode> {
  const { header, keyCommand, keyFromStdin = false, keyStore, offline } = setupOptions;
  if (!hasScreen(context) || keyFromStdin || keyCommand !== undefined) {
    return await setUpWithoutScreen({ context, options, paths: programPaths(context, options) }, setupOptions);
  }
  if ([header, keyStore, offline].some((value) => value !== undefined)) {
    throw new UsageError('--key-store, --header and --offline require --key-from-stdin or --key-command.');
  }
  const { runBoard } = await import('./board/board.ts');
  return await inSession(context, options, (session) => runBoard(session, { opensSetup: true }), 'user');
}

/**
 * Checks the service and the API key with one request, then saves them. Saves nothing if the check fails. Returns 3 if
 * the key was rejected, and 4 if the service cannot be reached. Throws a {@link UsageError} if something is missing.
 */
async function setUpWithoutScreen(basePlaces: SetupPlaces, options: SetupOptions): Promise<ExitCode> {
  const { context } = basePlaces;
  const { baseUrl: _baseUrl, profile: _profile, ...others } = basePlaces.options;
  // The address and the profile are saved in the file, so they must not override it as options.
  const places: SetupPlaces = { ...basePlaces, options: others };
  assertOptionsGiven(basePlaces, options);
  if (options.keyStore !== undefined) await findUsablePlace(keyPlaceTools(places), options.keyStore);
  const configured = await readSetupConfiguration(places);
  assertTrusted(configured);
  const service = chooseService(basePlaces, options.header ?? null, configured);
  const key = await chooseKey(basePlaces, options, service, configured);
  if (options.keyStore !== undefined && key.kind !== 'entered') {
    throw new UsageError('--key-store requires --key-from-stdin.');
  }
  if (options.offline !== true) {
    const result = await checkConnection(places, { service, key, signal: context.signal });
    printChecks(context, result);
    if (result.failure !== null) {
      printNote(context, `${result.problem} Nothing was saved.`);
      return describeFailure(result.failure).exitCode;
    }
  }
  const keyStore = key.kind === 'entered' ? (options.keyStore ?? 'file') : null;
  const warnings: string[] = [];
  const report = (saved: SaveResult): void => {
    context.stdout.write(printableText(`${saved.summary}\n`));
    warnings.push(...saved.warnings);
  };
  try {
    report(await saveService(places, { service, key, keyStore }));
    if (others.zone !== undefined) report(await saveZone(places, others.zone));
  } catch (error) {
    if (!(error instanceof NamedError)) throw error;
    printNote(context, error.message);
    return exitCode.failed;
  }
  for (const warning of new Set(warnings)) printNote(context, warning);
  return exitCode.done;
}

/** Throws a {@link UsageError} if no option is given, because environment variables alone do not change the file. */
function assertOptionsGiven({ options: { baseUrl, profile } }: SetupPlaces, options: SetupOptions): void {
  const { header, keyCommand, keyFromStdin, keyStore } = options;
  if ([baseUrl, profile, header, keyCommand, keyFromStdin, keyStore].some((value) => value !== undefined)) return;
  throw new UsageError(
    'Without a terminal, setup requires options: --profile track123 or --base-url URL, with --key-from-stdin < FILE or --key-command COMMAND.',
  );
}

/** The zone is saved in the file, so it must not override it as an option. */
const saveZone = (
  { options: { zone: _zone, ...options }, ...places }: SetupPlaces,
  zone: string,
): Promise<SaveResult> =>
  saveSettings({ ...places, options }, [{ path: ['zone'], value: zone }], `Saved the zone ${zone}.`);

function chooseService(places: SetupPlaces, header: string | null, configured: Configured): ServiceChoice {
  const { baseUrl, profile } = places.options;
  const namedProfile = profile === undefined ? null : profileNamed(profile);
  if (baseUrl !== undefined) return { kind: 'base-url', baseUrl, header: header ?? namedProfile?.header ?? null };
  const service =
    namedProfile === null ? serviceFromFile(configured) : { kind: 'profile' as const, profile: namedProfile.profile };
  if (service === null) throw new UsageError('Which service? Use --profile track123 or --base-url URL.');
  if (header === null) return service;
  const address = service.kind === 'profile' ? profileNamed(service.profile).baseUrl : service.baseUrl;
  return { kind: 'base-url', baseUrl: address, header };
}

function serviceFromFile({ settings: { baseUrl, profile, service } }: Configured): ServiceChoice | null {
  if (baseUrl !== undefined) return { kind: 'base-url', baseUrl, header: service?.header ?? null };
  return profile === undefined ? null : { kind: 'profile', profile };
}

async function chooseKey(
  places: SetupPlaces,
  { keyCommand, keyFromStdin, keyStore }: SetupOptions,
  service: ServiceChoice,
  configured: Configured,
): Promise<KeySource> {
  if (keyCommand !== undefined) {
    if (keyStore !== undefined) {
      throw new UsageError('--key-command does not save a key. Leave out --key-store.');
    }
    return { kind: 'command', commandLine: keyCommand };
  }
  if (keyFromStdin === true) return { kind: 'entered', key: await readKey(places.context) };
  const current = describeCurrentSetup(places, configured);
  if (current.key === null) {
    throw new UsageError(
      'Which API key? Use --key-from-stdin < FILE, or --key-command COMMAND for a command that prints it.',
    );
  }
  const { baseUrl, profile } = places.options;
  // A key from the environment is meant for this run, unless the environment also names a different service.
  const isForThisRun =
    current.key.overridesFile && current.service?.overridesFile !== true && (baseUrl ?? profile) !== undefined;
  if (isForThisRun || isKeyFor(service, current)) return { kind: 'present' };
  throw new UsageError({
    what: `The current key (${current.key.place}) belongs to a different service and is not sent to ${hostText(service)}.`,
    advice: 'Give the key for this service with --key-from-stdin or --key-command.',
  });
}

async function readKey(context: CommandContext): Promise<string> {
  if (context.stdinIsTerminal) {
    throw new UsageError({
      what: 'The key would be visible while you type it.',
      advice: 'Pipe it in, or run "parcel-monitor setup" without --key-from-stdin, which hides it.',
    });
  }
  const tooLong = (): UsageError => new UsageError('The text on standard input is too long for an API key.');
  const key = (await readKeyText(context.stdin(), tooLong)).trim();
  if (key === '') throw new UsageError('There is no API key on standard input.');
  return key;
}

function printChecks({ stdout }: CommandContext, { checks, summary }: CheckResult): void {
  const lines = checks.map(({ found, name, status }) => `${status.padEnd(4)}  ${name.padEnd(10)}  ${found}`);
  stdout.write(printableText(`${[...lines, summary].join('\n')}\n`));
}
