import type { Zone } from '../../service/clock/zone.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import type { TimeMode } from '../time/checkpoint-time.ts';
import { dateText, timeText } from '../time/wall-text.ts';

/** The clock on which the news show their times. */
export interface NewsClock {
  readonly mode: TimeMode;
  /** The viewer's zone. */
  readonly zone: Zone;
}

/** The day on which a change was noticed, `YYYY-MM-DD`: on the viewer's clock, unless that is to be UTC. */
export function noticedDay({ noticedAt }: Pick<Change, 'noticedAt'>, clock: NewsClock): string {
  return dateText(wallTime(noticedAt, clock));
}

/**
 * The time of day at which a change was noticed, `14:02`, on the same clock as {@link noticedDay}: what stands below the heading
 * of a day was noticed on it, in that order. When an event happened, on the clock of its place, is said in the timeline.
 */
export function newsTime({ noticedAt }: Pick<Change, 'noticedAt'>, clock: NewsClock): string {
  return timeText(wallTime(noticedAt, clock));
}

function wallTime(instant: string, { mode, zone }: NewsClock): number {
  const at = Date.parse(instant);
  return mode === 'utc' ? at : zone.wallTime(at);
}
