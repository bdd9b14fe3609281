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
import { parseWebhookAddress } from '../../settings/session/service.ts';
import { type FindCachedKey, type OpenedSession, type Session, zoneOf } from '../../settings/session/session.ts';
import type { BoardSetup, Fact, SetupEffects } from '../../settings/setup/board-setup.ts';
import { ViewKeeper } from '../../store/saved-view.ts';
import { type ExitCode, exitCode } from '../../system/exit.ts';
import type { LastScreen } from '../../system/saved-screen.ts';
import { runList } from '../list.ts';
import { lacksExtra } from '../register.ts';
import { boardExitCode, SandboxVisit } from '../sandbox.ts';
import { createSetupEffects } from '../setup-effects.ts';
import { type Backing, closeBacking, openBacking, reloadBacking } from './backing.ts';
import { type ConfigurationWatch, watchConfiguration } from './configuration-watch.ts';
import { createStartProgress, openWhenReachable, saveScreen } from './start.ts';

interface BoardCommandOptions {
  /** Opens the setup. Problems with the key are ignored, because the setup asks for it. */
  readonly opensSetup?: boolean;
  readonly webhook?: string;
}

/** Prints the list if there is no terminal. */
export async function runBoard(
  session: OpenedSession,
  { opensSetup = false, webhook }: BoardCommandOptions = {},
): Promise<ExitCode> {
  const address = webhook === undefined ? null : parseWebhookAddress(webhook);
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
  const open = (current: OpenedSession): Promise<Backing> => openBacking(current, address, opensSetup, progress);
  // During setup, the user may be about to correct the database's address.
  const shouldWait = session.configuration.store.kind === 'database' && !opensSetup;
  const opened = await (shouldWait ? openWhenReachable(session, progress, open) : open(session)).catch(
    (error: unknown) => {
      progress.dismiss();
      throw error;
    },
  );
  if (opened === null) {
    progress.dismiss();
    return signal.aborted ? exitCode.interrupted : exitCode.done;
  }
  let backing = opened;
  let watch: ConfigurationWatch | null = null;
  let lastScreen: LastScreen | null = null;
  let foundKey: { readonly command: readonly string[]; readonly key: string } | null = null;
  if (!session.configuration.keepScreen) await saveScreen(session, null);
  const onProblem = (error: unknown): void => {
    backing.core.monitor.notify(`View settings could not be saved. ${messageOf(error)}`);
  };
  const keeper = new ViewKeeper({ memory, clock, onProblem });
  const onKeyFetched = (command: readonly string[], key: string): void => {
    foundKey = { command, key };
  };
  const findCachedKey: FindCachedKey = (source) =>
    source.kind === 'command' && isDeepStrictEqual(foundKey?.command, source.command) ? (foundKey?.key ?? null) : null;
  const visit = new SandboxVisit({
    context,
    zone: () => zoneOf(backing.session),
    showDemo: (services) => visibleServices.set({ ...services, ...appearanceSettings(backing.session), setupEffects }),
    showWatchlist: () => visibleServices.set(currentServices()),
  });
  const setupEffects = createSetupEffects(
    { context, options: session.options, paths, onKeyFetched },
    visit,
    (work, shouldReload) => (watch === null ? work() : watch.change(work, shouldReload)),
  );
  const changeView: ReplaceableServices['changeView'] = async (name, view) => {
    const work = (): Promise<void> => saveView(paths.config, name, view, context);
    await (watch === null ? work() : watch.change(work));
  };
  const currentServices = (): ReplaceableServices => ({ ...boardServices(backing, setupEffects), changeView });
  const visibleServices = new Observable<ReplaceableServices>(currentServices());
  try {
    watch = await watchConfiguration({
      paths: () => {
        const { apiKey } = backing.session.configuration;
        return apiKey.kind === 'file' ? [paths.config, apiKey.path] : [paths.config];
      },
      clock,
      onChange: async (isOwn) => {
        const outcome = await reloadBacking(backing, address, isOwn ? findCachedKey : null);
        if (outcome === null) return false;
        backing = outcome;
        if (!visit.isInSandbox()) visibleServices.set({ ...currentServices(), news: outcome.news });
        return true;
      },
    });
    const view = await memory.load();
    progress.showSorting();
    const end = await context.showBoard({
      ...visibleServices.get(),
      opensSetup,
      onReplaced: (listener) => visibleServices.subscribe(() => listener(visibleServices.get())),
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
    return boardExitCode(end);
  } finally {
    progress.dismiss();
    await watch?.end();
    await visit.close();
    await keeper.close();
    await Promise.all([saveScreen(backing.session, lastScreen), closeBacking(backing)]);
    await backing.session.close();
  }
}

function boardServices(
  { core, notifications, service, session, webhook }: Backing,
  setupEffects: SetupEffects,
): ReplaceableServices {
  const { configuration } = session;
  return {
    monitor: core.monitor,
    couriers: courierDirectory(session, service, core.stores.couriers),
    zone: zoneOf(session),
    title: configuration.title,
    customActions: configuration.customActions,
    ...appearanceSettings(session),
    views: configuration.views,
    phrases: configuration.phrases,
    notificationSwitch: notifications.notificationSwitch,
    setup: service === null ? missingSetup(session) : { kind: 'ready' },
    badge: null,
    setupEffects,
    facts: [
      ...boardFacts(session, core.stores),
      ...(webhook === null ? [] : [{ name: 'Webhook', value: webhook.url }]),
    ],
    account: createAccountActions(core.monitor, service),
    clockSkew: () => service?.clockSkew() ?? null,
    // Calendars and tables need libraries that the board does not need.
    exportParcels: async (file, parcels) => (await import('../export.ts')).exportToFile(session, file, parcels),
    hasDefaultExtra: (courierCode) => !lacksExtra(configuration, courierCode),
  };
}

/** The settings that also apply in the sandbox. */
const appearanceSettings = ({ configuration: { accent, queriesBackground, mouse, theme } }: Session) => ({
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

function boardFacts({ configuration, paths }: Session, { database, place }: Core['stores']): readonly Fact[] {
  return [
    ...(configuration.baseUrl === null ? [] : [{ name: 'Base URL', value: configuration.baseUrl.href }]),
    { name: 'Watchlist', value: printableText(place) },
    ...(database === null ? [] : [{ name: 'Account', value: cleanText(database.account.name) }]),
    { name: 'Configuration', value: printableText(paths.config) },
  ];
}

const maxCompletions = 200;
const maxPathLength = 4_096;

/** Removes the quotes and backslashes with which terminals paste the path of a file that is dragged onto them. */
const unquote = (typed: string): string => {
  const [, , inside] = /^(['"])(.*)\1$/.exec(typed) ?? [];
  return inside ?? typed.replace(/\\([ '"()&[\]])/g, '$1');
};

/** Reads files for the board, and completes their names. `~` is the home folder. */
export function boardFiles(context: Pick<CommandContext, 'homeDirectory' | 'stdin'>): BoardFiles {
  const expandHome = (path: string): string =>
    context.homeDirectory !== null && /^~(?:\/|$)/.test(path) ? join(context.homeDirectory, path.slice(1)) : path;
  return {
    read: async (typed) => await readBytes(context, expandHome(unquote(typed.trim()))),
    isPath(pasted) {
      const path = unquote(pasted.trim());
      if (pasted.length > maxPathLength || !/^(?:~?\/|[A-Z]:\\)[^\r\n]+$/i.test(path)) return false;
      try {
        return statSync(expandHome(path)).isFile();
      } catch {
        return false;
      }
    },
    completions(typed) {
      const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
      const prefix = typed.slice(folder.length);
      try {
        return readdirSync(expandHome(folder) || '.', { withFileTypes: true })
          .filter(({ name }) => name.startsWith(prefix) && (prefix.startsWith('.') || !name.startsWith('.')))
          .filter(({ name }) => printableText(name) === name)
          .slice(0, maxCompletions)
          .map((entry) => `${folder}${entry.name}${isFolder(expandHome(folder), entry) ? '/' : ''}`)
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
