import type { EpochMs } from '../../service/clock/clock.ts';
import { parseOffset } from '../../service/clock/service-clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { awaitedDelivery } from '../../watchlist/rules/awaited-delivery.ts';
import { arrivalOf } from '../../watchlist/rules/delivery.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { turnsLateAt } from '../../watchlist/rules/staleness.ts';
import type { HeaderPolling } from '../header/header.ts';
import { endOfWindow } from '../status/expected-wording.ts';
import { nextDayAtOffset } from '../status/standing.ts';
import { instantOf, lastEventTime } from '../status/view-stage.ts';
import { nextVisibleChange } from './age.ts';
import { nextMidnight, timeOfDaySuffices } from './zone-time.ts';

/** What is on the screen. */
export interface ShownOnBoard {
  /** Parcels of the visible rows. */
  readonly parcels: readonly Parcel[];
  /** All that the header counts, visible or not; those of the visible rows when left out. */
  readonly counted?: readonly Parcel[];
  /** The parcel whose timeline is open; null when none is. */
  readonly opened: Parcel | null;
  readonly polling: Pick<HeaderPolling, 'lastAnswerAt' | 'nextPollAt'>;
  readonly now: EpochMs;
  /** The viewer's zone. */
  readonly zone: Zone;
}

/**
 * The instant at which the next text of the board changes by the passing of time alone. Until then nothing needs to be
 * drawn: nothing moves without news.
 */
export function nextBoardChange({ parcels, counted = [], opened, polling, now, zone }: ShownOnBoard): EpochMs {
  const known = (instants: readonly (EpochMs | null)[]): EpochMs[] => instants.filter((at) => at !== null);
  const midnight = nextMidnight(now, zone);
  const described = opened === null ? parcels : [...parcels, opened];
  const next = nextVisibleChange(
    {
      past: known([
        ...described.flatMap((parcel) => [lastEventTime(parcel)?.at ?? null, instantOf(arrivalOf(parcel)?.at ?? null)]),
        polling.lastAnswerAt,
        instantOf(opened?.checkedAt ?? null),
      ]),
      future: known([instantOf(opened?.nextPollAt ?? null)]),
      turns: known([
        midnight,
        polling.nextPollAt,
        ...parcels.map(turnsLateAt),
        ...parcels.map(showsTimeFrom),
        ...described.flatMap((parcel) => dayTurns(parcel, now)),
        ...counted.map((parcel) => (parcelStage(parcel) === 'out-for-delivery' ? tourTurn(parcel, now) : null)),
      ]),
    },
    now,
  );
  return next ?? midnight;
}

/** When a row no longer gives its next check in days but by the time of day. Something is due after that, not at it. */
function showsTimeFrom({ nextPollAt }: Parcel): EpochMs | null {
  const at = instantOf(nextPollAt);
  return at === null ? null : at - timeOfDaySuffices + 1;
}

/** When what is given in days changes: at midnight where the parcel is, and at the end of the time in which it is expected. */
function dayTurns(parcel: Parcel, now: EpochMs): readonly (EpochMs | null)[] {
  const expected = awaitedDelivery(parcel);
  if (expected === null) return [tourTurn(parcel, now)];
  const offset = expected.kind === 'window' ? expected.offset : null;
  return [tourTurn(parcel, now), nextMidnightAt(offset, now), endOfWindow(expected)];
}

/** When what is out for delivery today is so no longer. */
function tourTurn(parcel: Parcel, now: EpochMs): EpochMs | null {
  return nextMidnightAt((arrivalOf(parcel) ?? parcel.lastEvent)?.offset ?? null, now);
}

function nextMidnightAt(offset: string | null, now: EpochMs): EpochMs | null {
  const minutes = parseOffset(offset);
  return minutes === null ? null : nextDayAtOffset(now, minutes);
}
