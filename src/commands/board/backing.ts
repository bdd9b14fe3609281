import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { largeWatchlistAdvice } from '../../board/status/watchlist-status.ts';
import { printableText } from '../../lib/clean-text.ts';
import { findTerminal } from '../../notify/channels.ts';
import { type Notifications, openNotifications } from '../../notify/notifier.ts';
import type { GatedService } from '../../polling/account.ts';
import type { Monitor } from '../../polling/monitor.ts';
import type { ListenAddress } from '../../polling/webhook/callers.ts';
import { changedOwners } from '../../settings/check-settings.ts';
import { ApiKeyMissingError, describeFailure, UsageError } from '../../settings/errors.ts';
import { type Core, openCore } from '../../settings/session/core.ts';
import { openViewMemory } from '../../settings/session/open-stores.ts';
import { openService, openWebhook, type Webhook } from '../../settings/session/service.ts';
import type { FindCachedKey, OpenedSession, Session, Stores } from '../../settings/session/session.ts';
import { overriddenSettings } from '../../settings/setup/setup-settings.ts';
import { conflictCopies } from '../../store/file/damaged-files.ts';
import type { StartProgress } from './start.ts';

export interface Backing {
  readonly session: OpenedSession;
  readonly service: GatedService | null;
  readonly core: Core;
  readonly webhook: Webhook | null;
  readonly notifications: Notifications;
  readonly messages: readonly string[];
  /** Null if everything was applied. */
  readonly failure: string | null;
  readonly news: { readonly sentence: string } | null;
}

/** Throws without a key if there is a webhook address, because pushed updates are signed with the key. */
async function openGatedService(session: Session, address: ListenAddress | null): Promise<GatedService | null> {
  return address === null ? await session.service() : await openService(session);
}

const openBoardNotifications = (session: Session, { monitor }: Core): Promise<Notifications> =>
  openNotifications(session, {
    monitor,
    memory: openViewMemory(session),
    terminal: findTerminal(session.context.stdout),
    output: 'discarded',
    say: (sentence) => monitor.notify(sentence),
    reportsUnusable: false,
  });

/** @param opensSetup whether the board opens on the setup, where a missing service is shown instead of thrown */
export async function openBacking(
  session: OpenedSession,
  address: ListenAddress | null,
  opensSetup: boolean,
  { showReading }: Pick<StartProgress, 'showReading'>,
): Promise<Backing> {
  let problem: string | null = null;
  const service = await openGatedService(session, address).catch((error: unknown) => {
    if (!opensSetup || !(error instanceof ApiKeyMissingError || error instanceof UsageError)) throw error;
    problem = error.message;
    return null;
  });
  const { store } = await session.stores();
  showReading(store);
  const core = await openCore(session, service);
  const messages = [
    ...(problem === null ? [] : [problem]),
    ...configurationNotices(session),
    ...(await copyNotice(session)),
  ];
  for (const sentence of messages) core.monitor.notify(sentence);
  warnOfLargeWatchlist(core.monitor, core.stores);
  try {
    const webhook = address === null ? null : await openWebhook(session, address, core);
    const notifications = await openBoardNotifications(session, core);
    return { session, service, core, webhook, notifications, messages, failure: null, news: null };
  } catch (error) {
    await core.close();
    throw error;
  }
}

/** All invalid settings share one notice, because the board shows one at a time and has little room for paths. */
function configurationNotices({ paths, settingWarnings, warnings }: OpenedSession): readonly string[] {
  const [first] = settingWarnings;
  if (first === undefined) return warnings;
  const file = basename(paths.config);
  const count = settingWarnings.reduce((sum, warning) => sum + (warning.count ?? 1), 0);
  const summary = `${file}: ${count} settings are not valid. Run "parcel-monitor doctor" to see them.`;
  return [...warnings, printableText(count === 1 ? first.sentence.replace(paths.config, () => file) : summary)];
}

/** Sync tools save a conflicting copy in the same folder without reporting it. */
async function copyNotice({ paths }: Session): Promise<readonly string[]> {
  const [copy, ...others] = await conflictCopies([paths.watchlist, paths.config]);
  if (copy === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [
    `A sync tool saved a conflicting copy as ${printableText(copy)}${more}. Run "parcel-monitor doctor" for advice.`,
  ];
}

export async function closeBacking({ core, notifications, webhook }: Backing): Promise<void> {
  await webhook?.close();
  await notifications.close();
  await core.close();
}

/**
 * Applies the changed settings. Returns null to be called again later if there are unsaved changes, because a new core
 * would not know about them.
 * @param ownKey the key if the board itself made the change, or null for other changes
 */
export async function reloadBacking(
  before: Backing,
  address: ListenAddress | null,
  ownKey: FindCachedKey | null,
): Promise<Backing | null> {
  const { monitor } = before.core;
  let opened: Session | null = null;
  try {
    const session = await before.session.reload(ownKey ?? undefined);
    opened = session;
    const messages = reloadMessages(before, session, ownKey !== null);
    const news = ownKey === null ? { sentence: `Reloaded ${printableText(session.paths.config)}.` } : null;
    if (await canStayOpen(before.session, session, ownKey)) return await applyLive(before, session, { messages, news });
    if (monitor.unwritten() !== null) {
      await session.close();
      return null;
    }
    const usable = ownKey === null ? await withFormerKey(before.session, session) : session;
    opened = usable;
    const core = await openCore(usable, await openGatedService(usable, address));
    return await replaceBacking(before, address, { session: usable, core, messages, news });
  } catch (error) {
    await opened?.close();
    const failure = `${describeFailure(error).message} The previous settings remain in use.`;
    monitor.notify(failure, before.failure);
    return { ...before, failure, news: null };
  }
}

/** Returns the messages about the reloaded settings, including earlier ones that still apply. */
function reloadMessages(
  { messages, session: before }: Backing,
  session: OpenedSession,
  isOwnChange: boolean,
): readonly string[] {
  const { configuration, settings } = session;
  const warnings = configurationNotices(session);
  const all = new Set([...warnings, ...overriddenSettings(Object.keys(settings), configuration)]);
  const stillValid = messages.filter((sentence) => all.has(sentence));
  const fresh = isOwnChange ? [] : [...warnings, ...overrideWarnings(before, session)];
  return [...new Set([...stillValid, ...fresh])];
}

/** Whether the core can keep running with the new settings. Throws if the key is no longer available. */
async function canStayOpen(
  before: OpenedSession,
  after: OpenedSession,
  ownKey: FindCachedKey | null,
): Promise<boolean> {
  const canApplyLive = !changedOwners(before.settings, after.settings).has(undefined);
  // Even if the settings are the same, the file's permissions decide which of them may be used.
  const hasSameTrust = before.configuration.keyWithheldReason === after.configuration.keyWithheldReason;
  return canApplyLive && hasSameTrust && (await hasSameKey(before, after, ownKey));
}

async function applyLive(
  before: Backing,
  after: OpenedSession,
  { news, messages }: Pick<Backing, 'news' | 'messages'>,
): Promise<Backing> {
  const { core, notifications, session } = before;
  const { monitor } = core;
  const { configuration: former } = session;
  const { configuration } = after;
  session.take(after);
  core.gate.policy.minPauseMs = configuration.minPauseMs;
  const notificationSettings = ({ notify, views }: typeof former) => [notify, views];
  const hasSameSettings = isDeepStrictEqual(notificationSettings(former), notificationSettings(configuration));
  if (!hasSameSettings || former.zone() !== configuration.zone()) await notifications.take(configuration);
  for (const sentence of messagesAndFailure(before)) if (!messages.includes(sentence)) monitor.withdrawNotice(sentence);
  // Notices that the user has dismissed are not shown again.
  for (const sentence of messages) if (!before.messages.includes(sentence)) monitor.notify(sentence);
  return { ...before, messages, failure: null, news };
}

const messagesAndFailure = ({ failure, messages }: Backing): readonly string[] =>
  failure === null ? messages : [...messages, failure];

/**
 * Reuses the former key if the same key command fails now. The command may ask questions at the terminal, which the
 * board is using.
 */
async function withFormerKey(before: OpenedSession, after: OpenedSession): Promise<OpenedSession> {
  const { apiKey } = after.configuration;
  if (apiKey.kind !== 'command' || !isDeepStrictEqual(apiKey, before.configuration.apiKey)) return after;
  const formerKey = await before.apiKey().catch(() => null);
  const newKey = await after.apiKey().catch(() => null);
  return formerKey === null || newKey !== null ? after : await after.reload(() => formerKey);
}

/** The key may change even if the settings do not. Throws if it is no longer available. */
async function hasSameKey(before: Session, after: Session, ownKey: FindCachedKey | null): Promise<boolean> {
  const { apiKey } = after.configuration;
  if (apiKey.kind !== 'file' && (ownKey?.(apiKey) ?? null) === null) return true;
  const formerKey = await before.apiKey().catch(() => null);
  return formerKey === (await after.apiKey());
}

/** Returns warnings about changed settings that an option or environment variable overrides. */
function overrideWarnings(before: OpenedSession, { configuration, settings }: OpenedSession): readonly string[] {
  const changed = Object.entries(settings).filter(
    ([name, value]) => !isDeepStrictEqual(value, Reflect.get(before.settings, name)),
  );
  return overriddenSettings(
    changed.map(([name]) => name),
    configuration,
  );
}

async function replaceBacking(
  before: Backing,
  address: ListenAddress | null,
  { core, news, messages, session }: Pick<Backing, 'core' | 'news' | 'messages' | 'session'>,
): Promise<Backing> {
  const { core: old, notifications: oldNotifications, webhook: oldWebhook } = before;
  const { monitor } = core;
  const tryOrNotify = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await work();
    } catch (error) {
      monitor.notify(describeFailure(error).message);
      return null;
    }
  };
  // Closing the old core passes its notices on, but these are about the former settings.
  for (const sentence of messagesAndFailure(before)) old.monitor.withdrawNotice(sentence);
  for (const sentence of messages) monitor.notify(sentence);
  const wasAdvised = old.stores.files !== null && largeWatchlistAdvice(old.monitor.getState().parcels.length) !== null;
  if (!wasAdvised) warnOfLargeWatchlist(monitor, core.stores);
  await tryOrNotify(async () => await oldWebhook?.close());
  await tryOrNotify(() => oldNotifications.close());
  // These notices go to the monitor, because printed text would damage the screen.
  await tryOrNotify(() => old.close((sentence) => monitor.notify(sentence)));
  await tryOrNotify(() => before.session.close());
  const [oldStores, newStores] = [old.stores, core.stores];
  const isSameWatchlist =
    oldStores.place === newStores.place && oldStores.database?.account.name === newStores.database?.account.name;
  if (isSameWatchlist) monitor.continueUndo(old.monitor.undoSteps());
  const webhook = address === null ? null : await tryOrNotify(() => openWebhook(session, address, core));
  const notifications = await openBoardNotifications(session, core);
  monitor.start();
  const service = await session.service();
  return { session, service, core, webhook, notifications, messages, failure: null, news };
}

/** Shows the advice only once. A database needs no advice, because it can hold more parcels. */
export function warnOfLargeWatchlist(
  monitor: Pick<Monitor, 'getState' | 'subscribe' | 'notify'>,
  { files }: Pick<Stores, 'files'>,
): void {
  if (files === null) return;
  const check = (): void => {
    const advice = largeWatchlistAdvice(monitor.getState().parcels.length);
    if (advice === null) return;
    // Unsubscribe first, because the notice changes the state and would call this again.
    stop();
    monitor.notify(advice);
  };
  const stop = monitor.subscribe(check);
  check();
}
