import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Viewing } from '../status/status-now.ts';
import { readFilter } from './read-filter.ts';
import { type SearchedTexts, searchedTexts } from './search-text.ts';

/**
 * Reads a filter once for many parcels. Words must occur somewhere in what is known of a parcel (see `lastingText`), terms
 * (see `filterTerms`) must hold, and what has a `!` before it must not; before a term, `-` and `not` say the same. Case, accents and width of letters do not matter;
 * an empty filter passes all.
 * @param textsOf where words are looked for; put together for each parcel when left out
 */
export function createFilter(
  filterText: string,
  viewing: Viewing,
  textsOf: (parcel: Parcel) => SearchedTexts = (parcel) => searchedTexts(parcel, viewing),
): (parcel: Parcel) => boolean {
  const { terms, words } = readFilter(filterText);
  const tests = terms.flatMap(({ negated, test }) => (test === null ? [] : [{ negated, test }]));
  const hasWords = (parcel: Parcel): boolean => {
    const texts = textsOf(parcel);
    return words.every(
      ({ negated, text }) => (texts.lasting.includes(text) || texts.changing().includes(text)) !== negated,
    );
  };
  return (parcel) =>
    tests.every(({ negated, test }) => test(parcel, viewing) !== negated) && (words.length === 0 || hasWords(parcel));
}
