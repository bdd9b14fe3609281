import { cleanTextOrNull } from '../../lib/clean-text.ts';
import {
  isCourierCode,
  normaliseTrackNo,
  type TrackNoCheck,
  type TrackNoProblem,
  trackNoForm,
} from '../../lib/track-number.ts';
import { unverifiedKind } from '../../parcels/check-digit.ts';
import { courierCodeFromUrl } from '../courier-name.ts';

export type EntryProblem = Exclude<TrackNoProblem, 'empty'> | 'no-number' | 'unclear' | 'courier' | 'label';

export type AddInput =
  | {
      readonly kind: 'ok';
      readonly trackNo: string;
      /** A courier code, or a name that still has to be resolved. */
      readonly courierCode: string | null;
      readonly label: string | null;
    }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'problem';
      readonly reason: EntryProblem;
      readonly message: string;
      /** Where the problem starts in the text, in UTF-16 units. */
      readonly at: number;
    };

/** The position of an `@courier` token, in UTF-16 units. */
interface CourierToken {
  readonly from: number;
  readonly to: number;
}

interface Token extends CourierToken {
  readonly kind: 'number' | 'courier' | 'label';
  /** Without `@` and quotes. */
  readonly text: string;
}

export const quotes = '"\u201C\u201D\u201E\u201F\u00AB\u00BB\uFF02';
const atSigns = '@\uFF20';
/** A label up to its closing quote or the end, a courier up to whitespace or a quote, or other text. */
const tokenPattern = new RegExp(
  `[${quotes}](?<label>[^${quotes}]*)[${quotes}]?|[${atSigns}](?<courier>[^\\s${quotes}${atSigns}]*)|[^${quotes}${atSigns}]+`,
  'gu',
);

/**
 * Parses one entry: a number, optionally with `@courier` and a label, which is in quotes or follows the number. {@link
 * splitNumberWords} finds the end of the number. An unclosed quote extends to the end.
 */
export function parseAddInput(text: string): AddInput {
  if (text.trim() === '') return { kind: 'empty' };
  const tokens = tokenise(text);
  const words = tokens.flatMap((token) => (token.kind === 'number' ? splitWords(token) : []));
  const [courier, secondCourier] = tokens.filter((token) => token.kind === 'courier');
  const [quoted, secondQuoted] = tokens.filter((token) => token.kind === 'label');
  if (secondCourier !== undefined)
    return problem('courier', 'Use one courier per number: remove the second @.', secondCourier.from);
  if (secondQuoted !== undefined)
    return problem('label', 'Use one label per number: remove the second pair of quotes.', secondQuoted.from);
  if (courier?.text === '') {
    const message = 'Type the courier after the @, or remove the @ to let the service detect it.';
    return problem('courier', message, courier.from);
  }
  const courierCode = courier === undefined ? null : normaliseCourier(courier.text);
  if (courier !== undefined && courierCode !== null && !isCourierName(courierCode)) {
    const message = 'The text after the @ is not a courier code. Choose a courier from the list.';
    return problem('courier', message, courier.from);
  }
  const [first] = words;
  if (first === undefined) return problem('no-number', 'Type the tracking number first.', 0);
  const split = splitNumberWords(words);
  if (split.kind === 'no-digit') return noDigitProblem(words, first);
  if (split.kind !== 'split') return problem(...unclearProblems[split.kind], split.at.from);
  const [outside] = split.label;
  if (outside !== undefined && quoted !== undefined) {
    const message = 'There is text outside the quotes. Remove it, or move it inside the quotes.';
    return problem('label', message, outside.from);
  }
  const check = checkNumber(split.number, words.slice(0, words.length - split.label.length));
  if (!check.ok) return problem(check.reason === 'empty' ? 'no-number' : check.reason, check.message, first.from);
  const label =
    quoted?.text ??
    split.label
      .map((word) => word.text)
      .join(' ')
      .replace(/^[\p{Pd}:|=\s]+/u, '');
  return {
    kind: 'ok',
    trackNo: check.trackNo,
    courierCode,
    label: cleanTextOrNull(label),
  };
}

function checkNumber(number: string, words: readonly EnteredWord[]): TrackNoCheck {
  const check = normaliseTrackNo(number);
  const entered = check.ok ? check : normaliseTrackNo(words.map(({ text }) => text).join(' '));
  return entered.ok ? check : entered;
}

const isCourierName = (text: string): boolean =>
  isCourierCode(text) || /^(?=.*\p{L})[\p{L}\p{M}\p{N}_&.'’+-]{1,100}$/u.test(text);

export const normaliseCourier = (text: string): string =>
  courierCodeFromUrl(text) ?? text.normalize('NFKC').trim().toLowerCase();

function noDigitProblem(words: readonly EnteredWord[], first: EnteredWord): AddInput {
  const check = normaliseTrackNo(first.text);
  if (words.length === 1 && !check.ok && (check.reason === 'character' || check.reason === 'too-short')) {
    return problem(check.reason, check.message, first.from);
  }
  return problem('no-digit', 'A tracking number must contain digits.', first.from);
}

const unclearProblems: Readonly<Record<UnclearWords['kind'], readonly [reason: EntryProblem, message: string]>> = {
  'label-first': ['no-number', 'Type the tracking number first, then the label in quotes.'],
  unclear: ['unclear', 'Where does the number end? Put the label in quotes, or write the number without spaces.'],
  'second-number': ['unclear', 'This looks like two numbers. Separate them with a comma.'],
};

/** Splits a token into words with their positions. Ignores words that consist of invisible characters. */
function splitWords(token: Token): readonly EnteredWord[] {
  return [...token.text.matchAll(/[^\s\p{White_Space}]+/gu)]
    .map((match): EnteredWord => ({ text: match[0], from: token.from + match.index }))
    .filter(({ text }) => !/^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u.test(text));
}

/** Returns the `@courier` token that the cursor is in or right after, with its text up to the cursor, or null. */
export function activeCourierQuery(
  text: string,
  cursorIndex: number,
): (CourierToken & { readonly query: string }) | null {
  const token = tokenise(text).find(
    ({ kind, from, to }) => kind === 'courier' && from < cursorIndex && cursorIndex <= to,
  );
  if (token === undefined) return null;
  return { from: token.from, to: token.to, query: text.slice(token.from + 1, cursorIndex) };
}

/** Replaces a token with a courier code and a space. Returns the new text and cursor position. */
export function replaceCourier(text: string, token: CourierToken, code: string): { text: string; cursor: number } {
  const before = `${text.slice(0, token.from)}@${code} `;
  return { text: before + text.slice(token.to).trimStart(), cursor: before.length };
}

function tokenise(text: string): Token[] {
  return [...text.matchAll(tokenPattern)].map((match) => {
    const { label, courier } = match.groups ?? {};
    const from = match.index;
    const to = from + match[0].length;
    if (label !== undefined) return { kind: 'label', text: label, from, to };
    if (courier !== undefined) return { kind: 'courier', text: courier, from, to };
    return { kind: 'number', text: match[0], from, to };
  });
}

function problem(reason: EntryProblem, message: string, at: number): AddInput {
  return { kind: 'problem', reason, message, at };
}

/** A word with its position in the text, in UTF-16 units. */
interface EnteredWord {
  readonly text: string;
  readonly from: number;
}

interface UnclearWords {
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

/** Couriers print numbers in groups of at most this many characters. */
const maxGroupLength = 8;
const nextGroup = /^\d{1,6}$/;

/** Formats that show where the number ends: UPU S10, UPS and USPS. */
const knownShapes: readonly RegExp[] = [/^[A-Z]{2}\d{9}[A-Z]{2}$/, /^1Z[0-9A-Z]{8}\d{8}$/, /^9[1-5]\d{20}$/];
const maxShapeLength = 22;

const hyphenatedGroups = /^\d{4}(?:-\d{4})+-\d{1,4}$/;

/**
 * Separates the number of an entry from its label. 1. If the first words form a UPU S10, UPS or USPS number, they are
 * the number. 2. Otherwise, a first word of more than 8 characters is the number. 3. Otherwise, groups of 1 to 6 digits
 * form the number, optionally after two capital letters, and a label has to be quoted. In cases 1 and 2, the rest is
 * the label if at least one of its words has no digits and none of them is a number. In all other cases, the entry is
 * unclear.
 */
function splitNumberWords(words: readonly EnteredWord[]): NumberWords {
  const forms = words.map(({ text }) => trackNoForm(text));
  const [first] = words;
  const [firstForm = ''] = forms;
  if (first === undefined || !forms.some((form) => /\d/.test(form))) return { kind: 'no-digit' };
  const shapedCount = countShapedWords(forms);
  const suffix = words[1];
  if (shapedCount === 2 && suffix !== undefined && words.length > 2 && isCountryByChance(forms)) {
    return { kind: 'unclear', at: suffix };
  }
  if (shapedCount > 0) return splitAfter(words, forms, shapedCount);
  if (hasLetterPrefix(words, forms)) return { kind: 'split', number: forms.join(''), label: [] };
  if (!/\d/.test(firstForm)) return { kind: 'label-first', at: first };
  if (firstForm.length > maxGroupLength) return splitAfter(words, forms, 1);
  const end = forms.findIndex((form, index) => index > 0 && !nextGroup.test(form));
  const following = words[end];
  if (following !== undefined) return { kind: 'unclear', at: following };
  return { kind: 'split', number: forms.join(''), label: [] };
}

/** Removes the hyphens between groups of four digits, but keeps other hyphens. */
export function withoutGroupHyphens(trackNo: string): string {
  return hyphenatedGroups.test(trackNo) ? trackNo.replaceAll('-', '') : trackNo;
}

/** Whether a word is a whole number, not just a group of digits or part of a label. */
export function isWholeNumber(form: string): boolean {
  return knownShapes.some((shape) => shape.test(form)) || /^(?=(?:\D*\d){6})[A-Z0-9_./-]{9,}$/.test(form);
}

/** Whether the words are two capital letters and then groups with at least five digits. */
function hasLetterPrefix([first]: readonly EnteredWord[], [, ...groups]: readonly string[]): boolean {
  const digits = groups.join('');
  return /^[A-Z]{2}$/.test(first?.text ?? '') && groups.every((form) => nextGroup.test(form)) && digits.length >= 5;
}

/** Returns how many words at the start form a number in a known format, or 0. */
function countShapedWords(forms: readonly string[]): number {
  let joined = '';
  for (const [index, form] of forms.entries()) {
    const isPart = /\d/.test(form) || /^[A-Z]{2}$/.test(form);
    joined += form;
    if (!isPart || joined.length > maxShapeLength) return 0;
    if (knownShapes.some((shape) => shape.test(joined))) return index + 1;
  }
  return 0;
}

/** Whether `TV` in `LX123456789 TV set` is more likely a word than a country, because the check digit is wrong. */
function isCountryByChance([number = '', suffix = '']: readonly string[]): boolean {
  return /^[A-Z]{2}$/.test(suffix) && unverifiedKind(number + suffix, null) !== null;
}

function splitAfter(words: readonly EnteredWord[], forms: readonly string[], count: number): NumberWords {
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
export function checkDigitWarning(trackNo: string, courierCode: string | null): string | null {
  const kind = unverifiedKind(trackNo, courierCode);
  return kind === null ? null : `${trackNo} has a wrong check digit for ${kind}. Compare it with the sender's message.`;
}
