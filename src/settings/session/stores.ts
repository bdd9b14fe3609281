import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { ErrorText } from '../../lib/error-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { Kept } from '../../store/courier-directory.ts';
import type { Document } from '../../store/document.ts';
import type { FileStore } from '../../store/file/file-store.ts';
import type { NotifyCursor } from '../../store/notify-cursor.ts';
import type { PollLease } from '../../store/poll-lease.ts';
import type { PollingMemory } from '../../store/polling-memory.ts';
import type { Presence } from '../../store/polling-state.ts';
import type { Account } from '../../store/postgres/accounts.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { Recovery } from '../../store/recovery.ts';
import type { WatchlistStore } from '../../store/store.ts';
import type { MovableUsageMeter } from '../../store/usage-meter.ts';
import type { ProgramPaths } from '../config-file.ts';

/** What a command wants of the watchlist: what reads only makes no tables, no account, and nothing else in a database. */
export type StorePurpose = 'read' | 'write';

/** What a watchlist needs is not in its database yet; the message says so, and what makes it. */
export class NotMadeError extends StoreError {
  readonly lacking: 'tables' | 'account';
  /** What there is instead, in a few words. */
  readonly found: 'none yet' | 'of an older version';

  constructor(place: string, sentence: ErrorText, { lacking, found }: Pick<NotMadeError, 'lacking' | 'found'>) {
    super('failed', sentence, place);
    this.name = new.target.name;
    this.lacking = lacking;
    this.found = found;
  }
}

/** The watchlist, and what all processes that work on it share, wherever it is kept. */
export interface Stores {
  readonly store: WatchlistStore;
  readonly recovery: Recovery;
  readonly lease: PollLease;
  readonly memory: PollingMemory;
  readonly meter: MovableUsageMeter;
  readonly notifyCursor: NotifyCursor;
  /** Tells other hosts that we are there; null where there can be none. */
  readonly presence: Presence | null;
  /** The list of couriers that hosts share; null where there can be no others. */
  readonly couriers: Document<Kept | null> | null;
  /** Shows the time that all who share it go by. */
  readonly clock: Clock;
  /** The watchlist in files, for what only files have; null where it is in a database. */
  readonly files: FileStore | null;
  /** The database, for what only a database has; null where the watchlist is in files. */
  readonly database: {
    readonly database: Database;
    readonly account: Account;
  } | null;
  /** Where the watchlist is, ready to be shown; a password is never part of it. */
  readonly place: string;
  /** Ends the connection where there is one. Never rejects. */
  close(): Promise<void>;
}

/**
 * A file of this machine about one watchlist of those that are in databases, such as how far its change log was notified: each
 * log counts from 1.
 * @param name what it is about: `notify`, `view`
 * @param watchlist names the database and the account in it
 */
export function ofWatchlistPath(
  { state }: Pick<ProgramPaths, 'state'>,
  name: 'notify' | 'view',
  watchlist: string,
): string {
  let sum = 0;
  for (const letter of watchlist) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return join(state, `${name}-${(sum >>> 0).toString(36)}.json`);
}
