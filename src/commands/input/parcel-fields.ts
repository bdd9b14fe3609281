import { courierOfPage } from '../../board/courier/courier-name.ts';
import { cleanText, cleanTextOrNull } from '../../service/text/clean-text.ts';
import { isCourierCode } from '../../service/text/word.ts';
import { UsageError } from '../session/errors.ts';

/** Reads `--postal-code`; null clears it. Throws a {@link UsageError}, which does not repeat the value. */
export function readPostalCode(text: string): string | null {
  const code = text.normalize('NFKC').trim().replace(/\s+/g, ' ');
  if (code === '') return null;
  // The permitted signs and the length are a public fact of the service.
  if (!/^[A-Za-z0-9+\- ]{1,15}$/.test(code)) {
    throw new UsageError('A postal code holds at most 15 letters, digits, spaces, "+" and "-".');
  }
  return code;
}

/** Reads `--phone-suffix`; null clears it. Throws a {@link UsageError}, which does not repeat the value. */
export function readPhoneSuffix(text: string): string | null {
  const digits = text.normalize('NFKC').trim();
  if (digits === '') return null;
  if (!/^\d{4}$/.test(digits))
    throw new UsageError('A phone suffix is the last four digits of the number, such as 1234.');
  return digits;
}

/** Reads `--label`; null clears it. */
export function readLabel(text: string): string | null {
  return cleanTextOrNull(text);
}

/** Reads `--tag` and `--untag`, which may be given several times; each tag once. Throws a {@link UsageError} for one without text. */
export function readTags(texts: readonly string[]): readonly string[] {
  const tags = texts.map((text) => cleanText(text).replace(/^#\s*/, ''));
  if (tags.includes('')) throw new UsageError('A tag needs a text, such as: --tag gift.');
  return [...new Set(tags)];
}

/** Reads a courier code, or the address of the courier's page, in the case in which the service lists them; null clears it. */
export function readCourierCode(text: string): string | null {
  const code = courierOfPage(text) ?? text.normalize('NFKC').trim().toLowerCase();
  if (code === '') return null;
  if (!isCourierCode(code)) {
    throw new UsageError(`"${cleanTextOrNull(text) ?? ''}" is no courier code; "parcel-monitor couriers" lists them.`);
  }
  return code;
}
