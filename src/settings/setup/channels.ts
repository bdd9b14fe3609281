import { basename } from 'node:path';
import { printableText } from '../../lib/clean-text.ts';
import type { WebChannelName } from '../../notify/notification.ts';
import { requiredFields, type WebField } from '../../notify/web-channels.ts';
import { usableKey } from '../api-key.ts';
import { changeConfigFile } from '../change-config-file.ts';
import type { SettingChange } from '../config-text.ts';
import type { Configuration } from '../configuration.ts';
import { settingTable } from '../table.ts';
import { assertTrusted, readConfigured, type SetupPlaces } from './configured.ts';
import type { ChannelQuestion, Saved } from './effects.ts';
import { keepAndReadBack, keyPlaces, keyPlaceTools, usablePlace } from './key-places.ts';

const fields: readonly WebField[] = ['url', 'token', 'chat', 'user'];

/** Returns the questions about a web channel: its settings, except for an address that is the same for everyone. */
export function channelQuestions(name: WebChannelName): readonly ChannelQuestion[] {
  const needed = requiredFields(name);
  return fields.flatMap((field) => {
    const setting = settingTable[`notify.${name}.${field}`];
    const isNeeded = needed.includes(field);
    if (setting === undefined || (field === 'url' && !isNeeded)) return [];
    return [{ field, question: setting.about, isSecret: setting.hidden === 'key', isOptional: !isNeeded }];
  });
}

/** Returns the keyring that has the API key, or the file that only the user can read. */
function secretPlace({ apiKey }: Configuration, ids: readonly string[]): string {
  const program = apiKey.kind === 'command' ? basename(apiKey.command[0]) : '';
  return ids.find((id) => id === program) ?? 'file';
}

/**
 * Saves the settings of a web channel: secrets in the place of the API key, where they are also read back, and the rest
 * in `config.json`. Rejects with a `NamedError` for the user.
 * @param answers by the field of each question; an empty one removes the setting
 */
export async function saveChannel(
  places: SetupPlaces,
  name: WebChannelName,
  answers: Readonly<Record<string, string>>,
): Promise<Saved> {
  const configured = await readConfigured(places);
  assertTrusted(configured);
  const tools = keyPlaceTools(places);
  const placeId = secretPlace(
    configured.configuration,
    keyPlaces(tools).map(({ id }) => id),
  );
  const changes: SettingChange[] = [];
  const kept: string[] = [];
  for (const { field, isSecret } of channelQuestions(name)) {
    const answer = answers[field]?.trim() ?? '';
    const set = (suffix: string, value: SettingChange['value']): void =>
      void changes.push({ path: ['notify', name, `${field}${suffix}`], value });
    if (!isSecret) {
      set('', answer === '' ? undefined : answer);
      continue;
    }
    const entry = `notify-${name}-${field}`;
    const ofSecret = { ...tools, fileName: entry };
    const place = await usablePlace(ofSecret, placeId);
    const settings =
      answer === ''
        ? {}
        : await keepAndReadBack(place, { key: usableKey(answer, `The ${field}`), host: entry }, ofSecret);
    set('', undefined);
    set('File', settings.apiKeyFile);
    set('Command', settings.apiKeyCommand);
    if (answer !== '') kept.push(place.detail(entry));
  }
  await changeConfigFile(places.paths.config, changes, places.context);
  const where = kept.length === 0 ? '' : `The secret was saved and read back: ${kept.join('; ')}. `;
  const summary = `${where}The channel ${name} is saved in ${places.paths.config}.`;
  return { summary: printableText(summary), warnings: [] };
}
