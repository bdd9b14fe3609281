import { useMemo } from 'react';
import type { ListRow } from '../../board/list/list-rows.ts';
import { once } from '../../board/once.ts';
import { nextBoardChange, nextRowChange } from '../../board/time/next-change.ts';
import { type EpochMs, minuteMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { Board } from './board.ts';

/** What is on the screen. */
export interface DrawnBoard extends Pick<Board, 'polling' | 'now' | 'zone'> {
  readonly parcels: readonly Parcel[];
  /** When the header's counts change by the passing of time; null for never. */
  readonly tourEnd: EpochMs | null;
  /** Those in sight. */
  readonly rows: readonly ListRow[];
  /** Whether a filter is set, or about to be: what it hides may come into it by the passing of time. */
  readonly isFiltered: boolean;
  /** The parcel whose timeline is open; null when none is. */
  readonly opened: Parcel | null;
}

/** When the board changes next by the passing of time. Of many parcels it is found once, when somebody asks. */
export function useNextChange({
  parcels,
  rows,
  tourEnd,
  isFiltered,
  opened,
  polling,
  now,
  zone,
}: DrawnBoard): () => EpochMs {
  const inSight = useMemo(() => once(() => nextRowChange(parcelsOf(rows), now)), [rows, now]);
  const ofAll = useMemo(() => once(() => nextChangeOfMany(parcels, now)), [parcels, now]);
  // What is filtered becomes late, quiet, or old enough.
  const watched = isFiltered ? ofAll : inSight;
  return useMemo(
    () => () => nextBoardChange({ rows: watched(), counted: tourEnd, opened, polling, now, zone }),
    [watched, tourEnd, opened, polling, now, zone],
  );
}

/** Of so many parcels something changes every minute, and to find what takes longer than a frame. */
const many = 1000;

const nextChangeOfMany = (parcels: readonly Parcel[], now: EpochMs): EpochMs | null =>
  parcels.length > many ? now + minuteMs : nextRowChange(parcels, now);

const parcelsOf = (rows: readonly ListRow[]): readonly Parcel[] =>
  rows.flatMap((row) => (row.kind === 'parcel' ? [row.parcel] : []));
