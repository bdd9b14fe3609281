import { beginningWith, type Completions, completionsAt } from '../input/completions.ts';
import { type FilteredNames, filterTerms, valuesAmong } from './filter-terms.ts';
import { filterTokens } from './filter-tokens.ts';
import { termNames } from './term-list.ts';

const quote = /["“”„＂]/;

/**
 * What the word or the term before the cursor can become: the name of a term, a value that the term can have or that a parcel
 * has, or a label or number. Null when nothing begins so.
 */
export function completeFilter(text: string, cursor: number, parcels: readonly FilteredNames[]): Completions | null {
  const token = filterTokens(text).find(({ start, end }) => start < cursor && cursor <= end);
  if (token === undefined || token.end !== cursor) return null;
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

/** As it is written in a filter. */
const inFilter = (text: string): string => (/[\s:：]/.test(text) ? `"${text}"` : text);
