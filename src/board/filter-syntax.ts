import { fold } from '../lib/text.ts';
import { stages } from '../service/status.ts';

/* The help of filter terms, separate from the filter so that it loads without it. */

/** Values of `is:` with their meaning. */
export const statesOfParcels = {
  unread: 'has new changes',
  new: 'has new changes',
  problem: 'needs attention',
  rejected: 'was rejected by the service',
  quiet: 'has not moved for longer than usual',
  late: 'was not delivered by the expected day',
  slow: 'has no expected day and is slower than 90% of similar parcels',
  closed: 'was cancelled, returned or lost, and you have seen it',
  snoozed: 'sleeps until a day or until it moves',
  marked: 'is marked (on the board only)',
} as const;

interface TermDescription {
  readonly placeholder: string;
  readonly meaning: string;
}

/** Days of `due:`: `week` is today and the next six days, `later` all after them, `none` is without an expected day. */
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

/** In the order of `Date.getUTCDay`. */
export const weekdays: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** What a parcel can lack, for `no:`. */
export const absences = ['label', 'tag', 'courier', 'order', 'date', 'event'] as const;

const descriptions = {
  stage: { placeholder: 'STAGE', meaning: stages.join(', ') },
  courier: { placeholder: 'TEXT', meaning: "a courier's code or part of its name" },
  to: { placeholder: 'COUNTRY', meaning: 'destination country, two letters' },
  from: { placeholder: 'COUNTRY', meaning: 'country of origin, two letters' },
  tag: { placeholder: 'TAG', meaning: 'one of its tags' },
  is: { placeholder: 'STATE', meaning: Object.keys(statesOfParcels).join(', ') },
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
} as const satisfies Readonly<Record<string, TermDescription>>;

export type TermName = keyof typeof descriptions;

/** All terms, in the order of the help. */
export const termNames = Object.keys(descriptions) as readonly TermName[];

export const placeholderOf = (name: TermName): string => descriptions[name].placeholder;

/** A line for each term and each value of `is:`. */
const helpLines = termNames.flatMap((name): readonly (readonly [term: string, meaning: string])[] =>
  name === 'is'
    ? Object.entries(statesOfParcels).map(([state, meaning]) => [`is:${state}`, meaning])
    : [[`${name}:${placeholderOf(name)}`, descriptions[name].meaning]],
);

export const filterHelp = `
--filter takes words and terms; a parcel must match all of them. "or" separates alternatives. "!" excludes a word or
term; before a term, so do "-" and "not". Use quotes for text with spaces or colons. A value from a fixed list can be
abbreviated: stage:pick.
${helpLines.map(([term, meaning]) => `  ${term.padEnd(14)}  ${meaning}`).join('\n')}`;

export interface FilterToken {
  /** Whether it separates two alternatives. */
  readonly isOr: boolean;
  /** The folded name before the colon; null for a plain word. */
  readonly name: string | null;
  /** The word, or the text after the colon, without quotes. */
  readonly value: string;
  readonly negated: boolean;
  readonly start: number;
  readonly end: number;
  readonly isUnclosed: boolean;
}

/**
 * Negation and name with colon, or marks of a word; then a quoted text (possibly unclosed) or text without blanks.
 * `-` and `not` negate only terms, because a word can start with a dash or be "not".
 */
const tokenPattern =
  /(?:(?<not>not\s+)?(?<termMarks>[!！]*-?)(?<name>\p{L}+)[:：](?!\/\/)|(?<wordMarks>[!！]*))(?:["“”„＂](?<quoted>[^"“”„＂]*)(?<closing>["“”„＂]?)|(?<plain>[^\s"“”„＂]\S*)?)/giu;

/**
 * Splits a filter into parts. Names consist of letters, so times of day and addresses are plain words; quote other
 * texts with a colon.
 */
export function filterTokens(text: string): readonly FilterToken[] {
  const tokens = [...text.matchAll(tokenPattern)].filter((match) => match[0] !== '');
  return tokens.map((match, index) => {
    const { closing, name, not, quoted, plain, termMarks = '', wordMarks = '' } = match.groups ?? {};
    const negations = (not === undefined ? 0 : 1) + termMarks.length + wordMarks.length;
    return {
      // At the beginning it is a word. At the end the second alternative is not typed yet.
      isOr: index > 0 && match[0].toLowerCase() === 'or',
      name: name === undefined ? null : fold(name),
      value: quoted ?? plain ?? '',
      negated: negations % 2 === 1,
      start: match.index,
      end: match.index + match[0].length,
      isUnclosed: closing === '',
    };
  });
}
