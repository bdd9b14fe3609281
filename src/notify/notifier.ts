import { orAborted } from '../lib/async.ts';
import { type CancelTimer, type Clock, sleep } from '../lib/clock.ts';
import { messageOf } from '../lib/error-text.ts';
import { Zone } from '../lib/zone.ts';
import type { Change } from '../parcels/change.ts';
import type { Monitor } from '../polling/state.ts';
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
} from './notification.ts';
import { isQuiet, type QuietHours, quietUntil, Silence } from './silence.ts';

/** What a {@link Notifier} works with. */
export interface NotifierOptions {
  readonly monitor: Pick<Monitor, 'changesAfter' | 'changeSeq' | 'getState' | 'onChanges' | 'whenIdle'>;
  readonly cursor: NotifyCursor;
  /** At least one on which something can be sent. */
  readonly channels: readonly Channel[];
  readonly stages: readonly Stage[];
  readonly quietHours: QuietHours | null;
  /** The viewer's zone. */
  readonly zone: Zone;
  readonly isSilent: () => Promise<boolean>;
  readonly clock: Clock;
  /** Takes what a person has to know, in place of what was said of the same before; null for all well again. */
  readonly report: (about: ChannelName | 'cursor', sentence: string | null) => void;
}

/** A round has ended when nothing is under way and nothing more was written for so long, in milliseconds. */
export const settleMs = 1_000;
/** Where changes never stop, a message goes out after so long, in milliseconds. */
const longestRoundMs = 30_000;
/** Who only follows leaves it to the process that polls to notify, unless that is gone, in milliseconds. */
export const followerWaitMs = 15_000;

/**
 * Notifies what the change log gets, whichever process writes it: one message a round of checks, once for all processes
 * together.
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

  /** Goes on with other settings; what quiet hours have kept back may be due under them. */
  take(changed: Pick<NotifierOptions, 'channels' | 'quietHours' | 'stages' | 'zone'>): void {
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

  /** Sends what is written by now without waiting for more of it; resolves when it is sent. */
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
      if (this.#hasMore && waitedMs < longestRoundMs) continue;
      waitedMs = 0;
      await this.#send();
    }
    this.#isAwake = false;
  }

  /** Who ends does not wait for a call under way. */
  async #idleOrStopped(): Promise<void> {
    const { signal } = this.#stop;
    await orAborted(this.#options.monitor.whenIdle(), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async #send(): Promise<void> {
    const { clock, cursor, isSilent, monitor, quietHours, stages, zone } = this.#options;
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
      const changes = notableChanges(lines, new Set(stages), monitor.getState().parcels);
      if (changes.length > 0) await this.#sendOnAll(changes);
    });
  }

  async #sendOnAll(changes: readonly Change[]): Promise<void> {
    const { channels, quietHours, report, zone } = this.#options;
    const inQuietHours =
      quietHours !== null && changes.some(({ noticedAt }) => isQuiet(quietHours, Date.parse(noticedAt), zone));
    const notification = notificationOf(changes, { inQuietHours });
    await Promise.all(channels.map(async (channel) => report(channel.name, await channel.send(notification, changes))));
  }

  #wakeAt(delayMs: number): void {
    this.#cancelWake();
    this.#cancelWake = this.#options.clock.setTimer(delayMs, () => this.#wake());
  }

  /** A store that fails costs messages and nothing else; the next round tries again. */
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

export interface Notifications {
  /** Null where no channel is set, so that there is nothing to silence. */
  readonly notificationSwitch: NotificationSwitch | null;
  take(configuration: NotificationHost['configuration']): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface NotificationHost extends ChannelHost {
  readonly configuration: ChannelHost['configuration'] & { zone(): string };
  readonly context: ChannelHost['context'] & { readonly signal: AbortSignal };
  stores(): Promise<{ readonly notifyCursor: NotifyCursor }>;
}

interface NotificationsOptions extends Omit<ChannelSurroundings, 'signal'> {
  readonly monitor: Monitor;
  readonly memory: Pick<ViewMemory, 'load' | 'update'>;
  readonly say: (sentence: string) => void;
  /** Whether channels that cannot be used here are named at once, and not with the first message. */
  readonly namesUnusable: boolean;
}

/** How long a message that is being sent may take when the program ends, in milliseconds. */
const lastMessageMs = 2_000;

/** Notifies from now on what the configuration says, on the channels that it names; does nothing where it names none. */
export async function openNotifications(
  session: NotificationHost,
  options: NotificationsOptions,
): Promise<Notifications> {
  const { context } = session;
  const { memory, monitor, output, terminal } = options;
  const { clock } = context;
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const failing = new Set<ChannelName | 'cursor'>();
  /** Of each that fails it is said once, until it has worked again. */
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
    const { channels: names, quietHours, stages } = configuration.notify;
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
    // Where nothing can be sent, another process may have a way.
    if (!isUsable) {
      await notifier?.close();
      notifier = null;
      return;
    }
    const settings = { channels, quietHours, stages, zone: new Zone(configuration.zone()) };
    if (notifier !== null) return notifier.take(settings);
    const { notifyCursor: cursor } = await session.stores();
    const isSilent = async (): Promise<boolean> => (await silence?.look()) ?? false;
    notifier = new Notifier({ ...settings, monitor, cursor, isSilent, clock, report });
    await notifier.start();
  };
  await take(session.configuration);
  return {
    get notificationSwitch() {
      return silence;
    },
    take,
    flush: async () => await notifier?.flush(),
    async close() {
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
