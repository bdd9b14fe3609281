import { fold, nearestWord } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { type ParsedFilter, type ParsedTerm, parseFilter } from './filter.ts';
import { type FilterTerm, filterTerms, matchAbbreviation, possibleValues } from './filter-terms.ts';
import { filterTokens, parcelStates, placeholderOf, termNames } from './filter-vocabulary.ts';
import { type Completions, completionsAt, findByPrefix } from './input/completions.ts';

export interface FilterProblem {
  readonly text: string;
  /** A suggestion as a sentence, or null. */
  readonly advice: string | null;
  /** `unfinished`: the user is still typing it. `unmatched`: valid, but no parcel matches. */
  readonly kind: 'invalid' | 'unfinished' | 'unmatched';
}

const maxListedValues = 12;

/**
 * Returns the filter's first problem, or null.
 * @param parcels the parcels to filter, which determine the values that `courier:`, `to:`, `from:` and `tag:` can match
 * @param cursor cursor position, where a term may be unfinished, or null if the user is not typing
 */
export function filterProblem(
  text: string,
  parcels: readonly Parcel[],
  cursor: number | null = null,
): FilterProblem | null {
  const filter = parseFilter(text);
  const problems = filter.terms.map((used) => termProblem(used, parcels, cursor));
  return (
    unknownProblem(filter) ??
    unclosedProblem(text, cursor) ??
    problems.find((problem) => problem?.kind === 'invalid') ??
    problems.find((problem) => problem) ??
    null
  );
}

/** Suggests `is:` if a filter that matches nothing contains a state as a plain word. Returns null otherwise. */
export function adviceForNoMatch(text: string): string | null {
  const state = parseFilter(text).words.find((word) => Object.hasOwn(parcelStates, word.text));
  return state === undefined ? null : `Did you mean "${state.negated ? '!' : ''}is:${state.text}"?`;
}

function unknownProblem({ unknown }: ParsedFilter): FilterProblem | null {
  const [first] = unknown;
  if (first === undefined) return null;
  const names = termNames.map((name) => `${name}:`);
  const near = termWithValue(first.value) ?? nearestWord(first.name, termNames);
  return {
    kind: 'invalid',
    text: `Unknown filter "${first.name}:". Use: ${names.join(' ')}`,
    advice:
      near === null
        ? `To search for the text, use quotes: "${first.name}:${first.value}".`
        : `Did you mean "${near}:"?`,
  };
}

function unclosedProblem(text: string, cursor: number | null): FilterProblem | null {
  const tokens = filterTokens(text).filter(({ isUnclosed }) => isUnclosed);
  const quoted = tokens.find(
    ({ end, kind, start }) => kind === 'text' && (cursor === null || cursor < start || cursor > end),
  );
  if (quoted !== undefined) {
    const name = quoted.name === null ? '' : `${quoted.name}:`;
    const value = quoted.value.trim();
    const advice = value === '' ? 'Close it or remove it.' : `Did you mean ${name}"${value}"?`;
    return { kind: 'invalid', text: `The quote in ${name}"${value} is not closed`, advice };
  }
  // While the user is typing, the rest of the group may still follow.
  if (cursor !== null || !tokens.some(({ kind }) => kind === 'open')) return null;
  return {
    kind: 'invalid',
    text: 'A parenthesis is not closed',
    advice: 'Add ")" after the last alternative, or use quotes to search for "(".',
  };
}

/** Finds the term that a value belongs to, so that `status:unread` and `stage:unread` suggest `is:unread`. */
function termWithValue(value: string): string | null {
  const folded = fold(value);
  const term = filterTerms.find(({ values }) => values.kind === 'listed' && values.values.includes(folded));
  return term?.name ?? null;
}

function termProblem(used: ParsedTerm, parcels: readonly Parcel[], cursor: number | null): FilterProblem | null {
  const { end, start, term, test, value } = used;
  const { name, values } = term;
  const allValues = possibleValues(term, parcels);
  const candidates = values.kind === 'from-parcels' ? allValues.toSorted() : allValues;
  const isBeingTyped = cursor !== null && cursor >= start && cursor <= end;
  const isKnown = values.kind !== 'from-parcels' || candidates.some((candidate) => isValue(used, candidate));
  const isComplete = values.kind !== 'listed' || candidates.includes(value);
  if (test !== null && isKnown && (isComplete || !isBeingTyped)) return null;
  if (isBeingTyped && isUnfinished(used, candidates)) {
    const matches =
      values.kind === 'listed'
        ? matchAbbreviation(candidates, value)
        : candidates.filter((candidate) => fold(candidate).startsWith(value));
    return { kind: 'unfinished', text: `${name}: ${listValues(matches, term)}`, advice: null };
  }
  const hint = usageHint(candidates, term);
  const near = nearestWord(value, candidates);
  const intendedName = values.kind === 'listed' ? termWithValue(value) : null;
  const advice =
    intendedName !== null
      ? `Did you mean "${intendedName}:${value}"?`
      : near === null
        ? null
        : `Did you mean "${name}:${quoteIfNeeded(near)}"?`;
  if (value === '') return { kind: 'invalid', text: `"${name}:" needs a value${hint}`, advice: null };
  if (values.kind === 'from-parcels') {
    return { kind: 'unmatched', text: `No parcel has "${name}:${value}"${hint}`, advice };
  }
  return { kind: 'invalid', text: `"${name}:" cannot be "${value}"${hint}`, advice };
}

const isValue = ({ term: { values }, value }: ParsedTerm, candidate: string): boolean =>
  values.kind === 'from-parcels' && values.matchesPart ? fold(candidate).includes(value) : fold(candidate) === value;

function isUnfinished({ term: { values }, value }: ParsedTerm, candidates: readonly string[]): boolean {
  if (values.kind === 'format') return values.isUnfinished(value);
  if (values.kind === 'listed') return matchAbbreviation(candidates, value).length > 0;
  return value === '' || candidates.some((candidate) => fold(candidate).startsWith(value));
}

function usageHint(candidates: readonly string[], term: FilterTerm): string {
  if (term.values.kind === 'format') return `. Use the format ${listValues(candidates, term)}`;
  return candidates.length === 0 ? '' : `. Use: ${listValues(candidates, term)}`;
}

function listValues(candidates: readonly string[], { name, values }: FilterTerm): string {
  if (values.kind === 'format') return values.example;
  if (candidates.length === 0) return placeholderOf(name);
  const more = candidates.length > maxListedValues ? ', …' : '';
  return `${candidates.slice(0, maxListedValues).join(', ')}${more}`;
}

const quoteIfNeeded = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);

const quote = /["“”„＂]/;

/**
 * Completes the word or term before the cursor with term names, valid values, values of these parcels, labels and
 * numbers. Returns null if nothing matches.
 */
export function completeFilter(text: string, cursor: number, parcels: readonly Parcel[]): Completions | null {
  const token = filterTokens(text).find(({ start, end }) => start < cursor && cursor <= end);
  if (token === undefined || token.end !== cursor || token.kind !== 'text') return null;
  const typedText = text.slice(token.start, token.end);
  if (token.name !== null) {
    const term = filterTerms.find(({ name }) => name === token.name);
    const from = token.start + typedText.search(/[:：]/) + 1;
    if (term === undefined) return null;
    const quotableValues = possibleValues(term, parcels).filter((value) => !quote.test(value));
    return completionsAt(from, cursor, findByPrefix(quotableValues, token.value).map(quoteForFilter));
  }
  const from = cursor - typedText.replace(/^[!！]*/, '').length;
  const isQuoted = quote.test(text.charAt(from));
  const [, dash = '', prefix = ''] = /^(-?)(.*)$/su.exec(token.value) ?? [];
  const terms = isQuoted || prefix === '' ? [] : findByPrefix(termNames, prefix).map((name) => `${dash}${name}:`);
  const parcelTexts = parcels.flatMap(({ label, trackNo }) => [...(label === null ? [] : [label]), trackNo]);
  return completionsAt(from, cursor, [...terms, ...findByPrefix(parcelTexts, token.value).map(quoteForFilter)]);
}

const quoteForFilter = (text: string): string => (/[\s:：]/.test(text) ? `"${text}"` : text);
