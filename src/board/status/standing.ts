import { dayMs, type EpochMs, minuteMs } from '../../service/clock/clock.ts';
import { parseOffset } from '../../service/clock/utc-offset.ts';
import type { Checkpoint } from '../../service/record/record.ts';
import { wallOf } from '../../service/record/timeline-order.ts';
import type { ArrivalEvent, Standing } from '../../watchlist/merge/arrival.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { arrivalOf } from '../../watchlist/rules/delivery.ts';
import { parcelStage, type ShownStage } from '../../watchlist/rules/parcel-stage.ts';
import { arrivedBy, instantOf, lastEventRank } from './view-stage.ts';

/** The day on which an instant falls for the viewer, in days since 1970; called only where it is needed. */
export type ViewerDay = (at: EpochMs) => number;

/**
 * What orders parcels of one stage, the greatest first: the instant of the newest event; of those that wait to be picked up,
 * the longest wait.
 * @param stage the parcel's, where that is known
 */
export function urgencyWithinStage(parcel: Parcel, stage: ShownStage = parcelStage(parcel)): number {
  const eventAt = lastEventRank(parcel) ?? Number.NEGATIVE_INFINITY;
  return stage === 'pickup' ? -(arrivedBy(parcel) ?? eventAt) : eventAt;
}

/** The part of a parcel that says whether it comes today. */
export interface TourFacts<Event extends ArrivalEvent = Pick<Checkpoint, 'at' | 'local' | 'offset' | 'subStatus'>> {
  readonly lastEvent: Event | null;
  readonly record: (Standing & { readonly arrival?: Event }) | null;
  /** When the service last gave a good answer, ISO 8601 UTC; null for never. */
  readonly checkedAt: string | null;
}

/** How a parcel stands whose status is out for delivery. */
type Tour =
  /** By {@link tourDay}. */
  | { readonly kind: 'today' }
  /** The recipient asked for a later day, or a second attempt follows. */
  | { readonly kind: 'postponed' }
  /** By an event of another day where it happened, in days since 1970; null when no event says since when. */
  | { readonly kind: 'since'; readonly day: number | null };

/** The day of a tour, whatever day it is now. */
interface TourDay {
  /** In days since 1970; null when nothing says when. */
  readonly day: number | null;
  /** Minutes that the clock of that day is ahead of UTC; null for the viewer's. */
  readonly offset: number | null;
}

/**
 * On what day a parcel is out for delivery; null for one that is postponed. It is the day of the event that says so, where it
 * happened. Where no event says so, the service's status does, on the viewer's day on which the service said it.
 */
function tourDay(parcel: TourFacts, viewerDay: ViewerDay): TourDay | null {
  const { checkedAt, lastEvent, record } = parcel;
  if ((record?.transitSubStatus ?? lastEvent?.subStatus) === 'WAITING_DELIVERY_03') return null;
  const told = eventDay(parcel, viewerDay);
  if (told !== null) return told;
  const said = instantOf(checkedAt);
  return { day: said === null ? null : viewerDay(said), offset: null };
}

/** The day of the event that says that a parcel is out for delivery; null where none does, or it has no time. */
function eventDay(parcel: TourFacts, viewerDay: ViewerDay): TourDay | null {
  const event = arrivalOf(parcel);
  if (event === null) return null;
  const at = instantOf(event.at);
  if (at === null) {
    const wall = wallOf(event);
    return wall === null ? null : { day: dayAtOffset(wall, 0), offset: null };
  }
  const offset = parseOffset(event.offset);
  return { day: offset === null ? viewerDay(at) : dayAtOffset(at, offset), offset };
}

/** How a parcel that is out for delivery stands on its tour. */
export function tourOf(parcel: TourFacts, now: EpochMs, viewerDay: ViewerDay): Tour {
  const tour = tourDay(parcel, viewerDay);
  if (tour === null) return { kind: 'postponed' };
  const today = tour.offset === null ? viewerDay(now) : dayAtOffset(now, tour.offset);
  // An event that is ahead of our clock is no old one.
  if (tour.day !== null && tour.day >= today) return { kind: 'today' };
  return { kind: 'since', day: eventDay(parcel, viewerDay)?.day ?? null };
}

/** The stage under which a parcel is counted: what is out for delivery and does not come today is still on its way. */
export function countedStage(stage: ShownStage, parcel: TourFacts, now: EpochMs, viewerDay: ViewerDay): ShownStage {
  return stage === 'out-for-delivery' && tourOf(parcel, now, viewerDay).kind !== 'today' ? 'in-transit' : stage;
}

/** The day of an instant on a clock that is so many minutes ahead of UTC, in days since 1970. */
const dayAtOffset = (at: EpochMs, offsetMinutes: number): number => Math.floor((at + offsetMinutes * minuteMs) / dayMs);

/** The first instant of the next day on a clock that is so many minutes ahead of UTC. */
export function nextDayAtOffset(now: EpochMs, offsetMinutes: number): EpochMs {
  return (dayAtOffset(now, offsetMinutes) + 1) * dayMs - offsetMinutes * minuteMs;
}
