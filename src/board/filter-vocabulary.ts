import { fold } from '../lib/text.ts';
import { stages } from '../service/status.ts';

/* Kept apart from the filter so that the help can be loaded without it. */

/** The values of `is:` and what they mean. */
export const parcelStates = {
  unread: 'has new changes',
  new: 'has new changes',
  problem: 'needs attention',
  rejected: 'was rejected by the service',
  quiet: 'has not moved for longer than usual',
  late: 'was not delivered by the expected day',
  slow: 'has no expected day and is slower than 90% of similar parcels',
  closed: 'was cancelled, returned or lost, and you have seen it',
  snoozed: 'is snoozed until a day or until it moves',
  marked: 'is marked (on the board only)',
} as const;

/**
 * The values of `due:`. `week` is today and the next six days, `later` is any day after that, and `none` means no
 * expected day.
 */
export const dueDays = [
  'today',
  'tomorrow',
  'week',
  'later',
  'none',
  'mon',
  'tue',
  'wed',
  'thu',
  'fri',
  'sat',
  'sun',
] as const;

/** The values of `no:`: what a parcel can lack. */
export const absences = ['label', 'tag', 'courier', 'order', 'date', 'event'] as const;

const descriptions = {
  stage: { placeholder: 'STAGE', meaning: stages.join(', ') },
  courier: { placeholder: 'TEXT', meaning: "a courier's code or part of its name" },
  to: { placeholder: 'COUNTRY', meaning: 'destination country, two letters' },
  from: { placeholder: 'COUNTRY', meaning: 'country of origin, two letters' },
  tag: { placeholder: 'TAG', meaning: 'one of its tags' },
  is: { placeholder: 'STATE', meaning: Object.keys(parcelStates).join(', ') },
  due: {
    placeholder: 'DAY',
    meaning: 'expected today, tomorrow, next fri, this week or later (promise or forecast); none: no expected day',
  },
  late: { placeholder: 'AGE', meaning: 'late for at least this long: 12h, 3d, 2w' },
  delivered: { placeholder: 'AGE', meaning: 'delivered within this time: 12h, 3d, 2w' },
  label: { placeholder: 'TEXT', meaning: 'part of its label' },
  order: { placeholder: 'TEXT', meaning: 'part of its order number' },
  no: { placeholder: 'WHAT', meaning: `missing: ${absences.join(', ')}` },
  older: { placeholder: 'AGE', meaning: 'no event for longer than this: 12h, 3d, 2w' },
} as const satisfies Readonly<Record<string, Readonly<Record<'placeholder' | 'meaning', string>>>>;

export type TermName = keyof typeof descriptions;

/** All terms, in the order of the help. */
export const termNames = Object.keys(descriptions) as readonly TermName[];

export const placeholderOf = (name: TermName): string => descriptions[name].placeholder;

/** One line for each term, and for `is:` one line for each value. */
export const termHelp = termNames.flatMap((name): readonly (readonly [term: string, meaning: string])[] =>
  name === 'is'
    ? Object.entries(parcelStates).map(([state, meaning]) => [`is:${state}`, meaning])
    : [[`${name}:${placeholderOf(name)}`, descriptions[name].meaning]],
);

export const filterHelp = `
--filter takes words and terms; a parcel must match all of them. "or" separates alternatives, and parentheses group
them: (is:late or is:slow) dhl. "!" excludes a word, term or group; so do "-" and "not" before a term or group. Use
quotes for text with spaces, colons or a parenthesis at its start. A value from a fixed list can be abbreviated:
stage:pick.
${termHelp.map(([term, meaning]) => `  ${term.padEnd(14)}  ${meaning}`).join('\n')}`;

export interface FilterToken {
  /** `or` separates two alternatives; `open` and `close` are a group's parentheses. */
  readonly kind: 'text' | 'or' | 'open' | 'close';
  /** The folded name before the colon, or null for a plain word. */
  readonly name: string | null;
  /** The word, or the text after the colon, without quotes. Empty for a parenthesis. */
  readonly value: string;
  readonly negated: boolean;
  readonly start: number;
  readonly end: number;
  /** Whether the closing quote or parenthesis is missing. */
  readonly isUnclosed: boolean;
}

/**
 * The next part of a filter: an opening parenthesis with optional negation, or quoted text (possibly unclosed) or text
 * without spaces. The text may follow a name with a colon and optional negation, or just exclamation marks. `-` and
 * `not` do not negate words, because a word can start with a dash or be "not".
 */
const tokenPattern =
  /^(?:(?<groupNot>not\s+)?(?<groupMarks>[!！]*-?)(?<open>[(（])|(?:(?<not>not\s+)?(?<termMarks>[!！]*-?)(?<name>\p{L}+)[:：](?!\/\/)|(?<wordMarks>[!！]*))(?:["“”„＂](?<quoted>[^"“”„＂]*)(?<closing>["“”„＂]?)|(?<plain>[^\s"“”„＂]\S*)?))/iu;

/**
 * Splits a filter into parts. Names consist of letters, so times of day and URLs are plain words. Other text with a
 * colon has to be quoted.
 */
export function filterTokens(text: string): readonly FilterToken[] {
  const tokens: FilterToken[] = [];
  const openGroups: number[] = [];
  let at = text.search(/\S/);
  while (at !== -1 && at < text.length) {
    const token = tokenAt(text, at, openGroups.length > 0);
    const isFirst = tokens.length === 0 || tokens.at(-1)?.kind === 'open';
    if (token.kind === 'open') openGroups.push(tokens.length);
    if (token.kind === 'close') openGroups.pop();
    // "or" at the beginning is a plain word. At the end, the user has yet to type the second alternative.
    tokens.push(token.kind === 'or' && isFirst ? { ...token, kind: 'text' } : token);
    at = token.end + text.slice(token.end).search(/\S|$/);
  }
  return tokens.map((token, index) => (openGroups.includes(index) ? { ...token, isUnclosed: true } : token));
}

function tokenAt(text: string, start: number, isInGroup: boolean): FilterToken {
  const base = { name: null, value: '', negated: false, start, end: start + 1, isUnclosed: false };
  if (isInGroup && closingParenthesis.test(text.charAt(start))) return { ...base, kind: 'close' };
  const match = tokenPattern.exec(text.slice(start));
  const {
    closing: closingQuote,
    groupMarks = '',
    groupNot,
    name,
    not,
    open,
    plain,
    quoted,
    termMarks = '',
    wordMarks = '',
  } = match?.groups ?? {};
  const negations =
    [groupNot, not].filter((word) => word !== undefined).length +
    groupMarks.length +
    termMarks.length +
    wordMarks.length;
  const value = plain === undefined ? (quoted ?? '') : isInGroup ? textBeforeClosing(plain) : plain;
  const end = start + (match?.[0].length ?? 1) - (plain === undefined ? 0 : plain.length - value.length);
  const common = { ...base, negated: negations % 2 === 1, end };
  if (open !== undefined) return { ...common, kind: 'open' };
  return {
    ...common,
    kind: text.slice(start, end).toLowerCase() === 'or' ? 'or' : 'text',
    name: name === undefined ? null : fold(name),
    value,
    isUnclosed: closingQuote === '',
  };
}

const closingParenthesis = /[)）]/;

/** Returns the text before the parenthesis that closes the group, but keeps pairs as in `shirt(s)`. */
function textBeforeClosing(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (/[(（]/.test(text.charAt(at))) depth++;
    else if (closingParenthesis.test(text.charAt(at)) && --depth < 0) return text.slice(0, at);
  }
  return text;
}

/** Returns a filter to which a condition can be appended that applies to all its alternatives. */
export function narrowingPrefix(filter: string): string {
  const trimmed = filter.trim();
  if (trimmed === '') return '';
  return filterTokens(trimmed).some(({ kind }) => kind === 'or') ? `(${trimmed}) ` : `${trimmed} `;
}
