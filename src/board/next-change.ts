import type { EpochMs } from '../service/clock.ts';
import type { Parcel } from '../watchlist/parcel.ts';
import { nextVisibleChange } from './age.ts';
import { turnsLateAt } from './freshness.ts';
import type { HeaderPolling } from './header.ts';
import { instantOf, lastEventTime } from './view-stage.ts';
import { nextMidnight } from './zone-time.ts';

/** What is on the screen. */
export interface ShownOnBoard {
  /** Parcels of the visible rows. */
  readonly parcels: readonly Parcel[];
  /** The parcel whose timeline is open; null when none is. */
  readonly opened: Parcel | null;
  readonly polling: Pick<HeaderPolling, 'lastAnswerAt' | 'nextPollAt'>;
  readonly now: EpochMs;
  /** The viewer's IANA zone. */
  readonly zone: string;
}

/**
 * The instant at which the next text of the board changes by the passing of time alone. Until then nothing needs to be
 * drawn (design.md, decision 11).
 */
export function nextBoardChange({ parcels, opened, polling, now, zone }: ShownOnBoard): EpochMs {
  const known = (instants: readonly (EpochMs | null)[]): EpochMs[] => instants.filter((at) => at !== null);
  const midnight = nextMidnight(now, zone);
  const next = nextVisibleChange(
    {
      past: known([
        ...parcels.map((parcel) => lastEventTime(parcel)?.at ?? null),
        polling.lastAnswerAt,
        instantOf(opened?.checkedAt ?? null),
      ]),
      future: known([instantOf(opened?.nextPollAt ?? null)]),
      turns: known([midnight, polling.nextPollAt, ...parcels.map(turnsLateAt)]),
    },
    now,
  );
  return next ?? midnight;
}
