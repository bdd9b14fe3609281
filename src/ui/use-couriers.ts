import { useEffect, useMemo, useState } from 'react';
import { type CourierSearch, createCourierSearch } from '../board/courier-search.ts';
import type { Courier } from '../service/record.ts';
import type { CourierDirectory } from '../watchlist/courier-directory.ts';

/** The couriers of Get Carriers, as far as they are there. */
export interface LoadedCouriers {
  readonly status: 'absent' | 'loading' | 'ready' | 'failed';
  readonly couriers: readonly Courier[];
  /** A sentence for the user; null unless it failed. */
  readonly problem: string | null;
  readonly search: CourierSearch;
}

const findNothing: CourierSearch = () => [];

/**
 * Loads the couriers when they are first wanted, and tries again each time they are wanted after a failure.
 * @param preferredCodes couriers in use, listed first
 */
export function useCouriers(
  directory: CourierDirectory,
  isWanted: boolean,
  preferredCodes: readonly string[],
): LoadedCouriers {
  const [loaded, setLoaded] = useState<Omit<LoadedCouriers, 'search'>>({
    status: 'absent',
    couriers: [],
    problem: null,
  });
  const isReady = loaded.status === 'ready';
  useEffect(() => {
    if (!isWanted || isReady) return;
    setLoaded({ status: 'loading', couriers: [], problem: null });
    directory.list().then(
      ({ couriers }) => setLoaded({ status: 'ready', couriers, problem: null }),
      (error: unknown) =>
        setLoaded({
          status: 'failed',
          couriers: [],
          problem: error instanceof Error ? error.message : String(error),
        }),
    );
  }, [directory, isWanted, isReady]);
  const preferred = preferredCodes.join('\n');
  const search = useMemo(
    // An index over nothing would cost time at the start.
    () => (loaded.couriers.length === 0 ? findNothing : createCourierSearch(loaded.couriers, preferred.split('\n'))),
    [loaded.couriers, preferred],
  );
  return { ...loaded, search };
}
