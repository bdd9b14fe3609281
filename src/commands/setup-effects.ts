import { printableText } from '../lib/clean-text.ts';
import { type Channel, type ChannelName, channelNames } from '../notify/notification.ts';
import { commandLineOf, splitCommand } from '../settings/command-settings.ts';
import { resolveConfiguration, settledBy } from '../settings/configuration.ts';
import { UsageError } from '../settings/errors.ts';
import { profiles } from '../settings/profiles.ts';
import type { Session } from '../settings/session/session.ts';
import {
  chosenService,
  readConfigured,
  type SetupPlaces,
  setupNow,
  withSessionOf,
} from '../settings/setup/configured.ts';
import { commandChannelId, type SetupEffects, type SetupOutcome } from '../settings/setup/effects.ts';
import { keyPlaceTools } from '../settings/setup/key-place.ts';
import { keyPlaces } from '../settings/setup/key-places.ts';
import type { SetupChoice } from '../settings/setup/setup-lines.ts';
import type { SandboxVisit } from './board/demonstration.ts';

/** The effects on the user's own configuration, with what is said at the end. */
interface OwnSetupEffects extends SetupEffects {
  /** What was saved and what was not, as sentences, when the conversation is still on the screen; null when it is not. */
  farewell(): string | null;
}

/**
 * What the conversation of `setup` has done for it, on the user's own configuration. What each of it takes is loaded when it
 * is done: every board has these effects, and hardly any is set up.
 * @param change does what may write the configuration: who else looks at it is told, with whether the key may be another one
 */
export function createSetupEffects(
  places: SetupPlaces,
  sandbox: SandboxVisit,
  change: <Result>(work: () => Promise<Result>, isOfTheKey?: boolean) => Promise<Result>,
): OwnSetupEffects {
  const { context, paths } = places;
  const configFile = printableText(paths.config);
  const saved = new Set<string>();
  let isShown = false;
  /** Has something written that the farewell calls so. */
  const save = async (
    name: string,
    write: (how: typeof import('../settings/setup/save.ts')) => Promise<SetupOutcome>,
    isOfTheKey = false,
  ): Promise<SetupOutcome> => {
    const how = await import('../settings/setup/save.ts');
    const outcome = await change(() => write(how), isOfTheKey);
    if (outcome.kind === 'done') saved.add(name);
    return outcome;
  };
  return {
    noteShown: (isNow) => {
      isShown = isNow;
    },
    farewell: () => (isShown ? farewellFor([...saved]) : null),
    knownServices: profiles,
    current: async () => setupNow(places, await readConfigured(places)),
    async prove(request) {
      const { prove } = await import('../settings/setup/prove.ts');
      return (await prove(places, request)).proof;
    },
    async keyStores(service) {
      const { host } = chosenService(service).baseUrl;
      const found = keyPlaces(keyPlaceTools(places)).map(async ({ id, title, detail, unusable }) => ({
        id,
        title,
        details: [printableText(detail(host))],
        unusable: await unusable(),
      }));
      // Those that cannot be used stand last, so that the first one is the recommended one.
      const stores = await Promise.all(found);
      return [
        ...stores.filter(({ unusable }) => unusable === null),
        ...stores.filter(({ unusable }) => unusable !== null),
      ];
    },
    saveService: (settings) => save('service and key', ({ saveService }) => saveService(places, settings), true),
    saveZone: (zone) =>
      save('the zone', ({ saveSettings }) =>
        saveSettings(
          places,
          [{ path: ['zone'], value: zone ?? undefined }],
          zone === null ? `The machine's zone is followed (${configFile}).` : `${zone} is written to ${configFile}.`,
        ),
      ),
    channels: () =>
      inSessionOfNow(places, (session) => Promise.all(channelNames.map((name) => optionOf(session, name)))),
    tryChannel: async (given) =>
      await inSessionOfNow(places, async (session) => {
        const name = channelNames.find((one) => one === given);
        if (name === undefined) return `There is no channel "${given}".`;
        const { tryChannel } = await import('../notify/channels.ts');
        return await tryChannel(await channelOf(session, name), context.clock.now());
      }),
    saveNotifyCommand: async (commandLine) => {
      const command = splitCommand(commandLine);
      return await save('the command for changes', ({ saveSettings }) =>
        saveSettings(
          places,
          [{ path: ['notify', 'command'], value: [...command] }],
          printableText(`Each change is given to: ${commandLineOf(command)} (${configFile}).`),
        ),
      );
    },
    saveChannels: (names) =>
      save('notifications', ({ saveSettings }) =>
        saveSettings(
          places,
          [{ path: ['notify', 'channels'], value: names.length === 0 ? undefined : names }],
          names.length === 0
            ? `Changes are not notified (${configFile}).`
            : `Changes are notified by ${names.join(', ')} (${configFile}).`,
        ),
      ),
    get isInSandbox() {
      return sandbox.isInSandbox();
    },
    enterSandbox: () => sandbox.enter(),
    leaveSandbox: () => sandbox.leave(),
  };
}

function farewellFor(saved: readonly string[]): string {
  const again = '"parcel-monitor setup" begins again.';
  return saved.length === 0
    ? `Setting up was left, and nothing was saved. ${again}`
    : `Setting up was left. Saved: ${saved.join(', ')}; all else is as it was. ${again}`;
}

/** What a notification is sent under: the configuration of now, or the defaults where that cannot be used. */
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

async function channelOf(session: Session, name: ChannelName): Promise<Channel> {
  const { openChannel, terminalAmong } = await import('../notify/channels.ts');
  const { signal, stdout } = session.context;
  return openChannel(session, name, { terminal: terminalAmong(stdout), output: 'dropped', signal });
}

const titles: Readonly<Record<ChannelName, string>> = {
  bell: "The terminal's bell",
  terminal: "The terminal's notification",
  desktop: "The desktop's notification",
  command: 'A command of your own',
};

async function optionOf(session: Session, name: ChannelName): Promise<SetupChoice> {
  const { means, unusable } = await channelOf(session, name);
  const isToBeEntered = name === commandChannelId && session.configuration.notify.command.kind === 'none';
  return {
    id: name,
    title: titles[name],
    details: [means],
    unusable: isToBeEntered ? 'None is set yet: Space asks for it.' : unusable,
  };
}
