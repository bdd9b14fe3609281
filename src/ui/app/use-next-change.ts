import { useMemo } from 'react';
import { type ListRow, parcelsOf } from '../../board/list/list-rows.ts';
import { once } from '../../board/once.ts';
import { nextBoardChange, nextRowChange, nextTourEnd } from '../../board/time/next-change.ts';
import { type EpochMs, minuteMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from './board.ts';

/** What is on the screen. */
export interface DrawnBoard extends Pick<Board, 'polling' | 'now' | 'zone'> {
  readonly parcels: readonly Parcel[];
  /** Those in sight. */
  readonly rows: readonly ListRow[];
  /** Whether a filter is set, or about to be: what it hides may come into it by the passing of time. */
  readonly isFiltered: boolean;
  /** The parcel whose timeline is open; null when none is. */
  readonly opened: Parcel | null;
}

/** When the board changes next by the passing of time, found when that is asked. */
export function useNextChange({ parcels, rows, isFiltered, opened, polling, now, zone }: DrawnBoard): () => EpochMs {
  const inSight = useMemo(() => once(() => nextRowChange(parcelsOf(rows), now)), [rows, now]);
  const tourEnd = useMemo(() => once(() => nextTourEnd(parcels, now)), [parcels, now]);
  return useMemo(() => {
    const next = (): EpochMs => nextBoardChange({ rows: inSight(), counted: tourEnd(), opened, polling, now, zone });
    // What is filtered becomes late, quiet, or old enough: of many parcels one does so every minute.
    return isFiltered ? () => Math.min(next(), now + minuteMs) : next;
  }, [inSight, tourEnd, isFiltered, opened, polling, now, zone]);
}
