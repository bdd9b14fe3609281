import { printableText } from '../../lib/clean-text.ts';
import { colourPainter, type GlyphSet, type Painter, plainPainter } from '../../lib/paint.ts';
import type { CallReport } from '../../service/transport.ts';
import type { WatchlistStore } from '../../store/store.ts';
import { type Environment, isDumbTerminal, nonEmpty } from '../../system/environment.ts';
import type { ColourChoice, GlobalOptions } from '../configuration.ts';
import type { CommandContext } from './context.ts';

export interface Style {
  readonly glyphs: GlyphSet;
  readonly colour: boolean;
  readonly paint: Painter;
}

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
 * Returns whether to use colour, and why. `NO_COLOR` takes precedence over `FORCE_COLOR` and `CLICOLOR_FORCE`, which in
 * turn take precedence over `CLICOLOR`.
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
  return isDumbTerminal(environment) ? result(false, 'TERM is dumb') : result(true, 'standard output is a terminal');
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
export function printNotices(
  { context }: { readonly context: Pick<CommandContext, 'stderr' | 'isQuiet'> },
  store: Pick<WatchlistStore, 'takeNotices'>,
): void {
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

/** Prints the `--json` output on standard output. */
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
