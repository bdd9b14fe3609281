import { dirname, join } from 'node:path';
import { printableText } from '../../lib/clean-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import { isSameAddress } from '../../service/address.ts';
import { defaultKeyHeader } from '../../service/port.ts';
import { removeFile } from '../../store/file/atomic-write.ts';
import type { CoolDown } from '../../store/polling-memory.ts';
import { type KeySettings, usableKey } from '../api-key.ts';
import { changeConfigFile } from '../change-config-file.ts';
import type { SettingChange } from '../config-text.ts';
import { UsageError } from '../errors.ts';
import { commandWords } from '../usable-values.ts';
import {
  type Configured,
  chosenService,
  isOverride,
  overrideWarnings,
  readConfigured,
  type SetupPlaces,
  withSession,
} from './configured.ts';
import type { KeySource, Saved, ServiceChoice, ServiceToSave } from './effects.ts';
import { keepAndReadBack, keyFileName, keyPlaceTools, usablePlace } from './key-places.ts';

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

/** Changes settings of `config.json` and warns of overrides. Rejects like `changeConfigFile`. */
export async function saveSettings(
  places: SetupPlaces,
  changes: readonly SettingChange[],
  summary: string,
): Promise<Saved> {
  await changeConfigFile(places.paths.config, changes, places.context);
  return { summary, warnings: await overrideWarnings(places, changes) };
}

/**
 * Saves the key, and both key and service in `config.json` in one change, so that a running board applies them immediately.
 * Clears waits caused by the previous key. Rejects with a `NamedError` for the user.
 */
export async function saveService(places: SetupPlaces, { service, key, keyStore }: ServiceToSave): Promise<Saved> {
  const { context, paths } = places;
  const before = await readConfigured(places);
  const { baseUrl } = chosenService(service);
  if (key !== null && key.kind !== 'present') assertNotOverridden(before, baseUrl);
  const { host } = baseUrl;
  const kept = await keepKey(places, key, keyStore, host);
  const changes = [...changesForService(service), ...(kept === null ? [] : changesForKey(kept.settings))];
  await changeConfigFile(paths.config, changes, context);
  const former = before.configuration.baseUrl;
  const isSameService = former !== null && isSameAddress(former, baseUrl);
  const warnings = [...(await forgetFormer(places, isSameService)), ...(await overrideWarnings(places, changes))];
  const isFileGone =
    kept !== null && before.settings.apiKeyFile === keyFileName && kept.settings.apiKeyFile === undefined;
  if (isFileGone) await removeFile(join(dirname(paths.config), keyFileName));
  const summary = [
    kept === null ? [] : [kept.summary],
    isFileGone ? ['The old key file was removed.'] : [],
    [`${kept === null ? 'The service is' : 'Service and key are'} saved in ${printableText(paths.config)}.`],
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

/** The saved key's settings, and a summary. */
interface SavedKey {
  readonly settings: KeySettings;
  readonly summary: string;
}

/** Returns null if the key does not change. */
async function keepKey(
  places: SetupPlaces,
  key: KeySource | null,
  keyStore: string | null,
  host: string,
): Promise<SavedKey | null> {
  if (key === null || key.kind === 'present') return null;
  if (key.kind === 'command') {
    const words = commandWords(key.commandLine, 'The command');
    return {
      settings: { apiKeyCommand: [...words] },
      summary: `The key comes from ${printableText(words[0])}, which runs each time it is needed.`,
    };
  }
  const tools = keyPlaceTools(places);
  const place = await usablePlace(tools, keyStore ?? 'file');
  const kept = usableKey(key.key, 'The API key');
  const settings = await keepAndReadBack(place, { key: kept, host }, tools);
  if (typeof settings.apiKeyCommand === 'object') places.keyFound?.(settings.apiKeyCommand, kept);
  return { settings, summary: `The key was saved and read back: ${printableText(place.detail(host))}.` };
}

/**
 * Clears waits caused by the previous key, because its failures say nothing about this one. Keeps pauses that the
 * service requested. Resets the clock for a different service.
 */
async function forgetFormer(places: SetupPlaces, isSameService: boolean): Promise<readonly string[]> {
  const { configuration } = await readConfigured(places);
  try {
    await withSession(places, configuration, async (session) => {
      const { memory } = await session.stores();
      const { coolDown, measuredOffsetMinutes, registerCoolDown, skewMs } = await memory.read();
      const isOver = (one: CoolDown | null): boolean => one !== null && !(one.byService && isSameService);
      const changes = {
        ...(isOver(coolDown) ? { coolDown: null } : {}),
        ...(isOver(registerCoolDown) ? { registerCoolDown: null } : {}),
        ...(measuredOffsetMinutes !== null && !isSameService ? { measuredOffsetMinutes: null } : {}),
        ...(skewMs !== 0 && !isSameService ? { skewMs: 0 } : {}),
      };
      if (Object.keys(changes).length > 0) await memory.update((kept) => ({ ...kept, ...changes }));
    });
    return [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [error.message];
  }
}
