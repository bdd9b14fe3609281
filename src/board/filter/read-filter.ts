import { fold } from '../text/fold.ts';
import { type FilterTerm, filterTerms, type ParcelTest } from './filter-terms.ts';
import { type FilterToken, filterTokens } from './filter-tokens.ts';

/** A term of a filter with the value that it has there. */
export interface UsedTerm extends Pick<FilterToken, 'end' | 'negated' | 'start'> {
  readonly term: FilterTerm;
  /** Folded. */
  readonly value: string;
  /** Null where the value is none of the term's: then it filters nothing. */
  readonly test: ParcelTest | null;
}

/** A word of a filter. */
export interface FilterWord {
  /** Folded. */
  readonly text: string;
  readonly negated: boolean;
}

/** A name before a colon that is no term's. */
export interface UnknownTerm {
  readonly name: string;
  readonly value: string;
}

/** What a filter asks for; each of it must hold. */
export interface ReadFilter {
  readonly words: readonly FilterWord[];
  readonly terms: readonly UsedTerm[];
  readonly unknown: readonly UnknownTerm[];
}

/** Reads the text of a filter. What is wrong in it filters nothing; `filterProblem` says what that is. */
export function readFilter(text: string): ReadFilter {
  const words: FilterWord[] = [];
  const terms: UsedTerm[] = [];
  const unknown: UnknownTerm[] = [];
  for (const { end, name, negated, start, value } of filterTokens(text)) {
    const folded = fold(value);
    const term = name === null ? undefined : filterTerms.find((one) => one.name === name);
    if (term !== undefined) {
      terms.push({ term, value: folded, negated, test: folded === '' ? null : term.read(folded), start, end });
    } else if (name !== null) unknown.push({ name, value });
    else if (folded !== '') words.push({ text: folded, negated });
  }
  return { words, terms, unknown };
}
