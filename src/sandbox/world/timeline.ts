import type { EpochMs } from '../../service/clock/clock.ts';
import type { Position } from '../journey/journey-event.ts';

/**
 * Ties journey-time to wall time. Before the anchor both run equally fast, so that the history looks real; after it
 * journey-time runs `speed` times faster.
 */
export interface Timeline {
  readonly anchorAt: EpochMs;
  readonly anchorPosition: Position;
  readonly speed: number;
}

/** When the parcel is at a point of its journey. */
export function instantOf(timeline: Timeline, position: Position): EpochMs {
  const away = position - timeline.anchorPosition;
  return timeline.anchorAt + (away <= 0 ? away : away / timeline.speed);
}
