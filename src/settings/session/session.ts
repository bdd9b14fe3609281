import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { Zone } from '../../lib/date-time.ts';
import type { ErrorText } from '../../lib/error-text.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { GatedService } from '../../polling/account.ts';
import type { SavedCouriers } from '../../store/courier-directory.ts';
import type { FileStore } from '../../store/file/file-store.ts';
import type { Account, Database } from '../../store/postgres/database.ts';
import type { Recovery } from '../../store/recovery.ts';
import type { NotifyCursor, PollingMemory, PollLease, Presence } from '../../store/shared-state.ts';
import type { Document, WatchlistStore } from '../../store/store.ts';
import type { UsageMeter } from '../../store/usage-meter.ts';
import type { ApiKeySource } from '../api-key.ts';
import type { SettingProblem } from '../check-settings.ts';
import type { ProgramPaths } from '../config-file.ts';
import type { Configuration, GlobalOptions } from '../configuration.ts';
import type { ConfigFile } from '../table.ts';
import type { CommandContext } from './context.ts';
import type { Style } from './output.ts';

export interface Session extends AsyncDisposable {
  readonly context: CommandContext;
  /** While a board is open, settings that can be applied without reopening the core may change. */
  readonly configuration: Configuration;
  readonly paths: ProgramPaths;
  readonly style: Style;
  /**
   * Returns the API key, or null. Fetches it only once, because a command that prints it may ask for a passphrase.
   * Rejects like `fetchApiKey`.
   */
  apiKey(): Promise<string | null>;
  /**
   * Returns the service, which is opened on first use, or null if there is no base URL or key. Rejects like
   * `createService`.
   */
  service(): Promise<GatedService | null>;
  /**
   * Returns the watchlist and its other data, opened on first use. With `read`, a database is never changed: without
   * tables, it counts as empty. Rejects with a `StoreError`, or with a `UsageError` if the address names no database.
   */
  stores(purpose?: StorePurpose): Promise<Stores>;
  close(): Promise<void>;
}

/** A session whose configuration can be reloaded while the command runs. */
export interface OpenedSession extends Session {
  readonly options: GlobalOptions;
  /** The settings of `config.json`, to detect changes. */
  readonly settings: ConfigFile;
  /** Sentences for the user about the configuration. */
  readonly warnings: readonly string[];
  readonly settingWarnings: readonly SettingProblem[];
  /** Returns the session with the current configuration. Rejects with a `UsageError` if it cannot be used. */
  reload(findCachedKey?: FindCachedKey): Promise<OpenedSession>;
  /** Applies a changed configuration without reopening anything. */
  take(changed: Pick<OpenedSession, 'configuration' | 'settings'>): void;
}

/** Returns the key that was already read from a source, or null, so that the user is not asked again. */
export type FindCachedKey = (source: ApiKeySource) => string | null;

export const zoneOf = ({ configuration }: Pick<Session, 'configuration'>): Zone => new Zone(configuration.zone());

/** How a command uses the watchlist. Reading never creates anything in a database. */
export type StorePurpose = 'read' | 'write';

/** The database lacks tables or an account. The message says what is missing and what creates it. */
export class NotInitialisedError extends StoreError {
  readonly missing: 'tables' | 'account';
  readonly found: 'none yet' | 'from an older version';

  constructor(place: string, sentence: ErrorText, { missing, found }: Pick<NotInitialisedError, 'missing' | 'found'>) {
    super('failed', sentence, place);
    this.name = new.target.name;
    this.missing = missing;
    this.found = found;
  }
}

/** The watchlist and the data that all its processes share. */
export interface Stores {
  readonly store: WatchlistStore;
  readonly recovery: Recovery;
  readonly lease: PollLease;
  readonly memory: PollingMemory;
  readonly meter: UsageMeter;
  readonly notifyCursor: NotifyCursor;
  /** Announces this process to other hosts. Null if there cannot be any. */
  readonly presence: Presence | null;
  /** The courier list shared between hosts. Null if there cannot be any others. */
  readonly couriers: Document<SavedCouriers | null> | null;
  /** The clock that all users of the watchlist share. */
  readonly clock: Clock;
  /** The watchlist in files, for features that only files have. Null if it is in a database. */
  readonly files: FileStore | null;
  /** The database, for features that only a database has. Null if the watchlist is in files. */
  readonly database: {
    readonly database: Database;
    readonly account: Account;
  } | null;
  /** Where the watchlist is stored, for display. Never includes a password. */
  readonly place: string;
  /** Closes the connection, if there is one. Never rejects. */
  close(): Promise<void>;
}

/**
 * Returns the path of this machine's file about one watchlist in a database. Watchlists need separate files, because
 * the change log of each counts from 1.
 * @param name the file's subject: `notify`, `view`
 * @param watchlist names the database and the account in it
 */
export function watchlistStatePath(
  { state }: Pick<ProgramPaths, 'state'>,
  name: 'notify' | 'view',
  watchlist: string,
): string {
  let hash = 0;
  for (const character of watchlist) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return join(state, `${name}-${(hash >>> 0).toString(36)}.json`);
}
