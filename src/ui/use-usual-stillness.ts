import { useEffect, useMemo, useRef } from 'react';
import type { Parcel } from '../watchlist/model/parcel.ts';
import { noUsualStillness, type UsualStillness, usualStillness } from '../watchlist/rules/quiet.ts';

/** For how long parcels usually stand still: computed once for each change of the watchlist, the same object while nothing of it changes. */
export function useUsualStillness(parcels: readonly Parcel[]): UsualStillness {
  const before = useRef(noUsualStillness);
  const usual = useMemo(() => usualStillness(parcels, before.current), [parcels]);
  useEffect(() => {
    before.current = usual;
  }, [usual]);
  return usual;
}
