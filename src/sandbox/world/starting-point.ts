import { dayMs, type EpochMs, hourMs, type Random } from '../../service/clock/clock.ts';
import type { Journey } from '../journey/journey.ts';
import type { Position } from '../journey/journey-event.ts';
import { between } from '../seeded-random.ts';

/** A point of a journey, relative to one of its events. */
export interface JourneyPoint {
  /** The first event with this sub-status. */
  readonly subStatus: string;
  readonly side: 'before' | 'after';
  /** How far from the event, in milliseconds of journey-time. */
  readonly byMs: number;
  /**
   * Whether the point may move by up to half a day so that past events fall into their hours of the day. It never
   * moves across an event.
   */
  readonly mayShift: boolean;
}

/** The point nearest to `position` from which the journey's hours of the day are right at that instant. */
function inStepWith(position: Position, at: EpochMs): Position {
  const ahead = (((at - position) % dayMs) + dayMs) % dayMs;
  return position + (ahead > dayMs / 2 ? ahead - dayMs : ahead);
}

/**
 * Where on its journey a parcel is when it gets registered at `at`, if nobody says: now and then the courier knows
 * nothing yet, mostly it is under way.
 */
export function ordinaryStart(journey: Journey, at: EpochMs, random: Random): Position {
  const first = journey.events.at(0)?.position ?? 0;
  const last = journey.events.at(-1)?.position ?? first;
  const start =
    random() < 0.12 ? first - between(random, 1, 10) * hourMs : first + between(random, 0.02, 0.95) * (last - first);
  return inStepWith(start, at);
}

/** The position of a point; null when the journey has no such event. */
export function positionOf(journey: Journey, point: JourneyPoint, at: EpochMs): Position | null {
  const event = journey.events.find((candidate) => candidate.subStatus === point.subStatus);
  if (event === undefined) return null;
  const exact = event.position + (point.side === 'before' ? -point.byMs : point.byMs);
  if (!point.mayShift) return exact;
  const shifted = inStepWith(exact, at);
  const past = (position: Position): number => journey.events.filter((each) => each.position <= position).length;
  return past(shifted) === past(exact) ? shifted : exact;
}
