import { stripVTControlCharacters } from 'node:util';

/** In UTF-16 code units. Some couriers have sent whole web pages as an event. */
const maxTextLength = 2000;

/** A run of line breaks and tabs, which becomes one space. */
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** Unicode Cc, Cf, Co, Cn and default ignorable characters, which must never reach a terminal. */
export const hostileCharacter = '[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Co}\\p{Cn}]';
const hostileCharacters = (): RegExp => new RegExp(hostileCharacter, 'gu');

const hostileInLines = (): RegExp => new RegExp(`(?!\\n)${hostileCharacters().source}`, hostileCharacters().flags);

/** More combining marks than any script uses. They would spill over into other rows. */
const stackedMarks = (): RegExp => /(\p{M}{4})\p{M}+/gu;

/** The characters that most text consists of. None of them needs cleaning. */
const letters =
  '¡-¬®-ſ\\u0386\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ce\\u0400-\\u0481\\u048a-\\u04ff\\u05d0-\\u05ea\\u0621-\\u064a\\u0660-\\u0669\\u0e01-\\u0e30\\u0e32\\u0e33\\u0e40-\\u0e46\\u0e50-\\u0e59\\u1ea0-\\u1ef9\\u2013\\u2014\\u2018-\\u201d\\u2026\\u3001-\\u3003ぁ-ゖァ-ヺ一-龥가-힣！-～';
const thaiMarks = '\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e';
const harmless = new RegExp(`^[ -~]*(?:(?:[${letters}]|[${thaiMarks}](?![${thaiMarks}]{4}))[ -~]*)*$`);
const needlessSpace = /^ | $| {2}/;

/** Whether {@link cleanText} would return the text unchanged. */
export const isHarmless = (text: string): boolean => harmless.test(text);

/** A quick check that most clean text passes. Ten times as fast as cleaning. */
const isPlain = (text: string): boolean =>
  text.length <= maxTextLength && isHarmless(text) && !needlessSpace.test(text);

/** Makes external text safe to show, save and print. Applied on input, not when the text is drawn. */
export function cleanText(text: string): string {
  if (isPlain(text)) return text;
  return stripVTControlCharacters(text.slice(0, maxTextLength))
    .toWellFormed()
    .replace(lineBreaks, ' ')
    .replace(hostileCharacters(), '')
    .replace(stackedMarks(), '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
}

export const withoutInvisible = (text: string): string =>
  stripVTControlCharacters(text).toWellFormed().replace(lineBreaks, ' ').replace(hostileCharacters(), '');

/**
 * Removes escape sequences and control characters but keeps line breaks, for messages that quote file names, arguments or
 * settings.
 */
export function printableText(text: string): string {
  return isPlain(text) ? text : stripVTControlCharacters(text).toWellFormed().replace(hostileInLines(), '');
}

export function cleanTextOrNull(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = cleanText(value);
  return text === '' ? null : text;
}

const plainUrl = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#][!-~]*)?$/;

/** Like {@link webAddressOrNull}, but returns an already normalised address unchanged without parsing it. */
export function savedAddressOrNull(value: unknown): string | null {
  const isPlainUrl = typeof value === 'string' && value.length <= maxTextLength && plainUrl.test(value);
  return isPlainUrl ? value : webAddressOrNull(value);
}

/** Returns an http or https URL without credentials, or null. Nothing else is opened or shown as a link. */
export function webAddressOrNull(value: unknown): string | null {
  const text = cleanTextOrNull(value);
  const url = text === null ? null : URL.parse(text);
  if (url === null) return null;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url.href : null;
}
