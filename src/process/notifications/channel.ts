import type { Change } from '../../watchlist/changes/change.ts';
import type { Notification } from './notification.ts';

/** The ways on which changes are notified, as the configuration names them. */
export const channelNames = ['bell', 'terminal', 'desktop', 'command'] as const;

/** A way on which changes are notified. */
export type ChannelName = (typeof channelNames)[number];

/** One way on which changes are notified, as it is on this machine. */
export interface Channel {
  readonly name: ChannelName;
  /** The program or the sequence with which it is done; empty for none. */
  readonly means: string;
  /** Why nothing can be sent on it here, and what to do, as a sentence; null when it can. */
  readonly unusable: string | null;
  /**
   * Sends the one message of a round, or each of its changes where that is what the channel takes. Resolves with how it
   * failed, as a sentence with what to do; null when it did not. Never rejects.
   */
  send(notification: Notification, changes: readonly Change[]): Promise<string | null>;
}

/** A channel on which nothing can be sent here. */
export function unusableChannel(name: ChannelName, unusable: string): Channel {
  return { name, means: '', unusable, send: async () => unusable };
}
