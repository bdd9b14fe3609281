import { printableText } from '../../lib/clean-text.ts';
import { colourPainter, type GlyphSet, type Painter, plainPainter } from '../../lib/paint.ts';
import { Zone } from '../../lib/zone.ts';
import type { GatedService } from '../../polling/gate/gated-service.ts';
import type { WatchlistStore } from '../../store/store.ts';
import { type Environment, nonEmpty, onlyPrints } from '../../system/environment.ts';
import type { ApiKeySource } from '../api-key.ts';
import { type ProgramPaths, programPaths } from '../config-file.ts';
import type { Configuration, GlobalOptions } from '../configuration.ts';
import type { ConfigFile } from '../table.ts';
import type { CommandContext } from './context.ts';
import type { StorePurpose, Stores } from './stores.ts';

export interface Style {
  readonly glyphs: GlyphSet;
  readonly colour: boolean;
  readonly paint: Painter;
}

export interface Session extends AsyncDisposable {
  readonly context: CommandContext;
  readonly configuration: Configuration;
  /** What applies now: while a board is open, settings change that open nothing anew. */
  readonly live: { configuration: Configuration };
  readonly paths: ProgramPaths;
  readonly style: Style;
  /** The API key; null without one. Fetched once, since a command that prints it may ask for a passphrase. Rejects as `fetchApiKey`. */
  apiKey(): Promise<string | null>;
  /** The service, opened when it is first needed and once; null without base URL or key. Rejects as `createService`. */
  service(): Promise<GatedService | null>;
  /**
   * The watchlist and what is kept beside it, opened when it is first needed and once. Only to read, a database is left as
   * it is: without tables or without this watchlist it counts as an empty one. Rejects with a `StoreError`, and with a
   * `UsageError` for an address that names what is not there.
   */
  stores(purpose?: StorePurpose): Promise<Stores>;
  /** Ends the connections to service and database where there are any. */
  close(): Promise<void>;
}

/** A session whose configuration can be read again while the command runs. */
export interface OpenedSession extends Session {
  readonly options: GlobalOptions;
  /** The settings of `config.json`, for telling whether they have changed. */
  readonly settings: ConfigFile;
  /** What a person should know about the configuration, sentence by sentence. */
  readonly warnings: readonly string[];
  /** The same with the configuration as it is now. Rejects with a `UsageError` when that cannot be used. */
  reread(keyOnHand?: KeyOnHand): Promise<OpenedSession>;
}

/** The key that is known of a source already, so that nobody is asked for it again; null where none is. */
export type KeyOnHand = (source: ApiKeySource) => string | null;

export function sessionPaths(context: CommandContext, options: Pick<GlobalOptions, 'config'>): ProgramPaths {
  const { environment, homeDirectory, platform } = context;
  return programPaths({ environment, homeDirectory, platform, configFile: options.config ?? null });
}

export function styleOf(
  context: Pick<CommandContext, 'environment' | 'stdout'>,
  options: Pick<GlobalOptions, 'ascii' | 'color'>,
): Style {
  const { environment, stdout } = context;
  const isColourful =
    stdout.isTerminal && options.color && nonEmpty(environment['NO_COLOR']) === undefined && !onlyPrints(environment);
  const glyphs = options.ascii || !localeHasUnicode(environment) ? 'ascii' : 'symbols';
  return { glyphs, colour: isColourful, paint: isColourful ? colourPainter(glyphs) : plainPainter(glyphs) };
}

/** Only a locale that says otherwise is taken at its word: many terminals and containers set none and draw Unicode. */
function localeHasUnicode(environment: Environment): boolean {
  const locale = nonEmpty(environment['LC_ALL']) ?? nonEmpty(environment['LC_CTYPE']) ?? nonEmpty(environment['LANG']);
  return locale === undefined || /utf-?8/i.test(locale);
}

/** Says what a person should know of the store; before what comes of it, such as that nothing is watched. */
export function sayNotices({ context }: Pick<Session, 'context'>, store: Pick<WatchlistStore, 'takeNotices'>): void {
  for (const notice of store.takeNotices()) say(context, notice);
}

/** Prints a message on standard error, as one line; what it quotes does nothing on a terminal. */
export function say(context: Pick<CommandContext, 'stderr'>, sentence: string): void {
  context.stderr.write(printableText(`parcel-monitor: ${sentence}\n`));
}

export const zoneOf = ({ configuration }: Pick<Session, 'configuration'>): Zone => new Zone(configuration.zone());
