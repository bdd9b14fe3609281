import { printableText } from '../../lib/clean-text.ts';
import { isSameAddress } from '../../service/address.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { nonEmpty } from '../../system/environment.ts';
import type { SettingChange } from '../config-text.ts';
import type { Configuration } from '../configuration.ts';
import { UsageError } from '../errors.ts';
import { profileNamed } from '../profiles.ts';
import { resolvedSetting, type SettingPath, type SettingsSource } from '../resolved-settings.ts';
import { createSession, readConfiguration, type SettingsPlaces } from '../session/open-session.ts';
import { type Session, styleOf } from '../session/session.ts';
import { joinCommand, usableBaseUrl, usableHeader } from '../usable-values.ts';
import type { ServiceChoice, SetPlace, SetupNow } from './effects.ts';

/** Context of the setup. */
export interface SetupPlaces extends SettingsPlaces {
  /** Called with the key that a command printed, so that the user need not unlock it again. */
  readonly keyFound?: (command: readonly string[], key: string) => void;
}

/** Reads the configuration. The file may be missing, because the setup creates it. Rejects with a `UsageError`. */
export const readConfigured = (places: SetupPlaces) => readConfiguration(places, false);
export type Configured = Awaited<ReturnType<typeof readConfigured>>;

/**
 * Throws a `UsageError` if other users can write the file: the service in it may be theirs, and new settings would be
 * ignored.
 */
export function assertTrusted({ foreignWriter }: Pick<Configured, 'foreignWriter'>): void {
  if (foreignWriter !== null) {
    throw new UsageError({ what: foreignWriter.found, advice: foreignWriter.advice });
  }
}

/** Returns base URL and key header of the chosen service. Throws a `UsageError` if the choice cannot be used. */
export function chosenService(service: ServiceChoice): Pick<Configuration, 'header'> & { readonly baseUrl: URL } {
  const { baseUrl, header } = service.kind === 'profile' ? profileNamed(service.profile) : service;
  return { baseUrl: usableBaseUrl(baseUrl), header: usableHeader(nonEmpty(header ?? undefined) ?? defaultKeyHeader) };
}

/** Returns the current settings and where they are set. */
export function setupNow({ context, paths }: SetupPlaces, { configuration }: Configured): SetupNow {
  const { notify, setBy } = configuration;
  return {
    service: serviceNow(configuration),
    key: setBy.key === null ? null : placeOf(setBy.key),
    zone: configuration.zone(),
    zoneSet: setBy.zone === null ? null : placeOf(setBy.zone),
    machineZone: context.systemZone(),
    channels: notify.channels,
    notifyCommand: notify.command.kind === 'command' ? printableText(joinCommand(notify.command.command)) : null,
    configFile: printableText(paths.config),
  };
}

const placeOf = (setBy: string): SetPlace => ({ place: printableText(setBy), overridesFile: isOverride(setBy) });

function serviceNow({ baseUrl, header, profile, setBy }: Configuration): SetupNow['service'] {
  if (baseUrl === null || setBy.baseUrl === null) return null;
  const place = placeOf(setBy.baseUrl);
  return profile === null
    ? { ...place, kind: 'base-url', baseUrl: baseUrl.href, header: header === defaultKeyHeader ? null : header }
    : { ...place, kind: 'profile', profile };
}

/** Runs `work` in a session with a different configuration, and closes the session. Rejects like `work`. */
export async function withSession<Answer>(
  { context, options, paths }: SetupPlaces,
  configuration: Configuration,
  work: (session: Session) => Promise<Answer>,
): Promise<Answer> {
  await using session = createSession({ context, configuration, paths, style: styleOf(context, options) }, 'user');
  return await work(session);
}

/** The settings behind each value that several places can set. */
const overridableValues: readonly (readonly [
  keyof Configuration['setBy'],
  what: string,
  written: readonly string[],
])[] = [
  ['baseUrl', 'address', ['baseUrl', 'profile']],
  ['header', 'header of the key', ['service', 'profile']],
  ['key', 'key', ['apiKey', 'apiKeyFile', 'apiKeyCommand']],
  ['store', 'store', ['store']],
  ['zone', 'zone', ['zone']],
];

/**
 * Returns a sentence for each saved setting that is overridden elsewhere or that is ignored because of the file's
 * permissions.
 */
export async function overrideWarnings(
  places: SetupPlaces,
  changes: readonly SettingChange[],
): Promise<readonly string[]> {
  try {
    const { configuration, trustIssues } = await readConfigured(places);
    const overridden = overriddenSettings(
      changes.map(({ path }) => path[0]),
      configuration,
    );
    return [...overridden, ...trustIssues.map(({ found, advice }) => printableText(`${found} ${advice}`))];
  } catch (error) {
    // An option or variable cannot be used. Saving settings does not change that.
    if (!(error instanceof UsageError)) throw error;
    return [error.message];
  }
}

/**
 * Returns a sentence for each setting of `config.json` that something overrides.
 * @param written the saved names, without the names below them
 */
export function overriddenSettings(
  written: readonly string[],
  { setBy, storeSource }: Pick<Configuration, 'setBy' | 'storeSource'>,
): readonly string[] {
  return overridableValues.flatMap(([name, what, settings]) => {
    const by = setBy[name];
    if (!isOverride(by) || !settings.some((one) => written.includes(one)) || isSameInFile(name, storeSource)) return [];
    return by.startsWith('--')
      ? [`${by} overrides the saved ${what} this time; leave it out next time.`]
      : [
          `${by} is set in the environment and overrides the saved ${what}; unset it (and check where your shell sets it).`,
        ];
  });
}

/** Options and variables override the file. */
export const isOverride = (setBy: string | null): setBy is string => setBy !== null && !setBy.startsWith('config.json');

/** Whether the file alone results in the same value. */
function isSameInFile(name: keyof Configuration['setBy'], source: SettingsSource): boolean {
  // A comparison would need the key itself.
  if (name === 'key') return false;
  const path: SettingPath = name === 'header' ? ['service', 'header'] : [name];
  const [now = '', inFile = ''] = [source, { ...source, options: {}, environment: {} }].map((one) =>
    String(resolvedSetting(path, one).value),
  );
  if (name === 'baseUrl') return isSameAddress(now, inFile);
  return name === 'store' ? now === inFile : now.toLowerCase() === inFile.toLowerCase();
}
