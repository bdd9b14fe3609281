import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Viewing } from '../status/status-now.ts';
import { readFilter } from './read-filter.ts';
import { searchText } from './search-text.ts';

/**
 * Reads a filter once for many parcels. Words must occur somewhere in what is known of a parcel (see `searchText`), terms
 * (see `filterTerms`) must hold, and what has a `!` before it must not; before a term, `-` and `not` say the same. Case, accents and width of letters do not matter;
 * an empty filter passes all.
 * @param textOf where words are looked for; put together for each parcel when left out
 */
export function createFilter(
  filterText: string,
  viewing: Viewing,
  textOf: (parcel: Parcel) => string = (parcel) => searchText(parcel, viewing),
): (parcel: Parcel) => boolean {
  const { terms, words } = readFilter(filterText);
  const tests = terms.flatMap(({ negated, test }) => (test === null ? [] : [{ negated, test }]));
  const hasWords = (parcel: Parcel): boolean => {
    const searched = textOf(parcel);
    return words.every(({ negated, text }) => searched.includes(text) !== negated);
  };
  return (parcel) =>
    tests.every(({ negated, test }) => test(parcel, viewing) !== negated) && (words.length === 0 || hasWords(parcel));
}
