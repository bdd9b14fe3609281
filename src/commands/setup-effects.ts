import { printableText } from '../lib/clean-text.ts';
import { type Channel, type LocalChannelName, localChannelNames } from '../notify/notification.ts';
import { resolveConfiguration, settledBy } from '../settings/configuration.ts';
import { UsageError } from '../settings/errors.ts';
import type { Session } from '../settings/session/session.ts';
import {
  chosenService,
  readConfigured,
  type SetupPlaces,
  setupNow,
  withSessionOf,
} from '../settings/setup/configured.ts';
import { commandChannelId, type SetupEffects } from '../settings/setup/effects.ts';
import { keyPlaces, keyPlaceTools } from '../settings/setup/key-places.ts';
import type { SetupChoice } from '../settings/setup/setup-lines.ts';
import type { SandboxVisit } from './board/demo.ts';

/**
 * Creates the effects of the set-up. They are loaded on demand, because most boards never open it.
 * @param change runs work that may write the configuration; `isOfTheKey` also makes the board read the key again
 */
export function createSetupEffects(
  places: SetupPlaces,
  sandbox: SandboxVisit,
  change: <Result>(work: () => Promise<Result>, isOfTheKey?: boolean) => Promise<Result>,
): SetupEffects {
  return {
    current: async () => setupNow(places, await readConfigured(places)),
    async prove(request) {
      const { prove } = await import('../settings/setup/prove.ts');
      return await prove(places, request);
    },
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
    async saveService(settings) {
      const { saveService } = await import('../settings/setup/save.ts');
      return await change(() => saveService(places, settings), true);
    },
    async save(changes, summary) {
      const { saveSettings } = await import('../settings/setup/save.ts');
      return await change(() => saveSettings(places, changes, printableText(summary)));
    },
    channels: () =>
      inSessionOfNow(places, (session) => Promise.all(localChannelNames.map((name) => optionOf(session, name)))),
    tryChannel: async (given) =>
      await inSessionOfNow(places, async (session) => {
        const name = localChannelNames.find((one) => one === given);
        if (name === undefined) return `There is no channel "${given}".`;
        const { tryChannel } = await import('../notify/channels.ts');
        return await tryChannel(await channelOf(session, name), places.context.clock.now());
      }),
    get isInSandbox() {
      return sandbox.isInSandbox();
    },
    enterSandbox: () => sandbox.enter(),
    leaveSandbox: () => sandbox.leave(),
  };
}

/** Uses the default settings if the configuration cannot be used. */
async function inSessionOfNow<Answer>(
  places: SetupPlaces,
  work: (session: Session) => Promise<Answer>,
): Promise<Answer> {
  const { configuration } = await readConfigured(places).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    const { context, paths } = places;
    return {
      configuration: resolveConfiguration({ ...settledBy(context, paths), options: {}, environment: {}, file: {} }),
    };
  });
  return await withSessionOf(places, configuration, work);
}

async function channelOf(session: Session, name: LocalChannelName): Promise<Channel> {
  const { openChannel, terminalAmong } = await import('../notify/channels.ts');
  const { signal, stdout } = session.context;
  return openChannel(session, name, { terminal: terminalAmong(stdout), output: 'dropped', signal });
}

const titles: Readonly<Record<LocalChannelName, string>> = {
  bell: 'Terminal bell',
  terminal: 'Terminal notification',
  desktop: 'Desktop notification',
  command: 'Your own command',
};

async function optionOf(session: Session, name: LocalChannelName): Promise<SetupChoice> {
  const { means, unusable } = await channelOf(session, name);
  const isToBeEntered = name === commandChannelId && session.configuration.notify.command.kind === 'none';
  return {
    id: name,
    title: titles[name],
    details: [means],
    unusable: isToBeEntered ? 'Not set yet. Press Space to enter a command.' : unusable,
  };
}
