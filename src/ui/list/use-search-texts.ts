import { useEffect, useMemo, useReducer, useState } from 'react';
import { KeptSearchTexts } from '../../board/filter/kept-search-texts.ts';
import type { SearchedTexts } from '../../board/filter/search-text.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** Parcels of which the texts are put together without a pause: about two milliseconds. */
const slice = 200;

/** So many are put together within a frame; of more, the frame comes first. */
const mostWithinFrame = 5_000;

/** What the words of a filter are looked for in. */
interface SearchTexts {
  readonly textsOf: (parcel: Parcel) => SearchedTexts;
  /** False while a filter is being typed and its texts are still put together: to look through all now would hold up the next key. */
  readonly areReady: boolean;
}

/**
 * What a filter looks for its words in, by parcel.
 * @param isTyped whether a filter is being typed: then the texts are put together ahead, between the keys
 */
export function useSearchTexts(parcels: readonly Parcel[], viewing: Viewing, isTyped: boolean): SearchTexts {
  const [kept] = useState(() => new KeptSearchTexts(viewing));
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const textsOf = useMemo(() => {
    kept.show(parcels, viewing);
    // Another function for other texts.
    return (parcel: Parcel) => kept.of(parcel);
  }, [kept, parcels, viewing]);
  useEffect(() => {
    if (!isTyped) return;
    const isAwaited = kept.missing > mostWithinFrame;
    let next: NodeJS.Immediate;
    const readFrom = (from: number): void => {
      for (const parcel of parcels.slice(from, from + slice)) textsOf(parcel).changing();
      if (from + slice < parcels.length) next = setImmediate(readFrom, from + slice);
      else if (isAwaited) drawAgain();
    };
    next = setImmediate(readFrom, 0);
    return () => clearImmediate(next);
  }, [kept, parcels, textsOf, isTyped]);
  return { textsOf, areReady: !isTyped || kept.missing <= mostWithinFrame };
}
