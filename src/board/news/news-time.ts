import { parseWallTime } from '../../service/clock/service-clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Change } from '../../watchlist/changes/change.ts';
import { checkpointTime, type TimeMode } from '../time/checkpoint-time.ts';
import { dateText, dayText, timeText, weekdayText } from '../time/wall-text.ts';

/** The clock on which the news show their times. */
export interface NewsClock {
  readonly mode: TimeMode;
  /** The viewer's zone. */
  readonly zone: Zone;
}

/** Cells of {@link newsTime}. */
export const newsTimeWidth = 9;

const dayMs = 24 * 3_600_000;

/** The day on which a change was noticed, `YYYY-MM-DD`: on the viewer's clock, unless that is to be UTC. */
export function noticedDay({ noticedAt }: Pick<Change, 'noticedAt'>, clock: NewsClock): string {
  return dateText(wallTime(noticedAt, clock));
}

/**
 * When something happened: `14:02` on the day on which it was noticed, `Sat 14:02` in the days before, else `14 Nov`. An
 * event is shown on the clock of its place where events are.
 */
export function newsTime(change: Change, clock: NewsClock): string {
  const wall = localTime(change, clock) ?? wallTime(change.at, clock);
  const noticed = noticedDay(change, clock);
  if (dateText(wall) === noticed) return timeText(wall);
  const daysAgo = (Date.parse(noticed) - wall) / dayMs;
  return daysAgo < 6 && daysAgo > -1 ? `${weekdayText(wall)} ${timeText(wall)}` : dayText(wall);
}

/** The time of the event that brought the change, where it happened. */
function localTime({ at, to }: Change, { mode, zone }: NewsClock): number | null {
  const event = to?.lastEvent ?? null;
  if (mode !== 'event' || event === null || event.at !== at) return null;
  const { clock, date } = checkpointTime(event, mode, zone);
  return parseWallTime(`${date} ${clock}:00`);
}

function wallTime(instant: string, { mode, zone }: NewsClock): number {
  const at = Date.parse(instant);
  return mode === 'utc' ? at : zone.wallTime(at);
}
