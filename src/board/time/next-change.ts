import type { EpochMs } from '../../lib/clock.ts';
import { parseOffset } from '../../lib/date-time.ts';
import { arrivalOf } from '../../parcels/delivery.ts';
import { awaitedDelivery, type Viewer } from '../../parcels/expected-delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { parcelStage, turnsLateAt } from '../../parcels/parcel-stage.ts';
import type { PollingState } from '../../store/polling-state.ts';
import { endOfWindow } from '../status/expected-delivery.ts';
import { arrivedBy, instantOf, lastEventTime } from '../status/stage.ts';
import { nextDayAtOffset } from '../status/status-now.ts';
import { nextVisibleChange } from './age.ts';
import { nextMidnight, timeOfDaySuffices } from './zone-time.ts';

/** What is on the screen; of what many parcels show, which a key seldom changes, only when that changes next. */
interface ShownOnBoard extends Viewer {
  /** See {@link nextRowChange}: of the visible rows. */
  readonly rows: EpochMs | null;
  /** See {@link nextTourEnd}: of all parcels that the header counts, visible or not. */
  readonly counted: EpochMs | null;
  /** The parcel whose timeline is open; null when none is. */
  readonly opened: Parcel | null;
  readonly polling: Pick<PollingState, 'lastAnswerAt' | 'nextPollAt'>;
}

/** The instant at which the next text of these parcels' rows changes; null when none ever will. */
export function nextRowChange(parcels: readonly Parcel[], now: EpochMs): EpochMs | null {
  return nextVisibleChange(
    {
      past: parcels.flatMap(shownAges),
      future: [],
      turns: known(parcels.flatMap((parcel) => [turnsLateAt(parcel), showsTimeFrom(parcel), ...dayTurns(parcel, now)])),
    },
    now,
  );
}

/** The instant at which the first of these parcels is no longer out for delivery today; null when none is. */
export function nextTourEnd(parcels: readonly Parcel[], now: EpochMs): EpochMs | null {
  let next: EpochMs | null = null;
  for (const parcel of parcels) {
    const end = parcelStage(parcel) === 'out-for-delivery' ? tourTurn(parcel, now) : null;
    if (end !== null && (next === null || end < next)) next = end;
  }
  return next;
}

/**
 * The instant at which the next text of the board changes by the passing of time alone. Until then nothing needs to be
 * drawn: nothing moves without news.
 */
export function nextBoardChange({ rows, counted, opened, polling, now, zone }: ShownOnBoard): EpochMs {
  const midnight = nextMidnight(now, zone);
  const past = opened === null ? [] : [...shownAges(opened), instantOf(opened.checkedAt)];
  const turns = opened === null ? [] : dayTurns(opened, now);
  const next = nextVisibleChange(
    {
      past: known([...past, polling.lastAnswerAt]),
      future: known([instantOf(opened?.nextPollAt ?? null)]),
      turns: known([midnight, polling.nextPollAt, rows, counted, ...turns]),
    },
    now,
  );
  return next ?? midnight;
}

const known = (instants: readonly (EpochMs | null)[]): EpochMs[] => instants.filter((at) => at !== null);

const shownAges = (parcel: Parcel): readonly EpochMs[] =>
  known([lastEventTime(parcel)?.earliest ?? null, lastEventTime(parcel)?.latest ?? null, arrivedBy(parcel)]);

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
  return nextMidnightAt(arrivalOf(parcel)?.offset ?? null, now);
}

function nextMidnightAt(offset: string | null, now: EpochMs): EpochMs | null {
  const minutes = parseOffset(offset);
  return minutes === null ? null : nextDayAtOffset(now, minutes);
}
