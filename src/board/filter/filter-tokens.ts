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
}

/** Marks; a name with its colon; then a quoted text, whose end may still be missing, or what has no white space. */
const tokenPattern =
  /(?<marks>[!！]*)(?:(?<name>\p{L}+)[:：](?!\/\/))?(?:["“”„＂](?<quoted>[^"“”„＂]*)["“”„＂]?|(?<plain>[^\s"“”„＂]\S*)?)/gu;

/**
 * The parts of a filter. A name is made of letters alone, so that a time of day and a web address are words as they are;
 * anything else with a colon is one in quotes.
 */
export function filterTokens(text: string): readonly FilterToken[] {
  return [...text.matchAll(tokenPattern)].flatMap((match) => {
    const { marks = '', name, quoted, plain } = match.groups ?? {};
    if (match[0] === '') return [];
    return {
      name: name === undefined ? null : fold(name),
      value: quoted ?? plain ?? '',
      negated: marks.length % 2 === 1,
      start: match.index,
      end: match.index + match[0].length,
    };
  });
}
