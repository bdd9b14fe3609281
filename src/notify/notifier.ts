import { createFilter } from '../board/filter.ts';
import { viewingOf } from '../board/status/forecast.ts';
import type { Viewing } from '../board/status/status-now.ts';
import type { View } from '../board/views.ts';
import { orAborted } from '../lib/async.ts';
import { type CancelTimer, type Clock, sleep } from '../lib/clock.ts';
import { messageOf } from '../lib/error-text.ts';
import { Zone } from '../lib/zone.ts';
import type { Change } from '../parcels/change.ts';
import type { Parcel } from '../parcels/parcel.ts';
import type { Monitor } from '../polling/monitor.ts';
import type { Stage } from '../service/status.ts';
import type { NotifyCursor } from '../store/notify-cursor.ts';
import type { ViewMemory } from '../store/saved-view.ts';
import { type ChannelHost, type ChannelSurroundings, openChannel } from './channels.ts';
import {
  type Channel,
  type ChannelName,
  type NotificationSwitch,
  notableChanges,
  notificationOf,
  type Wording,
} from './notification.ts';
import { isQuiet, type QuietHours, quietUntil, Silence } from './silence.ts';
import { filledTemplate } from './template.ts';

export interface NotifierOptions {
  readonly monitor: Pick<Monitor, 'changesAfter' | 'changeSeq' | 'getState' | 'onChanges' | 'whenIdle'>;
  readonly cursor: NotifyCursor;
  /** At least one usable channel. */
  readonly channels: readonly Channel[];
  readonly stages: readonly Stage[];
  readonly tags: readonly string[];
  /** Views with `notify` decide about their parcels. */
  readonly views?: readonly View[];
  readonly template: string | null;
  readonly quietHours: QuietHours | null;
  /** The viewer's zone. */
  readonly zone: Zone;
  readonly isSilent: () => Promise<boolean>;
  readonly clock: Clock;
  /** Shows a message that replaces the previous one on the same subject. Null means that it is resolved. */
  readonly report: (about: ChannelName | 'cursor', sentence: string | null) => void;
}

/** In milliseconds. A round ends after this time without calls or new lines. */
export const settleMs = 1_000;
/** Maximum time before a message is sent while changes continue, in milliseconds. */
const maxRoundMs = 30_000;
/** How long a follower waits for the polling process to send notifications, in milliseconds. */
export const followerWaitMs = 15_000;

/**
 * Sends notifications for changes of the log, whichever process writes them: one message per round, once for all
 * processes together.
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

  /** Applies new settings. Changes that quiet hours hold back may become due. */
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
    await this.#tolerantly(() => cursor.join(newest));
  }

  /** Sends what is written so far. Resolves when it is sent. */
  async flush(): Promise<void> {
    await this.#options.monitor.whenIdle();
    await this.#send();
  }

  async close(): Promise<void> {
    this.#unlisten();
    this.#cancelWake();
    this.#stop.abort();
    await this.#round;
    await this.#tolerantly(() => this.#options.cursor.leave());
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
      await this.#idleOrStopped();
      const waitMs = monitor.getState().polling.isFollowing ? followerWaitMs : settleMs;
      if (!(await sleep(clock, waitMs, this.#stop.signal))) return;
      waitedMs += waitMs;
      await this.#idleOrStopped();
      if (this.#stop.signal.aborted) return;
      if (this.#hasMore && waitedMs < maxRoundMs) continue;
      waitedMs = 0;
      await this.#send();
    }
    this.#isAwake = false;
  }

  /** Does not wait for a call in progress at the end. */
  async #idleOrStopped(): Promise<void> {
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
    await this.#tolerantly(async () => {
      const from = await cursor.claim(newest);
      if (from >= newest || isSilenced) return;
      const lines = (await monitor.changesAfter(from)).filter(({ seq }) => seq <= newest);
      const { parcels } = monitor.getState();
      const viewWantsNotice = lines.length === 0 ? null : noticeWishOf(views, parcels, { now, zone });
      const changes = notableChanges(lines, new Set(stages), parcels, { now, tags, viewWantsNotice: viewWantsNotice });
      if (changes.length > 0) await this.#sendOnAll(changes);
    });
  }

  async #sendOnAll(changes: readonly Change[]): Promise<void> {
    const { channels, monitor, quietHours, report, template, zone } = this.#options;
    const inQuietHours =
      quietHours !== null && changes.some(({ noticedAt }) => isQuiet(quietHours, Date.parse(noticedAt), zone));
    const { parcels } = monitor.getState();
    const wording: Wording | null =
      template === null
        ? null
        : (change) => filledTemplate(template, change, parcels.find(({ id }) => id === change.parcelId) ?? null);
    const notification = notificationOf(changes, { inQuietHours, wording });
    await Promise.all(channels.map(async (channel) => report(channel.name, await channel.send(notification, changes))));
  }

  #wakeAt(delayMs: number): void {
    this.#cancelWake();
    this.#cancelWake = this.#options.clock.setTimer(delayMs, () => this.#wake());
  }

  /** A store failure delays messages; the next round retries. */
  async #tolerantly(work: () => Promise<void>): Promise<void> {
    const { report } = this.#options;
    try {
      await work();
      report('cursor', null);
    } catch (error) {
      report('cursor', `Notifications could not be sent. ${messageOf(error)}`);
    }
  }
}

/** Returns the decision of the first view with `notify` that contains the parcel, or null. */
export function noticeWishOf(
  views: readonly View[],
  parcels: readonly Parcel[],
  at: Pick<Viewing, 'now' | 'zone'>,
): ((parcel: Parcel) => boolean | null) | null {
  const deciding = views.filter(({ notify }) => notify !== undefined);
  if (deciding.length === 0) return null;
  const viewing = viewingOf(parcels, at);
  const deciders = deciding.map(({ filter = '', notify }) => ({ has: createFilter(filter, viewing), notify }));
  return (parcel) => deciders.find(({ has }) => has(parcel))?.notify ?? null;
}

interface NotificationHost extends ChannelHost {
  readonly configuration: ChannelHost['configuration'] & { readonly views: readonly View[]; zone(): string };
  readonly context: ChannelHost['context'] & { readonly signal: AbortSignal };
  stores(): Promise<{ readonly notifyCursor: NotifyCursor }>;
}

interface NotificationsOptions extends Omit<ChannelSurroundings, 'signal'> {
  readonly monitor: Monitor;
  readonly memory: Pick<ViewMemory, 'load' | 'update'>;
  readonly say: (sentence: string) => void;
  /** Whether unusable channels are reported immediately, not with the first message. */
  readonly namesUnusable: boolean;
}

/** Maximum time for a message while the program ends, in milliseconds. */
const lastMessageMs = 2_000;

export type Notifications = Awaited<ReturnType<typeof openNotifications>>;

/** Starts to notify as configured; does nothing without channels. */
export async function openNotifications(session: NotificationHost, options: NotificationsOptions) {
  const { context } = session;
  const { memory, monitor, output, terminal } = options;
  const { clock } = context;
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const failing = new Set<ChannelName | 'cursor'>();
  /** Reports a failing channel once until it works again. */
  const report = (about: ChannelName | 'cursor', sentence: string | null): void => {
    if (sentence !== null && !failing.has(about)) {
      options.say(about === 'cursor' ? sentence : `Notification channel "${about}" failed: ${sentence}`);
    }
    if (sentence === null) failing.delete(about);
    else failing.add(about);
  };
  let silence: Silence | null = null;
  let notifier: Notifier | null = null;
  const take = async (configuration: NotificationHost['configuration']): Promise<void> => {
    const { channels: names, quietHours, stages, tags, template } = configuration.notify;
    const host = { ...session, configuration };
    const channels = names.map((name) => openChannel(host, name, { terminal, output, signal }));
    const isUsable = channels.some(({ unusable }) => unusable === null);
    if (options.namesUnusable || !isUsable) for (const { name, unusable } of channels) report(name, unusable);
    if (names.length === 0) {
      silence?.close();
      silence = null;
    } else if (silence === null) {
      silence = new Silence(memory, clock);
      await silence.look();
      void silence.follow();
    }
    // If nothing can be sent, another process may succeed.
    if (!isUsable) {
      await notifier?.close();
      notifier = null;
      return;
    }
    const { views } = configuration;
    const settings = { channels, quietHours, stages, tags, template, views, zone: new Zone(configuration.zone()) };
    if (notifier !== null) return notifier.take(settings);
    const { notifyCursor: cursor } = await session.stores();
    const isSilent = async (): Promise<boolean> => (await silence?.look()) ?? false;
    notifier = new Notifier({ ...settings, monitor, cursor, isSilent, clock, report });
    await notifier.start();
  };
  await take(session.configuration);
  return {
    /** Null without a channel, so there is nothing to mute. */
    get notificationSwitch(): NotificationSwitch | null {
      return silence;
    },
    take,
    flush: async () => await notifier?.flush(),
    async close(): Promise<void> {
      silence?.close();
      const closed = notifier?.close();
      if (closed === undefined) return;
      const inTime = new AbortController();
      await Promise.race([closed, sleep(clock, lastMessageMs, inTime.signal)]);
      inTime.abort();
      ending.abort();
      await closed;
    },
  };
}
