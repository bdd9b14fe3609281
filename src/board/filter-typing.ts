import { fold, nearestWord } from '../lib/text.ts';
import type { Parcel } from '../parcels/parcel.ts';
import { type ReadFilter, readFilter, type UsedTerm } from './filter.ts';
import { filterTokens, placeholderOf, statesOfParcels, termNames } from './filter-syntax.ts';
import { beginningValues, type FilterTerm, filterTerms, valuesAmong } from './filter-terms.ts';
import { beginningWith, type Completions, completionsAt } from './input/completions.ts';

export interface FilterProblem {
  readonly text: string;
  /** A suggestion as a sentence, or null. */
  readonly advice: string | null;
  /** `begun`: the user is still typing it. `unmatched`: valid, but no parcel matches. */
  readonly kind: 'wrong' | 'begun' | 'unmatched';
}

const maxListed = 12;

/**
 * Returns a filter's first problem, or null.
 * @param parcels the parcels to filter, which determine the values that `courier:`, `to:`, `from:` and `tag:` can match
 * @param cursor cursor position, where a term may be unfinished, or null if the user is not typing
 */
export function filterProblem(
  text: string,
  parcels: readonly Parcel[],
  cursor: number | null = null,
): FilterProblem | null {
  const filter = readFilter(text);
  const problems = filter.terms.map((used) => termProblem(used, parcels, cursor));
  return (
    unknownProblem(filter) ??
    unclosedProblem(text, cursor) ??
    problems.find((problem) => problem?.kind === 'wrong') ??
    problems.find((problem) => problem) ??
    null
  );
}

/** Suggests `is:` if a filter that matches nothing contains a state as a plain word. Returns null otherwise. */
export function adviceForNoMatch(text: string): string | null {
  const state = readFilter(text).words.find((word) => Object.hasOwn(statesOfParcels, word.text));
  return state === undefined ? null : `Did you mean "${state.negated ? '!' : ''}is:${state.text}"?`;
}

function unknownProblem({ unknown }: ReadFilter): FilterProblem | null {
  const [first] = unknown;
  if (first === undefined) return null;
  const names = termNames.map((name) => `${name}:`);
  const near = termWithValue(first.value) ?? nearestWord(first.name, termNames);
  return {
    kind: 'wrong',
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
    return { kind: 'wrong', text: `The quote in ${name}"${value} is not closed`, advice };
  }
  // While the user is typing, the rest of the group may still follow.
  if (cursor !== null || !tokens.some(({ kind }) => kind === 'open')) return null;
  return {
    kind: 'wrong',
    text: 'A parenthesis is not closed',
    advice: 'Add ")" after the last alternative, or use quotes to search for "(".',
  };
}

/** Finds the term that a value belongs to, so that `status:unread` and `stage:unread` suggest `is:unread`. */
function termWithValue(value: string): string | null {
  const folded = fold(value);
  const owner = filterTerms.find(({ values }) => values.kind === 'listed' && values.values.includes(folded));
  return owner?.name ?? null;
}

function termProblem(used: UsedTerm, parcels: readonly Parcel[], cursor: number | null): FilterProblem | null {
  const { end, start, term, test, value } = used;
  const { name, values } = term;
  const known = valuesAmong(term, parcels);
  const offered = values.kind === 'of-parcels' ? known.toSorted() : known;
  const isTyped = cursor !== null && cursor >= start && cursor <= end;
  const isFound = values.kind !== 'of-parcels' || offered.some((candidate) => isValue(used, candidate));
  const isWhole = values.kind !== 'listed' || offered.includes(value);
  if (test !== null && isFound && (isWhole || !isTyped)) return null;
  if (isTyped && isBegun(used, offered)) {
    const rest =
      values.kind === 'listed'
        ? beginningValues(offered, value)
        : offered.filter((candidate) => fold(candidate).startsWith(value));
    return { kind: 'begun', text: `${name}: ${listed(rest, term)}`, advice: null };
  }
  const hint = validValues(offered, term);
  const near = nearestWord(value, offered);
  const owner = values.kind === 'listed' ? termWithValue(value) : null;
  const advice =
    owner !== null
      ? `Did you mean "${owner}:${value}"?`
      : near === null
        ? null
        : `Did you mean "${name}:${quotedIfNeeded(near)}"?`;
  if (value === '') return { kind: 'wrong', text: `"${name}:" needs a value${hint}`, advice: null };
  if (values.kind === 'of-parcels') {
    return { kind: 'unmatched', text: `No parcel has "${name}:${value}"${hint}`, advice };
  }
  return { kind: 'wrong', text: `"${name}:" cannot be "${value}"${hint}`, advice };
}

const isValue = ({ term: { values }, value }: UsedTerm, candidate: string): boolean =>
  values.kind === 'of-parcels' && values.inPart ? fold(candidate).includes(value) : fold(candidate) === value;

function isBegun({ term: { values }, value }: UsedTerm, offered: readonly string[]): boolean {
  if (values.kind === 'form') return values.isBegun(value);
  if (values.kind === 'listed') return beginningValues(offered, value).length > 0;
  return value === '' || offered.some((candidate) => fold(candidate).startsWith(value));
}

function validValues(offered: readonly string[], term: FilterTerm): string {
  if (term.values.kind === 'form') return `. Use the format ${listed(offered, term)}`;
  return offered.length === 0 ? '' : `. Use: ${listed(offered, term)}`;
}

function listed(offered: readonly string[], { name, values }: FilterTerm): string {
  if (values.kind === 'form') return values.example;
  if (offered.length === 0) return placeholderOf(name);
  const more = offered.length > maxListed ? ', …' : '';
  return `${offered.slice(0, maxListed).join(', ')}${more}`;
}

const quotedIfNeeded = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);

const quote = /["“”„＂]/;

/**
 * Completes the word or term before the cursor with term names, valid values, values of these parcels, labels and
 * numbers. Returns null if nothing matches.
 */
export function completeFilter(text: string, cursor: number, parcels: readonly Parcel[]): Completions | null {
  const token = filterTokens(text).find(({ start, end }) => start < cursor && cursor <= end);
  if (token === undefined || token.end !== cursor || token.kind !== 'text') return null;
  const written = text.slice(token.start, token.end);
  if (token.name !== null) {
    const term = filterTerms.find(({ name }) => name === token.name);
    const from = token.start + written.search(/[:：]/) + 1;
    if (term === undefined) return null;
    const writable = valuesAmong(term, parcels).filter((value) => !quote.test(value));
    return completionsAt(from, cursor, beginningWith(writable, token.value).map(inFilter));
  }
  const from = cursor - written.replace(/^[!！]*/, '').length;
  const isQuoted = quote.test(text.charAt(from));
  const [, dash = '', begun = ''] = /^(-?)(.*)$/su.exec(token.value) ?? [];
  const terms = isQuoted || begun === '' ? [] : beginningWith(termNames, begun).map((name) => `${dash}${name}:`);
  const known = parcels.flatMap(({ label, trackNo }) => [...(label === null ? [] : [label]), trackNo]);
  return completionsAt(from, cursor, [...terms, ...beginningWith(known, token.value).map(inFilter)]);
}

const inFilter = (text: string): string => (/[\s:：]/.test(text) ? `"${text}"` : text);
