import type { EpochMs } from '../../service/clock/clock.ts';
import { parseOffset } from '../../service/clock/utc-offset.ts';
import { parseWallTime } from '../../service/clock/wall-time.ts';
import type { Checkpoint } from '../../service/record/record.ts';
import type { Stage } from '../../service/record/status.ts';
import type { ArrivalEvent, Standing } from '../../watchlist/merge/arrival.ts';
import type { Parcel, RecordSummary } from '../../watchlist/model/parcel.ts';
import { arrivalOf } from '../../watchlist/rules/delivery.ts';
import { parcelStage } from '../../watchlist/rules/parcel-stage.ts';
import { dateText } from '../time/wall-text.ts';
import { instantOf, lastEventTime } from './view-stage.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** The day on which an instant falls for the viewer, `YYYY-MM-DD`; called only where it is needed. */
export type ViewerDate = (at: EpochMs) => string;

/**
 * What orders parcels of one stage, the greatest first: the instant of the newest event; of those that wait to be picked up,
 * the longest wait.
 * @param stage the parcel's, where that is known
 */
export function urgencyWithinStage(parcel: Parcel, stage = parcelStage(parcel)): number {
  const eventAt = lastEventTime(parcel)?.at ?? Number.NEGATIVE_INFINITY;
  return stage === 'pickup' ? -(instantOf(arrivalOf(parcel)?.at ?? null) ?? eventAt) : eventAt;
}

/** The part of a parcel that says whether it comes today. */
export interface TourFacts<Event extends ArrivalEvent = Pick<Checkpoint, 'at' | 'local' | 'offset' | 'subStatus'>> {
  readonly lastEvent: Event | null;
  readonly record: (Standing & Pick<RecordSummary, 'lastTrackingTime'> & { readonly arrival?: Event }) | null;
}

/** How a parcel stands whose status is out for delivery. */
type Tour =
  /** By an event of today, where that happened; for an event without an offset, the viewer's today. */
  | { readonly kind: 'today' }
  /** The recipient asked for a later day, or a second attempt follows. */
  | { readonly kind: 'postponed' }
  /** By an event of another day, `YYYY-MM-DD` where it happened; null when no event says so. */
  | { readonly kind: 'since'; readonly date: string | null };

/** The day of a tour, whatever day it is now. */
export interface TourDay {
  /** `YYYY-MM-DD` where it happened; null when no event says so. */
  readonly date: string | null;
  /** Minutes that the clock of that day is ahead of UTC; null for the viewer's. */
  readonly offset: number | null;
}

/** On what day a parcel is out for delivery; null for one that is postponed. */
export function tourDay({ lastEvent, record }: TourFacts, viewerDate: ViewerDate): TourDay | null {
  if (isPostponed({ lastEvent, record })) return null;
  const event = arrivalOf({ lastEvent, record }) ?? lastEvent;
  const at = instantOf(event?.at ?? null);
  if (at === null) {
    const local = event?.local ?? record?.lastTrackingTime ?? null;
    return { date: parseWallTime(local) === null ? null : (local?.slice(0, 10) ?? null), offset: null };
  }
  const offset = parseOffset(event?.offset ?? null);
  return { date: offset === null ? viewerDate(at) : dateAtOffset(at, offset), offset };
}

/** Whether a tour is today's. An event that is ahead of our clock is no old one. */
export function isToday({ date, offset }: TourDay, now: EpochMs, viewerDate: ViewerDate): boolean {
  return date !== null && date >= (offset === null ? viewerDate(now) : dateAtOffset(now, offset));
}

/** How a parcel that is out for delivery stands on its tour. */
export function tourOf(parcel: TourFacts, now: EpochMs, viewerDate: ViewerDate): Tour {
  if (isSurelyToday(parcel, now)) return { kind: 'today' };
  const day = tourDay(parcel, viewerDate);
  if (day === null) return { kind: 'postponed' };
  return isToday(day, now, viewerDate) ? { kind: 'today' } : { kind: 'since', date: day.date };
}

/** Whether the days of a tour and of now are numbers that can be compared: to write them as texts takes longer than all else. */
function isSurelyToday({ lastEvent, record }: TourFacts, now: EpochMs): boolean {
  if (isPostponed({ lastEvent, record })) return false;
  const event = arrivalOf({ lastEvent, record }) ?? lastEvent;
  const [at, offset] = [instantOf(event?.at ?? null), parseOffset(event?.offset ?? null)];
  if (at === null || offset === null) return false;
  const ahead = offset * minute;
  return Math.floor((at + ahead) / day) >= Math.floor((now + ahead) / day);
}

const isPostponed = ({ lastEvent, record }: TourFacts): boolean =>
  (record?.transitSubStatus ?? lastEvent?.subStatus) === 'WAITING_DELIVERY_03';

/** The stage under which a parcel is counted: what is out for delivery and does not come today is still on its way. */
export function countedStage(stage: Stage, tour: () => Tour): Stage {
  return stage === 'out-for-delivery' && tour().kind !== 'today' ? 'in-transit' : stage;
}

/** The day of an instant on a clock that is so many minutes ahead of UTC, `YYYY-MM-DD`. */
function dateAtOffset(at: EpochMs, offsetMinutes: number): string {
  return dateText(at + offsetMinutes * minute);
}

/** The first instant of the next day on a clock that is so many minutes ahead of UTC. */
export function nextDayAtOffset(now: EpochMs, offsetMinutes: number): EpochMs {
  const ahead = offsetMinutes * minute;
  return (Math.floor((now + ahead) / day) + 1) * day - ahead;
}
