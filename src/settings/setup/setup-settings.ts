import { dirname, join } from 'node:path';
import { printableText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { isSameAddress } from '../../service/connection.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { removeFile } from '../../store/file/atomic-write.ts';
import type { CoolDown } from '../../store/shared-state.ts';
import { nonEmpty } from '../../system/environment.ts';
import { type KeySettings, usableKey } from '../api-key.ts';
import { changeConfigFile } from '../change-config-file.ts';
import type { SettingChange } from '../config-text.ts';
import type { Configuration } from '../configuration.ts';
import { UsageError } from '../errors.ts';
import { profileNamed, usableBaseUrl, usableHeader } from '../service-address.ts';
import { createSession, readConfiguration, type SettingsPlaces } from '../session/open-session.ts';
import { styleOf } from '../session/output.ts';
import type { Session } from '../session/session.ts';
import { resolvedSetting, type SettingPath, type SettingsSource } from '../setting-values.ts';
import { commandWords, joinCommand } from '../usable-values.ts';
import type {
  CurrentSetup,
  KeySource,
  SaveResult,
  ServiceChoice,
  ServiceToSave,
  SettingOrigin,
} from './board-setup.ts';
import { findUsablePlace, keyFileName, keyPlaceTools, saveAndReadBack } from './key-places.ts';

export interface SetupPlaces extends SettingsPlaces {
  /** Called with the key that a command printed, so that the user need not unlock it again. */
  readonly onKeyFetched?: (command: readonly string[], key: string) => void;
}

/** Reads the configuration. The file may be missing, because the setup creates it. Rejects with a `UsageError`. */
export const readSetupConfiguration = (places: SetupPlaces) => readConfiguration(places, false);
export type Configured = Awaited<ReturnType<typeof readSetupConfiguration>>;

/**
 * Throws a `UsageError` if other users can write the file: the service in it may be theirs, and new settings would be
 * ignored.
 */
export function assertTrusted({ foreignWriter }: Pick<Configured, 'foreignWriter'>): void {
  if (foreignWriter !== null) {
    throw new UsageError({ what: foreignWriter.found, advice: foreignWriter.advice });
  }
}

/** Returns the base URL and key header of the chosen service. Throws a `UsageError` if the choice cannot be used. */
export function resolveService(service: ServiceChoice): Pick<Configuration, 'header'> & { readonly baseUrl: URL } {
  const { baseUrl, header } = service.kind === 'profile' ? profileNamed(service.profile) : service;
  return { baseUrl: usableBaseUrl(baseUrl), header: usableHeader(nonEmpty(header ?? undefined) ?? defaultKeyHeader) };
}

/** Returns the current settings and where they are set. */
export function describeCurrentSetup({ context, paths }: SetupPlaces, { configuration }: Configured): CurrentSetup {
  const { notify, setBy } = configuration;
  return {
    service: currentService(configuration),
    key: setBy.key === null ? null : describePlace(setBy.key),
    zone: configuration.zone(),
    zoneSet: setBy.zone === null ? null : describePlace(setBy.zone),
    machineZone: context.systemZone(),
    channels: notify.channels,
    notifyCommand: notify.command.kind === 'command' ? printableText(joinCommand(notify.command.command)) : null,
    configFile: printableText(paths.config),
  };
}

const describePlace = (setBy: string): SettingOrigin => ({
  place: printableText(setBy),
  overridesFile: isOverride(setBy),
});

function currentService({ baseUrl, header, profile, setBy }: Configuration): CurrentSetup['service'] {
  if (baseUrl === null || setBy.baseUrl === null) return null;
  const place = describePlace(setBy.baseUrl);
  return profile === null
    ? { ...place, kind: 'base-url', baseUrl: baseUrl.href, header: header === defaultKeyHeader ? null : header }
    : { ...place, kind: 'profile', profile };
}

/** Runs `work` in a session with a different configuration, and closes the session. Rejects like `work`. */
export async function withSession<Result>(
  { context, options, paths }: SetupPlaces,
  configuration: Configuration,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await using session = createSession({ context, configuration, paths, style: styleOf(context, options) }, 'user');
  return await work(session);
}

/** The values that an option or a variable can override, with the settings that set them in the file. */
const overridableValues: readonly (readonly [
  keyof Configuration['setBy'],
  what: string,
  settings: readonly string[],
])[] = [
  ['baseUrl', 'address', ['baseUrl', 'profile']],
  ['header', 'header of the key', ['service', 'profile']],
  ['key', 'key', ['apiKey', 'apiKeyFile', 'apiKeyCommand']],
  ['store', 'store', ['store']],
  ['zone', 'zone', ['zone']],
];

/**
 * Returns a sentence for each saved setting that something overrides, and for each permission of the file that causes
 * settings to be ignored.
 */
async function overrideWarnings(places: SetupPlaces, changes: readonly SettingChange[]): Promise<readonly string[]> {
  try {
    const { configuration, trustIssues } = await readSetupConfiguration(places);
    const overridden = overriddenSettings(
      changes.map(({ path }) => path[0]),
      configuration,
    );
    return [...overridden, ...trustIssues.map(({ found, advice }) => printableText(`${found} ${advice}`))];
  } catch (error) {
    // An option or variable is invalid, which does not affect the saved settings.
    if (!(error instanceof UsageError)) throw error;
    return [error.message];
  }
}

/**
 * Returns a sentence for each setting of `config.json` that something overrides.
 * @param saved the top-level names of the saved settings
 */
export function overriddenSettings(
  saved: readonly string[],
  { setBy, storeSource }: Pick<Configuration, 'setBy' | 'storeSource'>,
): readonly string[] {
  return overridableValues.flatMap(([name, what, settings]) => {
    const origin = setBy[name];
    if (!isOverride(origin) || !settings.some((setting) => saved.includes(setting)) || isSameInFile(name, storeSource))
      return [];
    return origin.startsWith('--')
      ? [`${origin} overrides the saved ${what} this time; leave it out next time.`]
      : [
          `${origin} is set in the environment and overrides the saved ${what}; unset it (and check where your shell sets it).`,
        ];
  });
}

/** Options and variables override the file. */
const isOverride = (setBy: string | null): setBy is string => setBy !== null && !setBy.startsWith('config.json');

/** Whether the file alone results in the same value. */
function isSameInFile(name: keyof Configuration['setBy'], source: SettingsSource): boolean {
  // A comparison would need the key itself.
  if (name === 'key') return false;
  const path: SettingPath = name === 'header' ? ['service', 'header'] : [name];
  const [effective = '', inFile = ''] = [source, { ...source, options: {}, environment: {} }].map((candidate) =>
    String(resolvedSetting(path, candidate).value),
  );
  if (name === 'baseUrl') return isSameAddress(effective, inFile);
  return name === 'store' ? effective === inFile : effective.toLowerCase() === inFile.toLowerCase();
}

/** Returns the changes that set the chosen service in `config.json` and remove settings that would override it. */
function changesForService(service: ServiceChoice): readonly SettingChange[] {
  const isProfile = service.kind === 'profile';
  const header = isProfile || service.header === defaultKeyHeader ? null : service.header;
  return [
    { path: ['profile'], value: isProfile ? service.profile : undefined },
    { path: ['baseUrl'], value: isProfile ? undefined : service.baseUrl.trim() },
    { path: ['service', 'header'], value: header ?? undefined },
  ];
}

/** Returns the changes that set this source of the key in `config.json` and remove the others. */
function changesForKey(key: KeySettings): readonly SettingChange[] {
  const names = ['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const;
  return names.map((name) => ({ path: [name], value: key[name] }));
}

/** Changes settings in `config.json` and warns of overrides. Rejects like `changeConfigFile`. */
export async function saveSettings(
  places: SetupPlaces,
  changes: readonly SettingChange[],
  summary: string,
): Promise<SaveResult> {
  await changeConfigFile(places.paths.config, changes, places.context);
  return { summary, warnings: await overrideWarnings(places, changes) };
}

/**
 * Saves the key, and then the service and the key's source in a single change to `config.json`, which a running board
 * applies immediately. Clears waits caused by the previous key. Rejects with a `NamedError` for the user.
 */
export async function saveService(places: SetupPlaces, { service, key, keyStore }: ServiceToSave): Promise<SaveResult> {
  const { context, paths } = places;
  const before = await readSetupConfiguration(places);
  const { baseUrl } = resolveService(service);
  if (key !== null && key.kind !== 'present') assertNotOverridden(before, baseUrl);
  const { host } = baseUrl;
  const savedKey = await saveKey(places, key, keyStore, host);
  const changes = [...changesForService(service), ...(savedKey === null ? [] : changesForKey(savedKey.settings))];
  await changeConfigFile(paths.config, changes, context);
  const previousUrl = before.configuration.baseUrl;
  const isSameService = previousUrl !== null && isSameAddress(previousUrl, baseUrl);
  const warnings = [...(await clearPreviousState(places, isSameService)), ...(await overrideWarnings(places, changes))];
  const isKeyFileUnused =
    savedKey !== null && before.settings.apiKeyFile === keyFileName && savedKey.settings.apiKeyFile === undefined;
  if (isKeyFileUnused) await removeFile(join(dirname(paths.config), keyFileName));
  const summary = [
    savedKey === null ? [] : [savedKey.summary],
    isKeyFileUnused ? ['The old key file was removed.'] : [],
    [`${savedKey === null ? 'The service is' : 'Service and key are'} saved in ${printableText(paths.config)}.`],
  ].flat();
  return { summary: summary.join(' '), warnings };
}

/**
 * Throws a {@link UsageError} if an option or variable sets a different address: it overrides this one, so the key
 * would be sent there.
 */
function assertNotOverridden({ configuration }: Configured, address: URL): void {
  const { baseUrl, setBy } = configuration;
  if (baseUrl === null || !isOverride(setBy.baseUrl) || isOverride(setBy.key) || isSameAddress(baseUrl, address))
    return;
  throw new UsageError(
    printableText(
      `${setBy.baseUrl} overrides the address, so this key would be sent to ${baseUrl.host}. Nothing was saved: remove ${setBy.baseUrl} and set up again.`,
    ),
  );
}

/** Saves the key, and returns the settings that read it and a sentence. Returns null if the key does not change. */
async function saveKey(
  places: SetupPlaces,
  key: KeySource | null,
  keyStore: string | null,
  host: string,
): Promise<{ readonly settings: KeySettings; readonly summary: string } | null> {
  if (key === null || key.kind === 'present') return null;
  if (key.kind === 'command') {
    const words = commandWords(key.commandLine, 'The command');
    return {
      settings: { apiKeyCommand: [...words] },
      summary: `The key comes from ${printableText(words[0])}, which runs each time it is needed.`,
    };
  }
  const tools = keyPlaceTools(places);
  const place = await findUsablePlace(tools, keyStore ?? 'file');
  const validKey = usableKey(key.key, 'The API key');
  const settings = await saveAndReadBack(place, { key: validKey, host }, tools);
  if (typeof settings.apiKeyCommand === 'object') places.onKeyFetched?.(settings.apiKeyCommand, validKey);
  return { settings, summary: `The key was saved and read back: ${printableText(place.detail(host))}.` };
}

/**
 * Clears waits caused by the previous key, because its failures say nothing about this one. Keeps pauses that the
 * service requested. Resets the clock for a different service.
 */
async function clearPreviousState(places: SetupPlaces, isSameService: boolean): Promise<readonly string[]> {
  const { configuration } = await readSetupConfiguration(places);
  try {
    await withSession(places, configuration, async (session) => {
      const { memory } = await session.stores();
      const { coolDown, measuredOffsetMinutes, registerCoolDown, skewMs } = await memory.read();
      const canClear = (wait: CoolDown | null): boolean => wait !== null && !(wait.byService && isSameService);
      const changes = {
        ...(canClear(coolDown) ? { coolDown: null } : {}),
        ...(canClear(registerCoolDown) ? { registerCoolDown: null } : {}),
        ...(measuredOffsetMinutes !== null && !isSameService ? { measuredOffsetMinutes: null } : {}),
        ...(skewMs !== 0 && !isSameService ? { skewMs: 0 } : {}),
      };
      if (Object.keys(changes).length > 0) await memory.update((current) => ({ ...current, ...changes }));
    });
    return [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [error.message];
  }
}
