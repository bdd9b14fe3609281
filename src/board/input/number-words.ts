import { trackNoForm } from '../../lib/track-number.ts';
import { unverifiedKind } from '../../parcels/check-digit.ts';

/** A word with its position in the text, in UTF-16 units. */
export interface EnteredWord {
  readonly text: string;
  readonly from: number;
}

export interface UnclearWords {
  readonly kind: 'label-first' | 'unclear' | 'second-number';
  readonly at: EnteredWord;
}

type NumberWords =
  | {
      readonly kind: 'split';
      /** Normalised, but not validated yet. */
      readonly number: string;
      readonly label: readonly EnteredWord[];
    }
  /** No word is a number. */
  | { readonly kind: 'no-digit' }
  | UnclearWords;

/** Longest group in which couriers print numbers, in characters. */
const maxGroupLength = 8;
const nextGroup = /^\d{1,6}$/;

/** Formats that tell where the number ends: UPU S10, UPS, USPS. */
const wholeShapes: readonly RegExp[] = [/^[A-Z]{2}\d{9}[A-Z]{2}$/, /^1Z[0-9A-Z]{8}\d{8}$/, /^9[1-5]\d{20}$/];
const maxShapeLength = 22;

const hyphenated = /^\d{4}(?:-\d{4})+-\d{1,4}$/;

/**
 * Separates the number of an entry from its label. 1. If the first words form a UPU S10, UPS or USPS number, they are the
 * number. 2. Otherwise, a first word of more than 8 characters is the number. 3. Otherwise, groups of 1 to 6 digits form
 * the number, optionally after two capital letters, and a label has to be quoted. In cases 1 and 2, the rest is the label
 * if at least one of its words has no digits and none of them is a number. In all other cases, the entry is unclear.
 */
export function splitNumberWords(words: readonly EnteredWord[]): NumberWords {
  const forms = words.map(({ text }) => trackNoForm(text));
  const [first] = words;
  const [firstForm = ''] = forms;
  if (first === undefined || !forms.some((form) => /\d/.test(form))) return { kind: 'no-digit' };
  const shaped = shapedWords(forms);
  const suffix = words[1];
  if (shaped === 2 && suffix !== undefined && words.length > 2 && isCountryByChance(forms)) {
    return { kind: 'unclear', at: suffix };
  }
  if (shaped > 0) return split(words, forms, shaped);
  if (isPrefixed(words, forms)) return { kind: 'split', number: forms.join(''), label: [] };
  if (!/\d/.test(firstForm)) return { kind: 'label-first', at: first };
  if (firstForm.length > maxGroupLength) return split(words, forms, 1);
  const end = forms.findIndex((form, index) => index > 0 && !nextGroup.test(form));
  const following = words[end];
  if (following !== undefined) return { kind: 'unclear', at: following };
  return { kind: 'split', number: forms.join(''), label: [] };
}

/** Removes the hyphens between groups of four digits, but keeps other hyphens. */
export function withoutGroupHyphens(trackNo: string): string {
  return hyphenated.test(trackNo) ? trackNo.replaceAll('-', '') : trackNo;
}

/** Whether a word is a whole number, not just a group of digits or part of a label. */
export function isWholeNumber(form: string): boolean {
  return wholeShapes.some((shape) => shape.test(form)) || /^(?=(?:\D*\d){6})[A-Z0-9_./-]{9,}$/.test(form);
}

/** Whether the words are two capital letters and then groups with at least five digits. */
function isPrefixed([first]: readonly EnteredWord[], [, ...groups]: readonly string[]): boolean {
  const digits = groups.join('');
  return /^[A-Z]{2}$/.test(first?.text ?? '') && groups.every((form) => nextGroup.test(form)) && digits.length >= 5;
}

/** Returns how many words at the start form a number in a known format, or 0. */
function shapedWords(forms: readonly string[]): number {
  let joined = '';
  for (const [index, form] of forms.entries()) {
    const isPart = /\d/.test(form) || /^[A-Z]{2}$/.test(form);
    joined += form;
    if (!isPart || joined.length > maxShapeLength) return 0;
    if (wholeShapes.some((shape) => shape.test(joined))) return index + 1;
  }
  return 0;
}

/** Whether `TV` in `LX123456789 TV set` is more likely a word than a country, because the check digit is wrong. */
function isCountryByChance([number = '', suffix = '']: readonly string[]): boolean {
  return /^[A-Z]{2}$/.test(suffix) && unverifiedKind(number + suffix, null) !== null;
}

function split(words: readonly EnteredWord[], forms: readonly string[], count: number): NumberWords {
  const label = words.slice(count);
  const second = label.find((_, index) => isWholeNumber(forms[count + index] ?? ''));
  if (second !== undefined) return { kind: 'second-number', at: second };
  const [following] = label;
  const hasWord = label.some(({ text }) => /\p{L}/u.test(text) && !/\d/.test(trackNoForm(text)));
  // Symbols alone, such as a dash, are not part of the number.
  const isSymbols = label.every(({ text }) => /^[\p{P}\p{S}]+$/u.test(text));
  if (following !== undefined && !hasWord && !isSymbols) return { kind: 'unclear', at: following };
  return { kind: 'split', number: withoutGroupHyphens(forms.slice(0, count).join('')), label };
}

/** Returns a warning for a number with a wrong check digit, or null. The number can still be added. */
export function checkDigitDoubt(trackNo: string, courierCode: string | null): string | null {
  const kind = unverifiedKind(trackNo, courierCode);
  return kind === null ? null : `${trackNo} has a wrong check digit for ${kind}. Compare it with the sender's message.`;
}
