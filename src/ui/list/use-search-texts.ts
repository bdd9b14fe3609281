import { useEffect, useMemo } from 'react';
import { KeptSearchTexts } from '../../board/filter/kept-search-texts.ts';
import type { SearchedTexts } from '../../board/filter/search-text.ts';
import type { Viewing } from '../../board/status/status-now.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';

/** Parcels of which the texts are put together without a pause: about two milliseconds. */
const slice = 250;

/**
 * What a filter looks for its words in.
 * @param isTyped whether a filter is being typed: then the texts are put together ahead, between the keys
 */
export function useSearchTexts(
  parcels: readonly Parcel[],
  { now, usual, zone }: Viewing,
  isTyped: boolean,
): SearchedTexts {
  const kept = useMemo(() => new KeptSearchTexts(), []);
  const texts = useMemo(
    () => kept.at({ now, zone, ...(usual === undefined ? {} : { usual }) }),
    [kept, now, usual, zone],
  );
  useEffect(() => {
    if (!isTyped) return;
    let next: NodeJS.Immediate;
    const readFrom = (from: number): void => {
      for (const parcel of parcels.slice(from, from + slice)) {
        texts.lasting(parcel);
        texts.changing(parcel);
      }
      if (from + slice < parcels.length) next = setImmediate(readFrom, from + slice);
    };
    next = setImmediate(readFrom, 0);
    return () => clearImmediate(next);
  }, [parcels, texts, isTyped]);
  return texts;
}
