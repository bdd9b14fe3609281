import { join } from 'node:path';
import { printableText } from '../../lib/clean-text.ts';
import type { Clock } from '../../lib/clock.ts';
import { Zone } from '../../lib/date-time.ts';
import type { ErrorText } from '../../lib/error-text.ts';
import { colourPainter, type GlyphSet, type Painter, plainPainter } from '../../lib/paint.ts';
import { StoreError } from '../../lib/store-errors.ts';
import type { GatedService } from '../../polling/account.ts';
import type { CallReport } from '../../service/transport.ts';
import type { SavedCouriers } from '../../store/courier-directory.ts';
import type { FileStore } from '../../store/file/file-store.ts';
import type { Account, Database } from '../../store/postgres/database.ts';
import type { Recovery } from '../../store/recovery.ts';
import type { NotifyCursor, PollingMemory, PollLease, Presence } from '../../store/shared-state.ts';
import type { Document, WatchlistStore } from '../../store/store.ts';
import type { UsageMeter } from '../../store/usage.ts';
import { type Environment, isDumbTerminal, nonEmpty } from '../../system/environment.ts';
import type { ApiKeySource } from '../api-key.ts';
import type { SettingProblem } from '../check-settings.ts';
import type { ProgramPaths } from '../config-file.ts';
import type { ColourChoice, Configuration, GlobalOptions } from '../configuration.ts';
import type { ConfigFile } from '../table.ts';
import type { CommandContext } from './context.ts';

export interface Style {
  readonly glyphs: GlyphSet;
  readonly colour: boolean;
  readonly paint: Painter;
}

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

export function styleOf(
  context: Pick<CommandContext, 'environment' | 'stdout'>,
  options: Pick<GlobalOptions, 'ascii' | 'color'>,
): Style {
  const { environment } = context;
  const useColour = colourCause(context, options.color).useColour;
  const glyphs = options.ascii || !localeHasUnicode(environment) ? 'ascii' : 'symbols';
  return { glyphs, colour: useColour, paint: useColour ? colourPainter(glyphs) : plainPainter(glyphs) };
}

/**
 * Whether to colour, and the option, variable or fact that decides it. `NO_COLOR` takes precedence over `FORCE_COLOR`
 * and `CLICOLOR_FORCE`, and these over `CLICOLOR`.
 */
export function colourCause(
  { environment, stdout }: Pick<CommandContext, 'environment' | 'stdout'>,
  choice: ColourChoice = 'auto',
): { readonly useColour: boolean; readonly cause: string } {
  const result = (useColour: boolean, cause: string) => ({ useColour, cause });
  if (choice !== 'auto') return result(choice === 'always', `--color ${choice}`);
  const variable = (name: string): string | undefined => nonEmpty(environment[name]);
  if (variable('NO_COLOR') !== undefined) return result(false, 'NO_COLOR is set');
  for (const name of ['FORCE_COLOR', 'CLICOLOR_FORCE']) {
    const value = variable(name);
    if (value === '0' && name === 'FORCE_COLOR') return result(false, 'FORCE_COLOR is 0');
    if (value !== undefined && value !== '0') return result(true, `${name} is set`);
  }
  if (variable('CLICOLOR') === '0') return result(false, 'CLICOLOR is 0');
  if (!stdout.isTerminal) return result(false, 'standard output is not a terminal');
  return isDumbTerminal(environment) ? result(false, 'TERM') : result(true, 'the terminal');
}

/**
 * False only for a locale that names a different encoding: many terminals and containers set no locale and draw
 * Unicode.
 */
function localeHasUnicode(environment: Environment): boolean {
  const locale = nonEmpty(environment['LC_ALL']) ?? nonEmpty(environment['LC_CTYPE']) ?? nonEmpty(environment['LANG']);
  return locale === undefined || /utf-?8/i.test(locale);
}

/** Prints the store's notices. Must be called before printing results that they explain, such as an empty list. */
export function printNotices({ context }: Pick<Session, 'context'>, store: Pick<WatchlistStore, 'takeNotices'>): void {
  for (const notice of store.takeNotices()) printNote(context, notice);
}

/** Prints a note on standard error, like {@link printError}. Prints nothing with `--quiet`. */
export function printNote(context: Pick<CommandContext, 'stderr' | 'isQuiet'>, sentence: string): void {
  if (context.isQuiet !== true) printError(context, sentence);
}

/** Prints an error on standard error, as one line without control characters. */
export function printError(context: Pick<CommandContext, 'stderr'>, sentence: string): void {
  context.stderr.write(printableText(`parcel-monitor: ${sentence}\n`));
}

/** Prints the document of `--json` on standard output. */
export function printJson<Value extends object>({ stdout }: Pick<CommandContext, 'stdout'>, value: Value): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** The `--verbose` line for a request, without its data. */
export function callText({ code, failure, httpStatus, method, milliseconds, path, traceId }: CallReport): string {
  const details = [
    httpStatus === null ? 'no response' : `HTTP ${httpStatus}`,
    ...(code === null ? [] : [`code ${code}`]),
    ...(failure === null ? [] : [failure]),
    `${milliseconds} ms`,
    ...(traceId === null ? [] : [`trace ID ${traceId}`]),
  ];
  return `${method} ${path}: ${details.join(', ')}`;
}

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
