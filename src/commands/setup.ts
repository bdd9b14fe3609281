import { printableText } from '../lib/clean-text.ts';
import { keyTextOf } from '../settings/api-key.ts';
import { configurationOfFile, type GlobalOptions } from '../settings/configuration.ts';
import { UsageError } from '../settings/errors.ts';
import { describeFailure } from '../settings/failure.ts';
import { profileNamed } from '../settings/profiles.ts';
import { type CommandContext, hasScreen } from '../settings/session/context.ts';
import { inSession } from '../settings/session/open-session.ts';
import { say, sessionPaths } from '../settings/session/session.ts';
import { hostWords, isKeyOf } from '../settings/setup/choices.ts';
import {
  assertOwn,
  type Configured,
  readConfigured,
  type SetupPlaces,
  setupNow,
} from '../settings/setup/configured.ts';
import type { KeySource, Proof, ServiceChoice, SetupOutcome } from '../settings/setup/effects.ts';
import { KeyPlaceError, keyPlaceTools, usablePlace } from '../settings/setup/key-places.ts';
import { prove } from '../settings/setup/prove.ts';
import { saveService, saveSettings } from '../settings/setup/save.ts';
import { type ExitCode, exitCode } from '../system/exit.ts';

/** Options of `setup` beside those of every command. */
export interface SetupOptions {
  /** The key is on standard input. */
  readonly keyFromStdin?: boolean;
  /** A command that prints the key. */
  readonly keyCommand?: string;
  /** Where the key goes; a file when left out. */
  readonly keyStore?: string;
  /** The header that carries the key. */
  readonly header?: string;
  /** Save without the call that proves service and key. */
  readonly offline?: boolean;
}

/**
 * Sets service and key up without a conversation: proves them with one call, stores the key, writes the configuration.
 * Nothing is written when they do not work. Prints a line a check and what was written. Ends with 3 when the key was refused,
 * with 4 when the service cannot be reached. Rejects with a {@link UsageError} where something is missing.
 */
export async function setupWithoutScreen(places: SetupPlaces, options: SetupOptions): Promise<ExitCode> {
  const { context } = places;
  const { baseUrl: _baseUrl, profile: _profile, ...otherOptions } = places.options;
  // What was given here is what is written; it must not outrank itself.
  const written: SetupPlaces = { ...places, options: otherOptions };
  assertAsked(places, options);
  if (options.keyStore !== undefined) await assertUsable(written, options.keyStore);
  const configured = await readConfigured(written);
  assertOwn(configured);
  const service = serviceGiven(places, options, configured);
  const key = await keyGiven(written, { ...options, named: places.options }, service, configured);
  if (options.keyStore !== undefined && key.kind !== 'entered') {
    throw new UsageError('--key-store says where a key goes that comes with --key-from-stdin: give both, or neither.');
  }
  const keyStore = key.kind === 'entered' ? (options.keyStore ?? 'file') : null;
  if (keyStore !== null) await assertUsable(written, keyStore);
  if (options.offline !== true) {
    const proof = await prove(written, { service, key, signal: context.signal });
    printChecks(context, proof);
    if (proof.failure !== null) {
      say(context, `${proof.problem} Nothing was written.`);
      return describeFailure(proof.failure).exitCode;
    }
  }
  const outcomes = [
    await saveService(written, { service, key, keyStore }),
    ...(otherOptions.zone === undefined ? [] : [await saveZone(written, otherOptions.zone)]),
  ];
  for (const outcome of outcomes) {
    if (outcome.kind === 'failed') {
      say(context, outcome.message);
      return exitCode.failed;
    }
    context.stdout.write(printableText(`${outcome.summary}\n`));
  }
  const warnings = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? outcome.warnings : []));
  for (const warning of new Set(warnings)) say(context, warning);
  return exitCode.done;
}

/** What is set in the environment holds for its own programs: nothing is written because of that alone. */
function assertAsked({ options: { baseUrl, profile } }: SetupPlaces, options: SetupOptions): void {
  const { header, keyCommand, keyFromStdin, keyStore } = options;
  if ([baseUrl, profile, header, keyCommand, keyFromStdin, keyStore].some((given) => given !== undefined)) return;
  throw new UsageError(
    'There is no terminal to ask at, so give what is to be written: --profile track123 or --base-url URL, with --key-from-stdin < FILE or --key-command COMMAND.',
  );
}

/** The zone is written, so that it must not outrank itself either. */
const saveZone = (
  { options: { zone: _zone, ...options }, ...places }: SetupPlaces,
  zone: string,
): Promise<SetupOutcome> =>
  saveSettings({ ...places, options }, [{ path: ['zone'], value: zone }], `The zone ${zone} is written.`);

function serviceGiven(
  places: SetupPlaces,
  options: Pick<SetupOptions, 'header'>,
  configured: Configured,
): ServiceChoice {
  const { baseUrl, profile } = places.options;
  const header = options.header ?? null;
  if (baseUrl !== undefined) {
    return {
      kind: 'base-url',
      baseUrl,
      header: header ?? (profile === undefined ? null : profileNamed(profile).header),
    };
  }
  if (profile !== undefined) {
    const service: ServiceChoice = { kind: 'profile', profile: profileNamed(profile).profile };
    return header === null ? service : withHeader(service, header);
  }
  // Whatever holds in its place now: it is the one whose key is written there.
  const { service } = setupNow(places, { configuration: configurationOfFile(configured.configuration) });
  if (service !== null) return header === null ? service : withHeader(service, header);
  throw new UsageError('Say which service it is: --profile track123, or --base-url URL.');
}

const withHeader = (service: ServiceChoice, header: string): ServiceChoice => ({
  kind: 'base-url',
  baseUrl: service.kind === 'profile' ? profileNamed(service.profile).baseUrl : service.baseUrl,
  header,
});

async function keyGiven(
  places: SetupPlaces,
  options: SetupOptions & { readonly named: Pick<SetupPlaces['options'], 'baseUrl' | 'profile'> },
  service: ServiceChoice,
  configured: Configured,
): Promise<KeySource> {
  const { context } = places;
  const { keyCommand, keyFromStdin } = options;
  if (keyCommand !== undefined) {
    if (options.keyStore !== undefined) {
      throw new UsageError('A key that a command prints is not stored: leave out --key-store, or --key-command.');
    }
    return { kind: 'command', commandLine: keyCommand };
  }
  if (keyFromStdin === true) return { kind: 'entered', key: await readKey(context) };
  const now = setupNow(places, configured);
  if (now.key !== null) {
    const { baseUrl, profile } = options.named;
    // One of the environment was given for this start, unless an address beside it says for what.
    const isForThis = now.key.outranksFile && now.service?.outranksFile !== true && (baseUrl ?? profile) !== undefined;
    if (isForThis || isKeyOf(service, now)) return { kind: 'present' };
    throw new UsageError({
      what: `The key that is set (${now.key.place}) belongs to another service and is not sent to ${hostWords(service)}.`,
      advice: 'Give its own key with --key-from-stdin or --key-command.',
    });
  }
  throw new UsageError(
    'Without a terminal, the key comes on standard input: parcel-monitor setup --profile track123 --key-from-stdin < FILE. A command that prints it is named with --key-command.',
  );
}

async function readKey(context: CommandContext): Promise<string> {
  if (context.stdinIsTerminal) {
    throw new UsageError({
      what: 'A key that is typed here would be seen.',
      advice: 'Run "parcel-monitor setup" without --key-from-stdin, which does not show it, or pipe it in.',
    });
  }
  const tooLong = (): UsageError => new UsageError('What is on standard input is far too long for an API key.');
  const key = (await keyTextOf(context.stdin(), tooLong)).trim();
  if (key === '') throw new UsageError('There is no API key on standard input.');
  return key;
}

/** Before anything is sent: a place that does not exist is a wrong option. */
async function assertUsable(places: SetupPlaces, id: string): Promise<void> {
  try {
    await usablePlace(keyPlaceTools(places), id);
  } catch (error) {
    if (!(error instanceof KeyPlaceError)) throw error;
    throw new UsageError(error, { cause: error });
  }
}

function printChecks({ stdout }: CommandContext, { checks, summary }: Proof): void {
  const lines = checks.map(({ found, name, status }) => `${status.padEnd(4)}  ${name.padEnd(10)}  ${found}`);
  stdout.write(printableText(`${[...lines, summary].join('\n')}\n`));
}

/**
 * Sets the program up: in a conversation that ends in the board, or, where the key is given with the command or there is no
 * terminal, at once.
 */
export async function runSetup(
  context: CommandContext,
  globalOptions: GlobalOptions,
  options: SetupOptions,
): Promise<ExitCode> {
  const isTerminal = hasScreen(context);
  const { header, keyCommand, keyFromStdin = false, keyStore, offline } = options;
  if (!isTerminal || keyFromStdin || keyCommand !== undefined) {
    const paths = sessionPaths(context, globalOptions);
    return await setupWithoutScreen({ context, options: globalOptions, paths }, options);
  }
  if ([header, keyStore, offline].some((given) => given !== undefined)) {
    throw new UsageError('--key-store, --header and --offline go with --key-from-stdin or --key-command.');
  }
  const { runBoard } = await import('./board/board.ts');
  return await inSession(context, globalOptions, (session) => runBoard(session, { opensSetup: true }), 'user');
}
