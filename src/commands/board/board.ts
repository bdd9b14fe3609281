import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Observable } from '../../lib/async.ts';
import { cleanText, printableText } from '../../lib/clean-text.ts';
import { messageOf } from '../../lib/error-text.ts';
import { createAccountActions } from '../../polling/account.ts';
import type { ListenAddress } from '../../polling/webhook/callers.ts';
import { saveView } from '../../settings/change-config-file.ts';
import { UsageError } from '../../settings/errors.ts';
import { readBytes } from '../../settings/read-text.ts';
import {
  type BoardFiles,
  type CommandContext,
  hasScreen,
  type ReplaceableServices,
} from '../../settings/session/context.ts';
import type { Core } from '../../settings/session/core.ts';
import { courierDirectory, openViewMemory } from '../../settings/session/open-stores.ts';
import { webhookAddress } from '../../settings/session/service.ts';
import { type KeyOnHand, type OpenedSession, type Session, zoneOf } from '../../settings/session/session.ts';
import type { BoardSetup, Fact, SetupEffects } from '../../settings/setup/board-setup.ts';
import { ViewKeeper } from '../../store/saved-view.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import type { LastScreen } from '../../system/saved-screen.ts';
import { runList } from '../list.ts';
import { lacksExtra } from '../register.ts';
import { endOfBoard, SandboxVisit } from '../sandbox.ts';
import { createSetupEffects } from '../setup-effects.ts';
import { type Backing, closeBacking, openBacking, takeOver } from './backing.ts';
import { type ConfigurationWatch, watchConfiguration } from './configuration-watch.ts';
import { createStartProgress, openWhenReachable, saveScreen } from './start.ts';

interface BoardCommandOptions {
  /** Ignores problems with the key, because the setup asks for it. */
  readonly opensSetup?: boolean;
  readonly webhook?: string;
}

/** Prints the list if there is no terminal. */
export async function runBoard(
  session: OpenedSession,
  { opensSetup = false, webhook }: BoardCommandOptions = {},
): Promise<ExitCode> {
  const address = webhook === undefined ? null : webhookAddress(webhook);
  if (hasScreen(session.context)) return await openBoard(session, address, opensSetup);
  if (address === null) return await runList(session, {});
  throw new UsageError('--webhook opens the board, which requires a terminal. Use "parcel-monitor watch --webhook".');
}

async function openBoard(
  session: OpenedSession,
  address: ListenAddress | null,
  opensSetup: boolean,
): Promise<ExitCode> {
  const { context, paths, style } = session;
  const { clock, signal } = context;
  const memory = openViewMemory(session);
  const progress = createStartProgress(session);
  const open = (own: OpenedSession): Promise<Backing> => openBacking(own, address, opensSetup, progress);
  // During setup, the user may be about to correct the database's address.
  const waits = session.configuration.store.kind === 'database' && !opensSetup;
  const opened = await (waits ? openWhenReachable(session, progress, open) : open(session)).catch((error: unknown) => {
    progress.giveUp();
    throw error;
  });
  if (opened === null) {
    progress.giveUp();
    return signal.aborted ? exitCode.interrupted : exitCode.done;
  }
  let backing = opened;
  let watch: ConfigurationWatch | null = null;
  let lastScreen: LastScreen | null = null;
  let found: { readonly command: readonly string[]; readonly key: string } | null = null;
  if (!session.configuration.keepScreen) await saveScreen(session, null);
  const onProblem = (error: unknown): void => {
    backing.core.monitor.notify(`View settings could not be saved. ${messageOf(error)}`);
  };
  const keeper = new ViewKeeper({ memory, clock, onProblem });
  const keyFound = (command: readonly string[], key: string): void => {
    found = { command, key };
  };
  const keyOnHand: KeyOnHand = (source) =>
    source.kind === 'command' && isDeepStrictEqual(found?.command, source.command) ? (found?.key ?? null) : null;
  const visit = new SandboxVisit({
    context,
    zone: () => zoneOf(backing.session),
    show: (services) => shown.set({ ...services, ...appearanceOf(backing.session), setupEffects }),
    showOwn: () => shown.set(servicesNow()),
  });
  const setupEffects = createSetupEffects(
    { context, options: session.options, paths, keyFound },
    visit,
    (work, isNoticed) => (watch === null ? work() : watch.change(work, isNoticed)),
  );
  const changeView: ReplaceableServices['changeView'] = async (name, view) => {
    const work = (): Promise<void> => saveView(paths.config, name, view, context);
    await (watch === null ? work() : watch.change(work));
  };
  const servicesNow = (): ReplaceableServices => ({ ...servicesOf(backing, setupEffects), changeView });
  const shown = new Observable<ReplaceableServices>(servicesNow());
  try {
    watch = await watchConfiguration({
      paths: () => {
        const { apiKey } = backing.session.configuration;
        return apiKey.kind === 'file' ? [paths.config, apiKey.path] : [paths.config];
      },
      clock,
      onChange: async (isOwn) => {
        const outcome = await takeOver(backing, address, isOwn ? keyOnHand : null);
        if (outcome === null) return false;
        backing = outcome;
        if (!visit.isInSandbox()) shown.set({ ...servicesNow(), news: outcome.news });
        return true;
      },
    });
    const view = await memory.load();
    progress.sorting();
    const end = await context.showBoard({
      ...shown.get(),
      opensSetup,
      onReplaced: (listener) => shown.subscribe(() => listener(shown.get())),
      ...style,
      view,
      // In the sandbox, the view and screen belong to the demo, so don't save them.
      keepView: (changes) => {
        if (!visit.isInSandbox()) keeper.keep(changes);
      },
      files: boardFiles(context),
      writeCalendar: async (parcels, day) => await (await import('../export.ts')).writeCalendar(session, parcels, day),
      keepScreen: (screen) => {
        if (!visit.isInSandbox()) lastScreen = screen;
      },
      signal,
    });
    return endOfBoard(end);
  } finally {
    progress.giveUp();
    await watch?.end();
    await visit.close();
    await keeper.close();
    await Promise.all([saveScreen(backing.session, lastScreen), closeBacking(backing)]);
    await backing.session.close();
  }
}

function servicesOf(
  { core, notifications, service, session, webhook }: Backing,
  setupEffects: SetupEffects,
): ReplaceableServices {
  const { configuration } = session;
  return {
    monitor: core.monitor,
    couriers: courierDirectory(session, service, core.stores.couriers),
    zone: zoneOf(session),
    title: configuration.title,
    own: configuration.own,
    ...appearanceOf(session),
    views: configuration.views,
    phrases: configuration.phrases,
    notificationSwitch: notifications.notificationSwitch,
    setup: service === null ? missingSetup(session) : { kind: 'ready' },
    badge: null,
    setupEffects,
    facts: [...factsOf(session, core.stores), ...(webhook === null ? [] : [{ name: 'Webhook', value: webhook.url }])],
    account: createAccountActions(core.monitor, service),
    clockSkew: () => service?.clockSkew() ?? null,
    // Calendars and tables need libraries that the board does not need.
    exportParcels: async (file, parcels) => (await import('../export.ts')).exportTo(session, file, parcels),
    hasDefaultExtra: (courierCode) => !lacksExtra(configuration, courierCode),
  };
}

/** The settings that also apply in the sandbox. */
const appearanceOf = ({ configuration: { accent, queriesBackground, mouse, theme } }: Session) => ({
  accent,
  queriesBackground,
  mouse,
  theme,
});

function missingSetup({ configuration, paths }: Session): BoardSetup {
  return {
    kind: 'not-set-up',
    hasKey: configuration.apiKey.kind !== 'none',
    baseUrl: configuration.baseUrl?.href ?? null,
    configFile: printableText(paths.config),
  };
}

function factsOf({ configuration, paths }: Session, { database, place }: Core['stores']): readonly Fact[] {
  return [
    ...(configuration.baseUrl === null ? [] : [{ name: 'Base URL', value: configuration.baseUrl.href }]),
    { name: 'Watchlist', value: printableText(place) },
    ...(database === null ? [] : [{ name: 'Account', value: cleanText(database.account.name) }]),
    { name: 'Configuration', value: printableText(paths.config) },
  ];
}

const maxNames = 200;
const maxPathLength = 4_096;

/** Removes the quotes and backslashes with which terminals paste the path of a file that is dragged onto them. */
const unquoted = (typed: string): string => {
  const [, , inside] = /^(['"])(.*)\1$/.exec(typed) ?? [];
  return inside ?? typed.replace(/\\([ '"()&[\]])/g, '$1');
};

/** Reads files for the board, and completes their names. `~` is the home folder. */
export function boardFiles(context: Pick<CommandContext, 'homeDirectory' | 'stdin'>): BoardFiles {
  const whole = (path: string): string =>
    context.homeDirectory !== null && /^~(?:\/|$)/.test(path) ? join(context.homeDirectory, path.slice(1)) : path;
  return {
    read: async (typed) => await readBytes(context, whole(unquoted(typed.trim()))),
    isPath(pasted) {
      const path = unquoted(pasted.trim());
      if (pasted.length > maxPathLength || !/^(?:~?\/|[A-Z]:\\)[^\r\n]+$/i.test(path)) return false;
      try {
        return statSync(whole(path)).isFile();
      } catch {
        return false;
      }
    },
    beginningWith(typed) {
      const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
      const begun = typed.slice(folder.length);
      try {
        return readdirSync(whole(folder) || '.', { withFileTypes: true })
          .filter(({ name }) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
          .filter(({ name }) => printableText(name) === name)
          .slice(0, maxNames)
          .map((entry) => `${folder}${entry.name}${isFolder(whole(folder), entry) ? '/' : ''}`)
          .sort();
      } catch {
        // If the folder cannot be read, there is nothing to complete. Reading the file reports the reason.
        return [];
      }
    },
  };
}

function isFolder(folder: string, entry: { readonly name: string; isDirectory(): boolean; isSymbolicLink(): boolean }) {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() === true;
}
