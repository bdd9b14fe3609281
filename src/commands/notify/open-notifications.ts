import type { Monitor } from '../../polling/core/state.ts';
import type { ChannelName } from '../../process/notifications/channel.ts';
import type { NotificationSwitch } from '../../process/notifications/notification-switch.ts';
import { sleep } from '../../service/clock/clock.ts';
import type { ViewMemory } from '../../watchlist/state/view-memory.ts';
import type { Session } from '../session/session.ts';
import { zoneOf } from '../session/zone-of.ts';
import { type ChannelSurroundings, openChannel } from './channels.ts';
import { Notifier } from './notifier.ts';
import { Silence } from './silence.ts';

/** Notifications as a command holds them. */
export interface Notifications {
  /** Null where no channel is set, so that there is nothing to silence. */
  readonly notificationSwitch: NotificationSwitch | null;
  /** Sends what has changed by now. */
  flush(): Promise<void>;
  /** Ends; what is being sent has a moment to get there. */
  close(): Promise<void>;
}

/** What notifications are opened with. */
export interface NotificationsOptions extends Omit<ChannelSurroundings, 'signal'> {
  readonly monitor: Monitor;
  readonly memory: Pick<ViewMemory, 'load' | 'update'>;
  /** Takes what a person should know. */
  readonly say: (sentence: string) => void;
  /** Whether channels that cannot be used here are named at once, and not with the first message. */
  readonly namesUnusable: boolean;
}

/** How long a message that is being sent may take when the program ends, in milliseconds. */
const lastMessageMs = 2_000;

const none: Notifications = { notificationSwitch: null, flush: async () => undefined, close: async () => undefined };

/** Notifies from now on what the configuration says, on the channels that it names; does nothing where it names none. */
export async function openNotifications(session: Session, options: NotificationsOptions): Promise<Notifications> {
  const { configuration, context } = session;
  const { channels: names, quietHours, stages } = configuration.notify;
  if (names.length === 0) return none;
  const { memory, monitor, output, terminal } = options;
  const { clock } = context;
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const failing = new Set<ChannelName | 'cursor'>();
  /** Of each that fails it is said once, until it has worked again. */
  const report = (about: ChannelName | 'cursor', sentence: string | null): void => {
    if (sentence !== null && !failing.has(about)) {
      options.say(about === 'cursor' ? sentence : `Nothing is notified by "${about}": ${sentence}`);
    }
    if (sentence === null) failing.delete(about);
    else failing.add(about);
  };
  const channels = names.map((name) => openChannel(session, name, { terminal, output, signal }));
  const isUsable = channels.some(({ unusable }) => unusable === null);
  if (options.namesUnusable || !isUsable) for (const { name, unusable } of channels) report(name, unusable);
  const silence = new Silence(memory, clock);
  await silence.look();
  void silence.follow();
  // Where nothing can be sent, another process may have a way.
  if (!isUsable) return { ...none, notificationSwitch: silence, close: async () => silence.close() };
  const notifier = new Notifier({
    monitor,
    cursor: (await session.stores()).notifyCursor,
    channels,
    stages,
    quietHours,
    zone: zoneOf(session),
    isSilent: () => silence.look(),
    clock,
    report,
  });
  await notifier.start();
  return {
    notificationSwitch: silence,
    flush: () => notifier.flush(),
    async close() {
      silence.close();
      const closed = notifier.close();
      const inTime = new AbortController();
      await Promise.race([closed, sleep(clock, lastMessageMs, inTime.signal)]);
      inTime.abort();
      ending.abort();
      await closed;
    },
  };
}
