import { printableText } from '../lib/clean-text.ts';
import { openChannel, terminalAmong, tryChannel } from '../notify/channels.ts';
import { type Channel, type ChannelName, channelNames, webChannelNames } from '../notify/notification.ts';
import { UsageError } from '../settings/errors.ts';
import type { Session } from '../settings/session/session.ts';
import { channelQuestions, saveChannel } from '../settings/setup/channels.ts';
import { checkConnection } from '../settings/setup/check-connection.ts';
import {
  chosenService,
  readConfigured,
  type SetupPlaces,
  setupNow,
  withSession,
} from '../settings/setup/configured.ts';
import { type ChannelChoice, commandChannelId, type SetupEffects } from '../settings/setup/effects.ts';
import { keyPlaces, keyPlaceTools } from '../settings/setup/key-places.ts';
import { saveService, saveSettings } from '../settings/setup/save.ts';
import type { SandboxVisit } from './board/demo.ts';

/**
 * Creates the effects of the setup.
 * @param change runs work that may write the configuration; `affectsKey` also makes the board read the key again
 */
export function createSetupEffects(
  places: SetupPlaces,
  sandbox: SandboxVisit,
  change: <Result>(work: () => Promise<Result>, affectsKey?: boolean) => Promise<Result>,
): SetupEffects {
  return {
    current: async () => setupNow(places, await readConfigured(places)),
    check: (request) => checkConnection(places, request),
    async keyStores(service) {
      const { host } = chosenService(service).baseUrl;
      const found = keyPlaces(keyPlaceTools(places)).map(async ({ id, title, detail, unusable }) => ({
        id,
        title,
        details: [printableText(detail(host))],
        unusable: await unusable(),
      }));
      const stores = await Promise.all(found);
      return stores.toSorted((a, b) => Number(a.unusable !== null) - Number(b.unusable !== null));
    },
    saveService: (settings) => change(() => saveService(places, settings), true),
    save: (changes, summary) => change(() => saveSettings(places, changes, printableText(summary))),
    channels: () =>
      inSessionOfNow(places, (session) => Promise.all(channelNames.map((name) => channelChoice(session, name)))),
    async saveChannel(given, answers) {
      const name = webChannelNames.find((one) => one === given);
      if (name === undefined) throw new UsageError(`There is no channel "${given}".`);
      return await change(() => saveChannel(places, name, answers));
    },
    tryChannel: async (given) =>
      await inSessionOfNow(places, async (session) => {
        const name = channelNames.find((one) => one === given);
        if (name === undefined) return `There is no channel "${given}".`;
        return await tryChannel(channelOf(session, name), places.context.clock.now());
      }),
    get isInSandbox() {
      return sandbox.isInSandbox();
    },
    enterSandbox: () => sandbox.enter(),
    leaveSandbox: () => sandbox.leave(),
  };
}

async function inSessionOfNow<Answer>(
  places: SetupPlaces,
  work: (session: Session) => Promise<Answer>,
): Promise<Answer> {
  const { configuration } = await readConfigured(places);
  return await withSession(places, configuration, work);
}

function channelOf(session: Session, name: ChannelName): Channel {
  const { signal, stdout } = session.context;
  return openChannel(session, name, { terminal: terminalAmong(stdout), output: 'dropped', signal });
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
  const { check, mechanism, unusable } = channelOf(session, name);
  const choice = { id: name, title: titles[name], details: [] };
  const web = webChannelNames.find((one) => one === name);
  if (web !== undefined) {
    const questions = channelQuestions(web);
    if (!configuration.webChannel(web).isSet)
      return { ...choice, questions, unusable: 'Not set yet. Press Space to enter its settings.' };
    return { ...choice, questions, unusable: (await check?.()) ?? null };
  }
  const isToBeEntered = name === commandChannelId && configuration.notify.command.kind === 'none';
  return {
    ...choice,
    details: [mechanism],
    unusable: isToBeEntered ? 'Not set yet. Press Space to enter a command.' : unusable,
  };
}
