import { createFilter } from '../board/filter.ts';
import { createViewing } from '../board/status/forecast.ts';
import type { Viewing } from '../board/status/status-now.ts';
import type { View } from '../board/views.ts';
import { orAborted } from '../lib/async.ts';
import { type CancelTimer, type Clock, sleep } from '../lib/clock.ts';
import { Zone } from '../lib/date-time.ts';
import { messageOf } from '../lib/error-text.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { Monitor } from '../polling/monitor.ts';
import type { Stage } from '../service/status.ts';
import type { ViewMemory } from '../store/saved-view.ts';
import type { NotifyCursor } from '../store/shared-state.ts';
import { type ChannelEnvironment, type ChannelHost, openChannel } from './channels.ts';
import {
  buildNotification,
  type Channel,
  type ChannelName,
  type FormatChange,
  fillTemplate,
  type NotificationSwitch,
  notableChanges,
} from './notification.ts';
import { isQuiet, type QuietHours, quietUntil, Silence } from './silence.ts';

export interface NotifierOptions {
  readonly monitor: Pick<Monitor, 'changesAfter' | 'changeSeq' | 'getState' | 'onChanges' | 'whenIdle'>;
  readonly cursor: NotifyCursor;
  /** At least one usable channel. */
  readonly channels: readonly Channel[];
  readonly stages: readonly Stage[];
  readonly tags: readonly string[];
  /** A view with `notify` decides for the parcels that it contains. */
  readonly views?: readonly View[];
  readonly template: string | null;
  readonly quietHours: QuietHours | null;
  /** The viewer's zone. */
  readonly zone: Zone;
  readonly isSilent: () => Promise<boolean>;
  readonly clock: Clock;
  /** Reports a problem, replacing the previous report on the same subject. Null means that the problem is solved. */
  readonly report: (about: ChannelName | 'cursor', sentence: string | null) => void;
}

/** In milliseconds. A round ends when there have been no calls and no new changes for this long. */
export const settleMs = 1_000;
/** In milliseconds. A message is sent at the latest after this time, even if changes keep coming in. */
const maxRoundMs = 30_000;
/** How long a follower gives the polling process to send the notifications itself, in milliseconds. */
export const followerWaitMs = 15_000;

/**
 * Sends notifications for changes in the change log, no matter which process recorded them. There is one message per
 * round, and only one process sends it.
 */
export class Notifier {
  #options: NotifierOptions;
  readonly #stop = new AbortController();
  #unlisten = (): void => undefined;
  #cancelWake: CancelTimer = () => undefined;
  #round: Promise<void> = Promise.resolve();
  #isAwake = false;
  #hasMore = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** Applies new settings, which may release changes that quiet hours held back. */
  take(
    changed: Pick<NotifierOptions, 'channels' | 'quietHours' | 'stages' | 'tags' | 'template' | 'views' | 'zone'>,
  ): void {
    this.#options = { ...this.#options, ...changed };
    this.#cancelWake();
    this.#wake();
  }

  async start(): Promise<void> {
    const { cursor, monitor } = this.#options;
    const newest = monitor.changeSeq();
    this.#unlisten = monitor.onChanges(() => this.#wake());
    await this.#withFailureReport(() => cursor.join(newest));
  }

  /** Sends everything recorded so far. Resolves once it is sent. */
  async flush(): Promise<void> {
    await this.#options.monitor.whenIdle();
    await this.#send();
  }

  async close(): Promise<void> {
    this.#unlisten();
    this.#cancelWake();
    this.#stop.abort();
    await this.#round;
    await this.#withFailureReport(() => this.#options.cursor.leave());
  }

  #wake(): void {
    this.#hasMore = true;
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.#round = this.#awaitRound();
  }

  async #awaitRound(): Promise<void> {
    const { clock, monitor } = this.#options;
    let waitedMs = 0;
    while (this.#hasMore) {
      this.#hasMore = false;
      await this.#waitUntilIdle();
      const waitMs = monitor.getState().polling.isFollowing ? followerWaitMs : settleMs;
      if (!(await sleep(clock, waitMs, this.#stop.signal))) return;
      waitedMs += waitMs;
      await this.#waitUntilIdle();
      if (this.#stop.signal.aborted) return;
      if (this.#hasMore && waitedMs < maxRoundMs) continue;
      waitedMs = 0;
      await this.#send();
    }
    this.#isAwake = false;
  }

  /** Returns early on `close`, without waiting for a call in progress. */
  async #waitUntilIdle(): Promise<void> {
    const { signal } = this.#stop;
    await orAborted(this.#options.monitor.whenIdle(), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async #send(): Promise<void> {
    const { clock, cursor, isSilent, monitor, quietHours, stages, tags, views = [], zone } = this.#options;
    const newest = monitor.changeSeq();
    const isSilenced = await isSilent();
    const now = clock.now();
    const quietEnd = quietHours === null ? null : quietUntil(quietHours, now, zone);
    if (quietEnd !== null && !isSilenced) {
      this.#wakeAt(quietEnd - now);
      return;
    }
    await this.#withFailureReport(async () => {
      const from = await cursor.claim(newest);
      if (from >= newest || isSilenced) return;
      const lines = (await monitor.changesAfter(from)).filter(({ seq }) => seq <= newest);
      const { parcels } = monitor.getState();
      const viewPreference = lines.length === 0 ? null : viewPreferences(views, parcels, { now, zone });
      const changes = notableChanges(lines, new Set(stages), parcels, { now, tags, viewPreference });
      if (changes.length > 0) await this.#sendToChannels(changes);
    });
  }

  async #sendToChannels(changes: readonly Change[]): Promise<void> {
    const { channels, monitor, quietHours, report, template, zone } = this.#options;
    const inQuietHours =
      quietHours !== null && changes.some(({ noticedAt }) => isQuiet(quietHours, Date.parse(noticedAt), zone));
    const { parcels } = monitor.getState();
    const format: FormatChange | null =
      template === null
        ? null
        : (change) => fillTemplate(template, change, parcels.find(({ id }) => id === change.parcelId) ?? null);
    const notification = buildNotification(changes, { inQuietHours, format });
    await Promise.all(channels.map(async (channel) => report(channel.name, await channel.send(notification, changes))));
  }

  #wakeAt(delayMs: number): void {
    this.#cancelWake();
    this.#cancelWake = this.#options.clock.setTimer(delayMs, () => this.#wake());
  }

  /** A store failure only delays messages, because the next round tries again. */
  async #withFailureReport(work: () => Promise<void>): Promise<void> {
    const { report } = this.#options;
    try {
      await work();
      report('cursor', null);
    } catch (error) {
      report('cursor', `Notifications could not be sent. ${messageOf(error)}`);
    }
  }
}

/** Returns a function that gives the `notify` of the first view that has one and contains the parcel, or null. */
export function viewPreferences(
  views: readonly View[],
  parcels: readonly Parcel[],
  at: Pick<Viewing, 'now' | 'zone'>,
): ((parcel: Parcel) => boolean | null) | null {
  const decidingViews = views.filter(({ notify }) => notify !== undefined);
  if (decidingViews.length === 0) return null;
  const viewing = createViewing(parcels, at);
  const preferences = decidingViews.map(({ filter = '', notify }) => ({
    contains: createFilter(filter, viewing),
    notify,
  }));
  return (parcel) => preferences.find(({ contains }) => contains(parcel))?.notify ?? null;
}

interface NotificationHost extends ChannelHost {
  readonly configuration: ChannelHost['configuration'] & { readonly views: readonly View[]; zone(): string };
  readonly context: ChannelHost['context'] & { readonly signal: AbortSignal };
  stores(): Promise<{ readonly notifyCursor: NotifyCursor }>;
}

interface NotificationsOptions extends Omit<ChannelEnvironment, 'signal'> {
  readonly monitor: Monitor;
  readonly memory: Pick<ViewMemory, 'load' | 'update'>;
  readonly say: (sentence: string) => void;
  /** Whether unusable channels are reported even if others are usable. */
  readonly reportsUnusable: boolean;
}

/** Maximum time to send a last message when the program exits, in milliseconds. */
const lastMessageTimeoutMs = 2_000;

export type Notifications = Awaited<ReturnType<typeof openNotifications>>;

/** Starts sending notifications as configured. Does nothing if no channel is configured. */
export async function openNotifications(session: NotificationHost, options: NotificationsOptions) {
  const { context } = session;
  const { memory, monitor, output, terminal } = options;
  const { clock } = context;
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const failingChannels = new Set<ChannelName | 'cursor'>();
  /** Reports a failing channel only once until it works again. */
  const report = (about: ChannelName | 'cursor', sentence: string | null): void => {
    if (sentence !== null && !failingChannels.has(about)) {
      options.say(about === 'cursor' ? sentence : `Notification channel "${about}" failed: ${sentence}`);
    }
    if (sentence === null) failingChannels.delete(about);
    else failingChannels.add(about);
  };
  let silence: Silence | null = null;
  let notifier: Notifier | null = null;
  const take = async (configuration: NotificationHost['configuration']): Promise<void> => {
    const { channels: names, quietHours, stages, tags, template } = configuration.notify;
    const host = { ...session, configuration };
    const channels = names.map((name) => openChannel(host, name, { terminal, output, signal }));
    const isUsable = channels.some(({ unusable }) => unusable === null);
    if (options.reportsUnusable || !isUsable) for (const { name, unusable } of channels) report(name, unusable);
    if (names.length === 0) {
      silence?.close();
      silence = null;
    } else if (silence === null) {
      silence = new Silence(memory, clock);
      await silence.refresh();
      void silence.follow();
    }
    // Without a usable channel, leave the changes to another process that has one.
    if (!isUsable) {
      await notifier?.close();
      notifier = null;
      return;
    }
    const { views } = configuration;
    const settings = { channels, quietHours, stages, tags, template, views, zone: new Zone(configuration.zone()) };
    if (notifier !== null) return notifier.take(settings);
    const { notifyCursor: cursor } = await session.stores();
    const isSilent = async (): Promise<boolean> => (await silence?.refresh()) ?? false;
    notifier = new Notifier({ ...settings, monitor, cursor, isSilent, clock, report });
    await notifier.start();
  };
  await take(session.configuration);
  return {
    /** Null if no channel is configured, because there is nothing to mute. */
    get notificationSwitch(): NotificationSwitch | null {
      return silence;
    },
    take,
    flush: async () => await notifier?.flush(),
    async close(): Promise<void> {
      silence?.close();
      const closed = notifier?.close();
      if (closed === undefined) return;
      const timer = new AbortController();
      await Promise.race([closed, sleep(clock, lastMessageTimeoutMs, timer.signal)]);
      timer.abort();
      ending.abort();
      await closed;
    },
  };
}
