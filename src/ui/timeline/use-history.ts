import { useEffect, useMemo, useState } from 'react';
import type { Monitor } from '../../polling/core/state.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { HistoryCache, type LoadedHistory } from './history-cache.ts';

/**
 * The history of the selected parcel, read anew when its record has news; null until it is read for the first time.
 * @param neighbours read ahead, so that the next key finds them there
 */
export function useHistory(
  monitor: Monitor,
  parcel: Parcel | null,
  neighbours: readonly Parcel[],
): LoadedHistory | null {
  const cache = useMemo(() => new HistoryCache(monitor), [monitor]);
  const [, setRead] = useState<LoadedHistory | null>(null);
  const ahead = neighbours.map((neighbour) => neighbour.id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: neighbours count by who they are, not by their records
  useEffect(() => {
    let isWanted = true;
    const readAhead = (): void => {
      for (const neighbour of neighbours) {
        if (isWanted && cache.peek(neighbour) === null) void cache.load(neighbour);
      }
    };
    if (parcel === null || cache.isFresh(parcel)) {
      readAhead();
    } else {
      void cache.load(parcel).then((loaded) => {
        if (isWanted) setRead(loaded);
        readAhead();
      });
    }
    return () => {
      isWanted = false;
    };
  }, [cache, parcel, ahead]);
  return parcel === null ? null : cache.peek(parcel);
}
