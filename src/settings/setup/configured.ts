import { printableText } from '../../lib/clean-text.ts';
import { isSameAddress } from '../../service/address.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { nonEmpty } from '../../system/environment.ts';
import { type ProgramPaths, readConfigFile } from '../config-file.ts';
import type { SettingChange } from '../config-text.ts';
import {
  type Configuration,
  configurationOfFile,
  type GlobalOptions,
  resolveConfiguration,
  settledBy,
} from '../configuration.ts';
import { UsageError } from '../errors.ts';
import type { Doubt } from '../file-trust.ts';
import { profileNamed } from '../profiles.ts';
import type { CommandContext } from '../session/context.ts';
import { createSession } from '../session/open-session.ts';
import { type Session, styleOf } from '../session/session.ts';
import type { ConfigFile } from '../table.ts';
import { commandLineOf, usableBaseUrl, usableHeader } from '../usable-values.ts';
import type { ServiceChoice, SetPlace, SetupNow } from './effects.ts';

/** What the conversation changes and looks at. */
export interface SetupPlaces {
  readonly context: CommandContext;
  readonly options: GlobalOptions;
  readonly paths: ProgramPaths;
  /** Told which key a command has printed: who runs the program need not be asked for it again. */
  readonly keyFound?: (command: readonly string[], key: string) => void;
}

/** The configuration as it is, and the file of it. */
export interface Configured {
  readonly configuration: Configuration;
  readonly file: ConfigFile;
  readonly foreignWriter: Doubt | null;
  readonly doubts: readonly Doubt[];
}

/** Reads the configuration. A file named with `--config` need not be there: setting up makes it. Rejects with a `UsageError`. */
export async function readConfigured({ context, options, paths }: SetupPlaces): Promise<Configured> {
  const { settings: file, foreignWriter, doubts } = await readConfigFile(paths.config, false, context.userId);
  const configuration = resolveConfiguration({ ...settledBy(context, paths), options, file, foreignWriter });
  return { configuration, file, foreignWriter, doubts };
}

/**
 * Throws a `UsageError` if others can write the file: the service in it may be theirs, and new settings would be
 * ignored.
 */
export function assertOwn({ foreignWriter }: Pick<Configured, 'foreignWriter'>): void {
  if (foreignWriter !== null) {
    throw new UsageError({ what: foreignWriter.found, advice: foreignWriter.advice });
  }
}

/** Base URL and header of the key of a service that was chosen. Throws a `UsageError` where the choice cannot be used. */
export function chosenService(service: ServiceChoice): Pick<Configuration, 'header'> & { readonly baseUrl: URL } {
  const { baseUrl, header } = service.kind === 'profile' ? profileNamed(service.profile) : service;
  return { baseUrl: usableBaseUrl(baseUrl), header: usableHeader(nonEmpty(header ?? undefined) ?? defaultKeyHeader) };
}

/** What is set now, and where. */
export function setupNow(
  { context, paths }: SetupPlaces,
  { configuration }: Pick<Configured, 'configuration'>,
): SetupNow {
  const { notify, setBy } = configuration;
  return {
    service: serviceNow(configuration),
    key: setBy.key === null ? null : placeOf(setBy.key),
    zone: configuration.zone(),
    zoneSet: setBy.zone === null ? null : placeOf(setBy.zone),
    machineZone: context.systemZone(),
    channels: notify.channels,
    notifyCommand: notify.command.kind === 'command' ? printableText(commandLineOf(notify.command.command)) : null,
    configFile: printableText(paths.config),
  };
}

const placeOf = (setBy: string): SetPlace => ({ place: printableText(setBy), outranksFile: outranks(setBy) });

function serviceNow({ baseUrl, header, profile, setBy }: Configuration): SetupNow['service'] {
  if (baseUrl === null || setBy.baseUrl === null) return null;
  const place = placeOf(setBy.baseUrl);
  return profile === null
    ? { ...place, kind: 'base-url', baseUrl: baseUrl.href, header: header === defaultKeyHeader ? null : header }
    : { ...place, kind: 'profile', profile };
}

/** Has something done in a session under a configuration that may be none of the program's, and closes it. Rejects as the work. */
export async function withSessionOf<Answer>(
  { context, options, paths }: SetupPlaces,
  configuration: Configuration,
  work: (session: Session) => Promise<Answer>,
): Promise<Answer> {
  await using session = createSession({ context, configuration, paths, style: styleOf(context, options) }, 'user');
  return await work(session);
}

/** What can be set in several places, by the settings that say it. */
const decided: readonly (readonly [keyof Configuration['setBy'], what: string, written: readonly string[]])[] = [
  ['baseUrl', 'address', ['baseUrl', 'profile']],
  ['header', 'header of the key', ['service', 'profile']],
  ['key', 'key', ['apiKey', 'apiKeyFile', 'apiKeyCommand']],
  ['store', 'store', ['store']],
  ['zone', 'zone', ['zone']],
];

/** Returns a sentence for each setting just saved that something overrides or that the file's rights disable. */
export async function outrankingWarnings(
  places: SetupPlaces,
  changes: readonly SettingChange[],
): Promise<readonly string[]> {
  try {
    const { configuration, doubts } = await readConfigured(places);
    const outranked = outrankedSettings(
      changes.map(({ path }) => path[0]),
      configuration,
    );
    return [...outranked, ...doubts.map(({ found, advice }) => printableText(`${found} ${advice}`))];
  } catch (error) {
    // An option or variable of no use: it does not get better by what was written.
    if (!(error instanceof UsageError)) throw error;
    return [error.message];
  }
}

/**
 * Returns a sentence for each setting of `config.json` that something overrides.
 * @param written the saved names, without the names below them
 */
export function outrankedSettings(
  written: readonly string[],
  configuration: Pick<Configuration, 'baseUrl' | 'header' | 'setBy' | 'store' | 'storeSource' | 'zone'>,
): readonly string[] {
  const { setBy } = configuration;
  const concerned = decided.filter(
    ([name, , settings]) => outranks(setBy[name]) && settings.some((one) => written.includes(one)),
  );
  if (concerned.length === 0) return [];
  const ofFile = orNull(() => configurationOfFile(configuration));
  return concerned
    .filter(([name]) => ofFile === null || !saySame[name](configuration, ofFile))
    .flatMap(([name, what]) => sentenceOf(what, setBy[name]));
}

/** Options and variables apply, no matter what the file says. */
export const outranks = (setBy: string | null): setBy is string => setBy !== null && !setBy.startsWith('config.json');

type Decided = Pick<Configuration, 'baseUrl' | 'header' | 'store' | 'zone'>;

const saySame: Readonly<Record<keyof Configuration['setBy'], (one: Decided, other: Decided) => boolean>> = {
  baseUrl: (one, other) => one.baseUrl !== null && other.baseUrl !== null && isSameAddress(one.baseUrl, other.baseUrl),
  header: (one, other) => one.header.toLowerCase() === other.header.toLowerCase(),
  // Keys are not fetched to be compared.
  key: () => false,
  store: (one, other) => placeOfStore(one) === placeOfStore(other),
  zone: (one, other) => one.zone() === other.zone(),
};

const placeOfStore = ({ store }: Decided): string => (store.kind === 'file' ? store.kind : store.address.place);

/** Null for what the file alone does not settle, as something in it cannot be used. */
function orNull<Answer>(settle: () => Answer): Answer | null {
  try {
    return settle();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return null;
  }
}

function sentenceOf(what: string, setBy: string | null): readonly string[] {
  if (!outranks(setBy)) return [];
  return setBy.startsWith('--')
    ? [`${setBy} overrides the saved ${what} this time; leave it out next time.`]
    : [
        `${setBy} is set in the environment and overrides the saved ${what}; unset it (and check where your shell sets it).`,
      ];
}
