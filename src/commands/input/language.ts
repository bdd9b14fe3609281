import { cleanText } from '../../service/text/clean-text.ts';
import { UsageError } from '../session/errors.ts';

/** A language of two or three letters, with its region or script where that matters: `en`, `zh-CN`, `zh-Hant`. */
const languageTag = /^([a-z]{2,3})(?:[-_]([a-z]{2}|[a-z]{4}))?$/i;

/**
 * The language that a text names, written as BCP 47 does; null for an empty text.
 * Throws a {@link UsageError} for what is none.
 */
export function readLanguage(text: string): string | null {
  const given = text.trim();
  if (given === '') return null;
  const parts = languageTag.exec(given);
  if (parts === null) {
    throw new UsageError(`"${cleanText(text)}" is no language; write it as its code, such as en, de, zh or zh-CN.`);
  }
  const [, language = '', more = ''] = parts;
  if (more === '') return language.toLowerCase();
  const isRegion = more.length === 2;
  const second = isRegion ? more.toUpperCase() : `${more.slice(0, 1).toUpperCase()}${more.slice(1).toLowerCase()}`;
  return `${language.toLowerCase()}-${second}`;
}
