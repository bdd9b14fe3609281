import { cleanTextOrNull } from '../../lib/clean-text.ts';
import { isCourierCode, normaliseTrackNo, type TrackNoCheck, type TrackNoProblem } from '../../lib/track-number.ts';
import { courierOfPage } from '../courier-name.ts';
import { type EnteredWord, splitNumberWords, type UnclearWords } from './number-words.ts';

type EntryProblem = Exclude<TrackNoProblem, 'empty'> | 'no-number' | 'unclear' | 'courier' | 'label';

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

/** The `@courier` token at the cursor. */
interface CourierQuery extends CourierToken {
  /** Text between the `@` and the cursor. */
  readonly query: string;
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
  const tokens = tokensOf(text);
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
  const courierCode = courier === undefined ? null : courierForm(courier.text);
  if (courier !== undefined && courierCode !== null && !isCourierName(courierCode)) {
    const message = 'The text after the @ is not a courier code. Choose a courier from the list.';
    return problem('courier', message, courier.from);
  }
  const [first] = words;
  if (first === undefined) return problem('no-number', 'Type the tracking number first.', 0);
  const split = splitNumberWords(words);
  if (split.kind === 'no-digit') return noDigitIn(words, first);
  if (split.kind !== 'split') return problem(...unclearProblems[split.kind], split.at.from);
  const [outside] = split.label;
  if (outside !== undefined && quoted !== undefined) {
    const message = 'There is text outside the quotes. Remove it, or move it inside the quotes.';
    return problem('label', message, outside.from);
  }
  const check = numberOf(split.number, words.slice(0, words.length - split.label.length));
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

function numberOf(number: string, words: readonly EnteredWord[]): TrackNoCheck {
  const check = normaliseTrackNo(number);
  const entered = check.ok ? check : normaliseTrackNo(words.map(({ text }) => text).join(' '));
  return entered.ok ? check : entered;
}

const isCourierName = (text: string): boolean =>
  isCourierCode(text) || /^(?=.*\p{L})[\p{L}\p{M}\p{N}_&.'’+-]{1,100}$/u.test(text);

export const courierForm = (text: string): string => courierOfPage(text) ?? text.normalize('NFKC').trim().toLowerCase();

function noDigitIn(words: readonly EnteredWord[], first: EnteredWord): AddInput {
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

/** Splits a token into words with their positions. Ignores words of invisible characters. */
function splitWords(token: Token): readonly EnteredWord[] {
  return [...token.text.matchAll(/[^\s\p{White_Space}]+/gu)]
    .map((match): EnteredWord => ({ text: match[0], from: token.from + match.index }))
    .filter(({ text }) => !/^[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u.test(text));
}

/** Returns the `@courier` token that the cursor is in or right after, or null. */
export function activeCourierQuery(text: string, cursorIndex: number): CourierQuery | null {
  const token = tokensOf(text).find(
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

function tokensOf(text: string): Token[] {
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

type RejectReason = EntryProblem | 'unknown-courier' | 'check-digit' | 'unusable-field';

const reasonText: Readonly<Record<RejectReason, string>> = {
  'no-digit': 'without a digit',
  'no-number': 'without a number at the beginning',
  character: 'with characters that are not allowed',
  'too-short': 'too short',
  'too-long': 'too long',
  unclear: 'with an unclear label',
  courier: 'with an unclear courier',
  label: 'with two labels',
  'unknown-courier': 'with an unknown courier',
  'check-digit': 'with a wrong check digit',
  'unusable-field': 'with an invalid field',
};

/** An entry that was not added, and why. */
export interface RejectedEntry {
  readonly reason: RejectReason;
  readonly message: string;
}

export interface AddedCounts {
  readonly added: number;
  readonly known: number;
  /** Number of entries that the service rejected. Defaults to 0. */
  readonly rejected?: number;
  /** Number of added or known entries that are not registered yet. Omitted if unknown. */
  readonly pending?: number;
}

/** For example `4 added, 1 already on the list`. */
function addedText({ added, known, pending = 0, rejected = 0 }: AddedCounts): string {
  const more = [
    ...(known === 0 ? [] : [`${known} already on the list`]),
    ...(rejected === 0 ? [] : [`${rejected} rejected`]),
    ...(pending === 0 || pending === added ? [] : [`${pending} still pending`]),
  ];
  return [`${added === 0 ? 'Nothing' : added} added`, ...more].join(', ');
}

/**
 * Counts the added entries, and the entries that were not added by reason.
 * @param others null while it is not known what happens to the other entries
 */
export function partialAddCounts(others: AddedCounts | null, left: readonly Pick<RejectedEntry, 'reason'>[]): string {
  const reasons = [...new Set(left.map(({ reason }) => reason))].map(
    (reason) => `${left.filter((entry) => entry.reason === reason).length} ${reasonText[reason]}`,
  );
  const leftText = left.length === 0 ? [] : [`${left.length} not added: ${reasons.join(', ')}`];
  return `${[...(others === null ? [] : [addedText(others)]), ...leftText].join(', ')}.`;
}

/** Like {@link partialAddCounts}, but with the full message if only one entry was not added. */
export function partialAddText(others: AddedCounts | null, left: readonly RejectedEntry[]): string {
  const [only] = left;
  if (only === undefined || left.length > 1) return partialAddCounts(others, left);
  const hasAdded = others !== null && others.added + others.known > 0;
  return hasAdded ? `${addedText(others)}, 1 not added. ${only.message}` : only.message;
}
