import type { Clock } from '../../service/clock/clock.ts';
import type { Account } from '../../watchlist/postgres/accounts.ts';
import type { Database } from '../../watchlist/postgres/database.ts';
import type { SharedCouriers } from '../../watchlist/state/courier-directory.ts';
import type { NotifyCursor } from '../../watchlist/state/notify-cursor.ts';
import type { PollLease } from '../../watchlist/state/poll-lease.ts';
import type { PollingMemory } from '../../watchlist/state/polling-memory.ts';
import type { Presence } from '../../watchlist/state/presence.ts';
import type { MovableUsageMeter } from '../../watchlist/state/usage-meter.ts';
import type { FileStore } from '../../watchlist/store/file-store.ts';
import type { Recovery } from '../../watchlist/store/recovery.ts';
import type { WatchlistStore } from '../../watchlist/store/store.ts';

/** What a command wants of the watchlist: what reads only makes no tables, no account, and nothing else in a database. */
export type StorePurpose = 'read' | 'write';

/** What is not in a database yet, of what a watchlist needs there. */
export interface Unmade {
  readonly what: 'tables' | 'account';
  /** What there is instead, in a few words. */
  readonly found: 'none yet' | 'of an older version';
  readonly database: Database;
  /** Says so, and what makes it. */
  readonly sentence: string;
}

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
  readonly meter: MovableUsageMeter;
  /** How far the change log was notified. */
  readonly notifyCursor: NotifyCursor;
  /** Tells other hosts that we are there; null where there can be none. */
  readonly presence: Presence | null;
  /** The list of couriers that hosts share; null where there can be no others. */
  readonly couriers: SharedCouriers | null;
  /** Shows the time that all who share it go by. */
  readonly clock: Clock;
  /** The watchlist in files, for what only files have; null where it is in a database. */
  readonly files: FileStore | null;
  /** The database, for what only a database has; null where the watchlist is in files. */
  readonly database: {
    readonly database: Database;
    readonly account: Account;
  } | null;
  /** What has to be made in the database by what writes; null where all is there, and for files. Then this is an empty watchlist. */
  readonly unmade: Unmade | null;
  /** Where the watchlist is, ready to be shown; a password is never part of it. */
  readonly place: string;
  /** To be called before the service is called with a key: rejects with a `StoreError` where it is not the one of this watchlist. */
  admitKey(key: string): Promise<void>;
  /** Ends the connection where there is one. Never rejects. */
  close(): Promise<void>;
}
