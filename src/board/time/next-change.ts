import type { EpochMs } from '../../lib/clock.ts';
import { parseOffset } from '../../lib/date-time.ts';
import { arrivalOf } from '../../parcels/delivery.ts';
import { awaitedDelivery, type Viewer } from '../../parcels/expected-delivery.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { parcelStage, turnsLateAt } from '../../parcels/parcel-stage.ts';
import type { PollingState } from '../../polling/state.ts';
import { endOfWindow } from '../status/expected-delivery.ts';
import { arrivedBy, instantOf, lastEventTime } from '../status/stage.ts';
import { nextDayAtOffset } from '../status/status-now.ts';
import { nextVisibleChange } from './age.ts';
import { nextMidnight, timeOfDaySuffices } from './zone-time.ts';

/** What is on the screen. For many parcels, only the time of their next change is given. */
interface ShownOnBoard extends Viewer {
  /** {@link nextRowChange} of the visible rows. */
  readonly rows: EpochMs | null;
  /** {@link nextTourEnd} of all parcels that the header counts. */
  readonly counted: EpochMs | null;
  /** The parcel whose timeline is open, or null. */
  readonly opened: Parcel | null;
  readonly polling: Pick<PollingState, 'lastResponseAt' | 'nextPollAt'>;
}

/** Returns when the rows of these parcels will next change, or null if they will not. */
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

/** Returns when the first of these parcels will stop being "out for delivery today", or null. */
export function nextTourEnd(parcels: readonly Parcel[], now: EpochMs): EpochMs | null {
  let next: EpochMs | null = null;
  for (const parcel of parcels) {
    const end = parcelStage(parcel) === 'out-for-delivery' ? tourTurn(parcel, now) : null;
    if (end !== null && (next === null || end < next)) next = end;
  }
  return next;
}

/** Returns when the board will next change just because time passes. It need not be redrawn before that. */
export function nextBoardChange({ rows, counted, opened, polling, now, zone }: ShownOnBoard): EpochMs {
  const midnight = nextMidnight(now, zone);
  const past = opened === null ? [] : [...shownAges(opened), instantOf(opened.checkedAt)];
  const turns = opened === null ? [] : dayTurns(opened, now);
  const next = nextVisibleChange(
    {
      past: known([...past, polling.lastResponseAt]),
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

/** Returns when a row switches from the day of the next check to the time of day. */
function showsTimeFrom({ nextPollAt }: Parcel): EpochMs | null {
  const at = instantOf(nextPollAt);
  return at === null ? null : at - timeOfDaySuffices + 1;
}

/** Returns when texts about days will change: at midnight where the parcel is, and at the end of the delivery window. */
function dayTurns(parcel: Parcel, now: EpochMs): readonly (EpochMs | null)[] {
  const expected = awaitedDelivery(parcel);
  if (expected === null) return [tourTurn(parcel, now)];
  const offset = expected.kind === 'window' ? expected.offset : null;
  return [tourTurn(parcel, now), nextMidnightAt(offset, now), endOfWindow(expected)];
}

/** Returns when a parcel will stop being "out for delivery today". */
function tourTurn(parcel: Parcel, now: EpochMs): EpochMs | null {
  return nextMidnightAt(arrivalOf(parcel)?.offset ?? null, now);
}

function nextMidnightAt(offset: string | null, now: EpochMs): EpochMs | null {
  const minutes = parseOffset(offset);
  return minutes === null ? null : nextDayAtOffset(now, minutes);
}
