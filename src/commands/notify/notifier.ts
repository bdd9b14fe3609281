import type { Monitor } from '../../polling/core/state.ts';
import type { Channel, ChannelName } from '../../process/notifications/channel.ts';
import { notableChanges } from '../../process/notifications/notable-changes.ts';
import { notificationOf } from '../../process/notifications/notification.ts';
import { isQuiet, type QuietHours, quietUntil } from '../../process/notifications/quiet-hours.ts';
import { type CancelTimer, type Clock, sleep } from '../../service/clock/clock.ts';
import { orAborted } from '../../service/clock/or-aborted.ts';
import type { Zone } from '../../service/clock/zone.ts';
import { messageOf } from '../../service/failures/thrown.ts';
import type { Stage } from '../../service/record/status.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import type { NotifyCursor } from '../../watchlist/state/notify-cursor.ts';

/** What a {@link Notifier} works with. */
export interface NotifierOptions {
  readonly monitor: Pick<Monitor, 'changesAfter' | 'changeSeq' | 'getState' | 'onChanges' | 'whenIdle'>;
  /** How far the change log was notified, by all processes. */
  readonly cursor: NotifyCursor;
  /** At least one on which something can be sent. */
  readonly channels: readonly Channel[];
  readonly stages: readonly Stage[];
  readonly quietHours: QuietHours | null;
  /** The viewer's zone. */
  readonly zone: Zone;
  /** Whether nothing is to be sent now. */
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
  readonly #options: NotifierOptions;
  readonly #stages: ReadonlySet<Stage>;
  readonly #stop = new AbortController();
  #unlisten = (): void => undefined;
  #cancelWake: CancelTimer = () => undefined;
  #round: Promise<void> = Promise.resolve();
  #isAwake = false;
  #hasMore = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#stages = new Set(options.stages);
  }

  /** Begins with what the log gets from now on. */
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

  /** Ends; what is being sent is sent. */
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
    const { clock, cursor, isSilent, monitor, quietHours, zone } = this.#options;
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
      const changes = notableChanges(lines, this.#stages, monitor.getState().parcels);
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
      report('cursor', `What has changed cannot be notified. ${messageOf(error)}`);
    }
  }
}
