import { useEffect, useMemo, useRef } from 'react';
import type { Parcel } from '../watchlist/model/parcel.ts';
import { noUsualStillness, type UsualStillness, usualStillnessSince } from '../watchlist/rules/usual-stillness.ts';
import type { OpenedList } from './opening/opened-board.ts';

/**
 * For how long parcels usually stand still: computed once for each change of the watchlist, the same object while nothing of
 * it changes.
 * @param opened the list for which it was computed before the first frame; null for none
 */
export function useUsualStillness(parcels: readonly Parcel[], opened: OpenedList | null): UsualStillness {
  const before = useRef<Parameters<typeof usualStillnessSince>[0]>({ parcels: [], usual: noUsualStillness });
  const usual = useMemo(
    () => (opened?.state.parcels === parcels ? opened.usual : usualStillnessSince(before.current, parcels)),
    [parcels, opened],
  );
  useEffect(() => {
    before.current = { parcels, usual };
  }, [parcels, usual]);
  return usual;
}
