import { fold } from '../text/fold.ts';

/** A part of a filter as it was typed: a word, or a term with its value. */
export interface FilterToken {
  /** What stands before the colon, folded; null for a plain word. */
  readonly name: string | null;
  /** The word, or what stands behind the colon, as it was typed, without its quotes. */
  readonly value: string;
  readonly negated: boolean;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
  /** Whether it begins with a quote that nothing closes. */
  readonly isUnclosed: boolean;
}

/**
 * A term's negation and its name with the colon, or a word's marks; then a quoted text, whose end may still be missing, or
 * what has no white space. A dash and a "not" negate terms only: a word may begin with a dash, and be "not".
 */
const tokenPattern =
  /(?:(?<not>not\s+)?(?<termMarks>[!！]*-?)(?<name>\p{L}+)[:：](?!\/\/)|(?<wordMarks>[!！]*))(?:["“”„＂](?<quoted>[^"“”„＂]*)(?<closing>["“”„＂]?)|(?<plain>[^\s"“”„＂]\S*)?)/giu;

/**
 * The parts of a filter. A name is made of letters alone, so that a time of day and a web address are words as they are;
 * anything else with a colon is one in quotes.
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
