import { basename } from 'node:path';
import { printableText } from '../lib/clean-text.ts';
import { findTerminal, openChannel, testChannel } from '../notify/channels.ts';
import {
  type Channel,
  type ChannelName,
  channelNames,
  type WebChannelName,
  webChannelNames,
} from '../notify/notification.ts';
import { requiredFields, type WebField } from '../notify/web-channels.ts';
import { usableKey } from '../settings/api-key.ts';
import { changeConfigFile } from '../settings/change-config-file.ts';
import type { SettingChange } from '../settings/config-text.ts';
import { UsageError } from '../settings/errors.ts';
import type { Session } from '../settings/session/session.ts';
import {
  type ChannelChoice,
  type ChannelQuestion,
  commandChannelId,
  type SaveResult,
  type SetupEffects,
} from '../settings/setup/board-setup.ts';
import { checkConnection } from '../settings/setup/check-connection.ts';
import { findUsablePlace, keyPlaces, keyPlaceTools, saveAndReadBack } from '../settings/setup/key-places.ts';
import {
  assertTrusted,
  describeCurrentSetup,
  readSetupConfiguration,
  resolveService,
  type SetupPlaces,
  saveService,
  saveSettings,
  withSession,
} from '../settings/setup/setup-settings.ts';
import { settingTable } from '../settings/table.ts';
import type { SandboxVisit } from './sandbox.ts';

/** @param change runs work that may write the configuration; `affectsKey` also makes the board read the key again */
export function createSetupEffects(
  places: SetupPlaces,
  sandbox: SandboxVisit,
  change: <Result>(work: () => Promise<Result>, affectsKey?: boolean) => Promise<Result>,
): SetupEffects {
  return {
    current: async () => describeCurrentSetup(places, await readSetupConfiguration(places)),
    check: (request) => checkConnection(places, request),
    async keyStores(service) {
      const { host } = resolveService(service).baseUrl;
      const choices = keyPlaces(keyPlaceTools(places)).map(async ({ id, title, detail, unusable }) => ({
        id,
        title,
        details: [printableText(detail(host))],
        unusable: await unusable(),
      }));
      const stores = await Promise.all(choices);
      return stores.toSorted((a, b) => Number(a.unusable !== null) - Number(b.unusable !== null));
    },
    saveService: (settings) => change(() => saveService(places, settings), true),
    save: (changes, summary) => change(() => saveSettings(places, changes, printableText(summary))),
    channels: () =>
      withCurrentSession(places, (session) => Promise.all(channelNames.map((name) => channelChoice(session, name)))),
    async saveChannel(id, answers) {
      const name = webChannelNames.find((channel) => channel === id);
      if (name === undefined) throw new UsageError(`There is no channel "${id}".`);
      return await change(() => saveChannel(places, name, answers));
    },
    testChannel: async (id) =>
      await withCurrentSession(places, async (session) => {
        const name = channelNames.find((channel) => channel === id);
        if (name === undefined) return `There is no channel "${id}".`;
        return await testChannel(openBoardChannel(session, name), places.context.clock.now());
      }),
    get isInSandbox() {
      return sandbox.isInSandbox();
    },
    enterSandbox: () => sandbox.enter(),
    leaveSandbox: () => sandbox.leave(),
  };
}

async function withCurrentSession<Result>(
  places: SetupPlaces,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const { configuration } = await readSetupConfiguration(places);
  return await withSession(places, configuration, work);
}

function openBoardChannel(session: Session, name: ChannelName): Channel {
  const { signal, stdout } = session.context;
  return openChannel(session, name, { terminal: findTerminal(stdout), output: 'discarded', signal });
}

const titles: Readonly<Record<ChannelName, string>> = {
  bell: 'Terminal bell',
  terminal: 'Terminal notification',
  desktop: 'Desktop notification',
  command: 'Your own command',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  pushover: 'Pushover',
  gotify: 'Gotify',
  webhook: 'A webhook',
};

async function channelChoice(session: Session, name: ChannelName): Promise<ChannelChoice> {
  const { configuration } = session;
  const { check, mechanism, unusable } = openBoardChannel(session, name);
  const choice = { id: name, title: titles[name], details: [] };
  const web = webChannelNames.find((channel) => channel === name);
  if (web !== undefined) {
    const questions = channelQuestions(web);
    if (!configuration.webChannel(web).isSet)
      return { ...choice, questions, unusable: 'Not set yet. Press Space to enter its settings.' };
    return { ...choice, questions, unusable: (await check?.()) ?? null };
  }
  const isMissing = name === commandChannelId && configuration.notify.command.kind === 'none';
  return {
    ...choice,
    details: [mechanism],
    unusable: isMissing ? 'Not set yet. Press Space to enter a command.' : unusable,
  };
}

const fields: readonly WebField[] = ['url', 'token', 'chat', 'user'];

/** Returns the questions about a web channel: its settings, except for an address that is the same for everyone. */
function channelQuestions(name: WebChannelName): readonly ChannelQuestion[] {
  const needed = requiredFields(name);
  return fields.flatMap((field) => {
    const setting = settingTable[`notify.${name}.${field}`];
    const isNeeded = needed.includes(field);
    if (setting === undefined || (field === 'url' && !isNeeded)) return [];
    return [{ field, question: setting.about, isSecret: setting.hidden === 'key', isOptional: !isNeeded }];
  });
}

/**
 * Saves the settings of a web channel: secrets in the place of the API key, where they are also read back, and the rest
 * in `config.json`. Rejects with a `NamedError` for the user.
 * @param answers by the field of each question; an empty one removes the setting
 */
async function saveChannel(
  places: SetupPlaces,
  name: WebChannelName,
  answers: Readonly<Record<string, string>>,
): Promise<SaveResult> {
  const configured = await readSetupConfiguration(places);
  assertTrusted(configured);
  const tools = keyPlaceTools(places);
  const { apiKey } = configured.configuration;
  const program = apiKey.kind === 'command' ? basename(apiKey.command[0]) : '';
  const placeId = keyPlaces(tools).some(({ id }) => id === program) ? program : 'file';
  const changes: SettingChange[] = [];
  const savedPlaces: string[] = [];
  for (const { field, isSecret } of channelQuestions(name)) {
    const answer = answers[field]?.trim() ?? '';
    const set = (suffix: string, value: SettingChange['value']): void =>
      void changes.push({ path: ['notify', name, `${field}${suffix}`], value });
    if (!isSecret) {
      set('', answer === '' ? undefined : answer);
      continue;
    }
    const entry = `notify-${name}-${field}`;
    const secretTools = { ...tools, fileName: entry };
    const place = await findUsablePlace(secretTools, placeId);
    const settings =
      answer === ''
        ? {}
        : await saveAndReadBack(place, { key: usableKey(answer, `The ${field}`), host: entry }, secretTools);
    set('', undefined);
    set('File', settings.apiKeyFile);
    set('Command', settings.apiKeyCommand);
    if (answer !== '') savedPlaces.push(place.detail(entry));
  }
  await changeConfigFile(places.paths.config, changes, places.context);
  const where = savedPlaces.length === 0 ? '' : `The secret was saved and read back: ${savedPlaces.join('; ')}. `;
  const summary = `${where}The channel ${name} is saved in ${places.paths.config}.`;
  return { summary: printableText(summary), warnings: [] };
}
