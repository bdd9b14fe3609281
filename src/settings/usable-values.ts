import { resolve, sep } from 'node:path';
import { cleanText } from '../lib/clean-text.ts';
import { isZoneName, parseOffset, Zone } from '../lib/date-time.ts';
import { nearestWord } from '../lib/text.ts';
import type { CommandChoice } from '../notify/channels.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import { UsageError } from './errors.ts';
import { refusalReason, type SettingFile } from './file-trust.ts';

/** Returns the service clock for an offset such as `+08:00` or for an IANA zone. Throws a {@link UsageError}. */
export function parseServiceClock(text: string): ServiceClock {
  const offsetMinutes = parseOffset(text);
  if (offsetMinutes !== null) return { offsetMinutes, source: 'configured' };
  if (/^local$/i.test(text) || !isZoneName(text)) {
    const nearest = nearestZone(text);
    const advice = nearest === null ? 'Write it like +08:00 or Asia/Shanghai.' : `Did you mean ${nearest}?`;
    throw new UsageError(`The service clock "${text}" is neither an offset from UTC nor a time zone. ${advice}`);
  }
  return { zone: new Zone(text), source: 'configured' };
}

/**
 * Returns the IANA zone that the user means: `utc`, `local` (the given zone) or a name. Throws a {@link UsageError}.
 */
export function resolveZoneName(text: string, local: () => string): string {
  if (/^local$/i.test(text)) return local();
  if (/^utc$/i.test(text)) return 'UTC';
  if (isZoneName(text)) return text;
  const nearest = nearestZone(text);
  const advice =
    nearest === null ? 'use a time zone such as Europe/Berlin, or "utc" or "local".' : `did you mean ${nearest}?`;
  throw new UsageError(`The zone "${text}" does not exist; ${advice}`);
}

/** Returns the zone with the most similar name or city, or null. */
function nearestZone(text: string): string | null {
  const name = text.trim().replaceAll(' ', '_');
  const zones = Intl.supportedValuesOf('timeZone');
  const cities = new Map(zones.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const zone = nearestWord(name, zones) ?? nearestWord(name, ['utc', 'local']);
  if (zone !== null) return zone;
  const city = nearestWord(name, cities.keys());
  return city === null ? null : (cities.get(city) ?? null);
}

/** A language of two or three letters, with an optional region or script: `en`, `zh-CN`, `zh-Hant`. */
const languageTag = /^[a-z]{2,3}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/;

/**
 * Returns the language in BCP 47 spelling, or null for an empty string. Throws a {@link UsageError} if it is not valid.
 */
export function readLanguage(text: string): string | null {
  const tag = text.trim().toLowerCase();
  if (tag === '') return null;
  if (!languageTag.test(tag)) {
    throw new UsageError(`"${cleanText(text)}" is not a language code; use a code such as en, de, zh or zh-CN.`);
  }
  // Intl.Locale would replace "tl" with "fil" and "iw" with "he". The service may know only one of them.
  return tag.replace(
    /[-_](.)(.+)/,
    (_, initial: string, rest: string) => `-${initial.toUpperCase()}${rest.length === 1 ? rest.toUpperCase() : rest}`,
  );
}

/** Splits a command line at whitespace. Quotes keep words together. There is no shell, so nothing is expanded. */
export function splitCommand(text: string): readonly string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** Joins a command's words so that {@link splitCommand} returns the same words. */
export const joinCommand = (words: readonly string[]): string => words.map(quoteWord).join(' ');

function quoteWord(word: string): string {
  if (word !== '' && !/[\s"']/.test(word)) return word;
  return word
    .split('"')
    .map((part) => `"${part}"`)
    .join(`'"'`);
}

/**
 * Returns a command's program and arguments. Throws a {@link UsageError} if there is no program.
 * @param name the subject of that message
 */
export function commandWords(command: string | readonly string[], name: string): readonly [string, ...string[]] {
  const [program, ...words] = typeof command === 'string' ? splitCommand(command) : command;
  if (program === undefined) throw new UsageError(`${name} does not name a program.`);
  return [program, ...words];
}

/**
 * Resolves a relative path to the program against a folder, as for other files in `config.json`, because the working
 * directory may contain a different program. Bare names are looked up in `PATH`.
 */
export function resolveCommand(
  folder: string,
  [program, ...words]: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  const isPath = program.includes('/') || program.includes(sep);
  return [isPath ? resolve(folder, program) : program, ...words];
}

/**
 * Refuses a command if another user can write the file, because that user could have any program run. Throws like
 * {@link commandWords}.
 */
export function chooseCommand(
  setting: string,
  command: string | readonly string[],
  { folder = '', foreignWriter = null }: SettingFile,
): CommandChoice {
  const words = resolveCommand(folder, commandWords(command, `"${setting}"`));
  return foreignWriter === null
    ? { kind: 'command', command: words }
    : { kind: 'refused', reason: refusalReason(setting, 'run', foreignWriter) };
}
