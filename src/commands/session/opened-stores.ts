import type { NotifyCursor } from '../../watchlist/state/notify-cursor.ts';
import type { PollLease } from '../../watchlist/state/poll-lease.ts';
import type { PollingMemory } from '../../watchlist/state/polling-memory.ts';
import type { UsageMeter } from '../../watchlist/state/usage-meter.ts';
import type { FileStore } from '../../watchlist/store/file-store.ts';
import type { Recovery } from '../../watchlist/store/recovery.ts';
import type { WatchlistStore } from '../../watchlist/store/store.ts';

/** The watchlist, and what all processes that work on it share, wherever it is kept. */
export interface Stores {
  readonly store: WatchlistStore;
  /** What can be brought back. */
  readonly recovery: Recovery;
  /** Decides which of several processes polls. */
  readonly lease: PollLease;
  /** What polling remembers of earlier runs. */
  readonly memory: PollingMemory;
  /** Counts the calls of the service, for all processes together. */
  readonly meter: UsageMeter;
  /** How far the change log was notified. */
  readonly notifyCursor: NotifyCursor;
  /** The watchlist in files, for what only files have; null where it is in a database. */
  readonly files: FileStore | null;
  /** Where the watchlist is, ready to be shown; a password is never part of it. */
  readonly place: string;
  /** Ends the connection where there is one. Never rejects. */
  close(): Promise<void>;
}
