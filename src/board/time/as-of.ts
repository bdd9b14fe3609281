import type { EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import type { Words } from '../header/fit-header.ts';
import { dayText, timeText, weekdayText } from './wall-text.ts';

/** When something was true, read on the same day: `as of 20:31`. */
export function asOfTime(at: EpochMs, zone: Zone): Words {
  const text = `as of ${timeText(zone.wallTime(at))}`;
  return [text, text];
}

/** The same, read within a year on another day: `as of Fri 20 Nov 20:31`. */
export function asOfDay(at: EpochMs, zone: Zone): Words {
  const wall = zone.wallTime(at);
  const [weekday, short] = [weekdayText(wall), `${dayText(wall)} ${timeText(wall)}`];
  return [`as of ${weekday} ${short}`, `as of ${short}`];
}
