import { useEffect, useMemo, useState } from 'react';
import { KeptSearchTexts } from '../../board/filter/kept-search-texts.ts';
import type { SearchedTexts } from '../../board/filter/search-text.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** Parcels of which the texts are put together without a pause: about two milliseconds. */
const slice = 200;

/**
 * What a filter looks for its words in, by parcel.
 * @param isTyped whether a filter is being typed: then the texts are put together ahead, between the keys
 */
export function useSearchTexts(
  parcels: readonly Parcel[],
  viewing: Viewing,
  isTyped: boolean,
): (parcel: Parcel) => SearchedTexts {
  const [kept] = useState(() => new KeptSearchTexts(viewing));
  const textsOf = useMemo(() => {
    kept.show(parcels, viewing);
    // Another function for other texts.
    return (parcel: Parcel) => kept.of(parcel);
  }, [kept, parcels, viewing]);
  useEffect(() => {
    if (!isTyped) return;
    let next: NodeJS.Immediate;
    const readFrom = (from: number): void => {
      for (const parcel of parcels.slice(from, from + slice)) textsOf(parcel).changing();
      if (from + slice < parcels.length) next = setImmediate(readFrom, from + slice);
    };
    next = setImmediate(readFrom, 0);
    return () => clearImmediate(next);
  }, [parcels, textsOf, isTyped]);
  return textsOf;
}
