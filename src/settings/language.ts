import { cleanText } from '../lib/clean-text.ts';
import { UsageError } from './errors.ts';

/** A language of two or three letters, with its region or script where that matters: `en`, `zh-CN`, `zh-Hant`. */
const languageTag = /^[a-z]{2,3}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/;

/**
 * The language that a text names, written as BCP 47 does; null for an empty text.
 * Throws a {@link UsageError} for what is none.
 */
export function readLanguage(text: string): string | null {
  const given = text.trim().toLowerCase();
  if (given === '') return null;
  if (!languageTag.test(given)) {
    throw new UsageError(`"${cleanText(text)}" is no language; write it as its code, such as en, de, zh or zh-CN.`);
  }
  // Not by Intl.Locale, which puts "fil" for "tl" and "he" for "iw": the service may know but one of them.
  return given.replace(
    /[-_](.)(.+)/,
    (_, initial: string, others: string) =>
      `-${initial.toUpperCase()}${others.length === 1 ? others.toUpperCase() : others}`,
  );
}
