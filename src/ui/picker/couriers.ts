import { useEffect, useMemo, useRef, useState } from 'react';
import {
  type CourierCheck,
  type CourierReader,
  courierCheck,
  courierReader,
} from '../../board/courier/courier-check.ts';
import { type CourierSearch, createCourierSearch } from '../../board/courier/courier-search.ts';
import { inTime } from '../../service/clock/clock.ts';
import { messageOf } from '../../service/failures/thrown.ts';
import type { Courier } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { CourierDirectory } from '../../watchlist/state/courier-directory.ts';
import type { BoardServices } from '../services.ts';

/** The couriers of Get Carriers, as far as they are there. */
export interface LoadedCouriers {
  readonly status: 'absent' | 'loading' | 'ready' | 'failed';
  readonly couriers: readonly Courier[];
  /** A sentence for the user; null unless it failed. */
  readonly problem: string | null;
  readonly search: CourierSearch;
  readonly check: CourierCheck;
  readonly read: CourierReader;
}

const findNothing: CourierSearch = () => [];

const nothing = { couriers: [], stale: false, problem: null };

/**
 * Loads the couriers when they are first wanted, and tries again each time they are wanted after a failure.
 * @param preferredCodes couriers in use, listed first
 */
export function useCouriers(
  directory: CourierDirectory,
  isWanted: boolean,
  preferredCodes: readonly string[],
): LoadedCouriers {
  const [loaded, setLoaded] = useState<Omit<LoadedCouriers, 'check' | 'read' | 'search'> & { readonly stale: boolean }>(
    {
      ...nothing,
      status: 'absent',
    },
  );
  const isReady = loaded.status === 'ready';
  useEffect(() => {
    if (!isWanted || isReady) return;
    setLoaded({ ...nothing, status: 'loading' });
    directory.list().then(
      ({ couriers, stale }) => setLoaded({ status: 'ready', couriers, stale, problem: null }),
      (error: unknown) => setLoaded({ ...nothing, status: 'failed', problem: messageOf(error) }),
    );
  }, [directory, isWanted, isReady]);
  const preferred = preferredCodes.join('\n');
  const search = useMemo(
    // An index over nothing would cost time at the start.
    () => (loaded.couriers.length === 0 ? findNothing : createCourierSearch(loaded.couriers, preferred.split('\n'))),
    [loaded.couriers, preferred],
  );
  const check = useMemo(() => courierCheck(loaded), [loaded]);
  const read = useMemo(() => courierReader(loaded), [loaded]);
  return { ...loaded, search, check, read };
}

/**
 * The codes of the couriers in use, as they were when they were wanted last: looking through a long list with each change of
 * it takes longer than drawing what has changed.
 */
export function useCouriersInUse(parcels: readonly Parcel[], isWanted: boolean): readonly string[] {
  const kept = useRef<{ readonly parcels: readonly Parcel[] | null; readonly codes: readonly string[] }>({
    parcels: null,
    codes: [],
  });
  if (isWanted && kept.current.parcels !== parcels) {
    const codes = new Set<string>();
    for (const { courierCode } of parcels) if (courierCode !== null) codes.add(courierCode);
    kept.current = { parcels, codes: [...codes] };
  }
  return kept.current.codes;
}

/** How long the list of couriers is waited for, in milliseconds: without it couriers have the names that are usual. */
const couriersPatienceMs = 2000;

/** Where couriers come from. */
interface CouriersSource extends Pick<BoardServices, 'clock' | 'couriers'> {
  readonly courierList: LoadedCouriers;
}

/** The couriers as far as they are there soon; none are no reason not to look for numbers. */
export async function couriersSoon({ clock, courierList, couriers }: CouriersSource): Promise<readonly Courier[]> {
  if (courierList.status === 'ready') return courierList.couriers;
  const listed = couriers.list().then(
    (list) => list.couriers,
    // Why there are none is said where a courier is chosen.
    () => [],
  );
  return (await inTime(clock, couriersPatienceMs, listed)) ?? [];
}
