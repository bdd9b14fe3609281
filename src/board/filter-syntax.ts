import { fold } from '../lib/text.ts';
import { stages } from '../service/status.ts';

/* The help of filter terms, separate from the filter so that it loads without it. */

/** Values of `is:` with their meaning. */
export const statesOfParcels = {
  unread: 'has new changes',
  quiet: 'has not moved for longer than usual',
  late: 'was not delivered by the expected day',
  closed: 'was cancelled, returned or lost, and you have read it',
} as const;

interface TermDescription {
  readonly placeholder: string;
  readonly meaning: string;
}

const descriptions = {
  stage: { placeholder: 'STAGE', meaning: stages.join(', ') },
  courier: { placeholder: 'TEXT', meaning: "a courier's code or a part of its name" },
  to: { placeholder: 'COUNTRY', meaning: 'destination country, two letters' },
  from: { placeholder: 'COUNTRY', meaning: 'country of origin, two letters' },
  tag: { placeholder: 'TAG', meaning: 'one of its tags' },
  is: { placeholder: 'STATE', meaning: Object.keys(statesOfParcels).join(', ') },
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
The text of --filter: words and terms; a parcel must match all of them. "!" excludes a word or term, as do
"-" and "not" before a term. Use quotes for text with spaces or colons.
${helpLines.map(([term, meaning]) => `  ${term.padEnd(14)}  ${meaning}`).join('\n')}`;

export interface FilterToken {
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
  return [...text.matchAll(tokenPattern)].flatMap((match) => {
    const { closing, name, not, quoted, plain, termMarks = '', wordMarks = '' } = match.groups ?? {};
    if (match[0] === '') return [];
    const negations = (not === undefined ? 0 : 1) + termMarks.length + wordMarks.length;
    return {
      name: name === undefined ? null : fold(name),
      value: quoted ?? plain ?? '',
      negated: negations % 2 === 1,
      start: match.index,
      end: match.index + match[0].length,
      isUnclosed: closing === '',
    };
  });
}
