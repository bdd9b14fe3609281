import { parse } from 'chrono-node/en';
import { toDate } from 'date-fns-tz';
import { dayMs, type EpochMs } from '../../service/clock/clock.ts';
import type { Zone } from '../../service/clock/zone.ts';
import { readGivenTime } from './given-time.ts';

/** What a text says of a time, on the viewer's clock. */
type Components = ReturnType<typeof parse>[number]['start'];

/** Of two numbers with a slash between them, some write the day first and some the month. */
const ambiguous = /\d\s*\/\s*\d/;

/**
 * The instant that somebody means who looks back at `now`: an ISO day or instant, or English words such as "friday",
 * "2 days ago" and "9:00". Without an offset it is on the clock of `zone`; a day begins at its midnight there, and what
 * has a weekday or a time of day only is the last one of these. Null for what is none.
 */
export function readPastTime(text: string, now: EpochMs, zone: Zone): EpochMs | null {
  const given = readGivenTime(text, () => zone.name);
  if (given !== null) return given;
  const words = text.trim();
  if (ambiguous.test(words)) return null;
  // With the viewer's offset, words are read as on the viewer's clock, whatever the zone of the process is.
  const reference = { instant: new Date(now), timezone: zone.offsetAt(now) / 60_000 };
  const [found, ...others] = parse(words, reference);
  if (found === undefined || others.length > 0 || found.end != null || found.text !== words) return null;
  const { start } = found;
  const wall = wallOf(start);
  // Such as "3 hours ago", which is no time on a clock, and what was given with an offset.
  if (start.isCertain('timezoneOffset')) return wall - (start.get('timezoneOffset') ?? 0) * 60_000;
  const at = instantOf(wall, zone);
  return at <= now ? at : instantOf(earlier(start, wall), zone);
}

/** A wall time, as the instant at which clocks of UTC show it. */
function wallOf(start: Components): EpochMs {
  const part = (name: Parameters<Components['get']>[0]): number => start.get(name) ?? 0;
  const midnight = Date.UTC(part('year'), part('month') - 1, part('day'));
  if (!start.isCertain('hour')) return midnight;
  return midnight + ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1_000 + part('millisecond');
}

/** The one before, where a text means one of many; else the same. */
function earlier(start: Components, wall: EpochMs): EpochMs {
  if (start.isCertain('year')) return wall;
  if (start.isCertain('month')) {
    const date = new Date(wall);
    return date.setUTCFullYear(date.getUTCFullYear() - 1);
  }
  if (start.isCertain('weekday')) return wall - 7 * dayMs;
  return start.isCertain('hour') ? wall - dayMs : wall;
}

/** Times that a change of clocks leaves out or repeats are read as date-fns-tz reads them. */
function instantOf(wall: EpochMs, zone: Zone): EpochMs {
  return toDate(new Date(wall).toISOString().slice(0, -1), { timeZone: zone.name }).getTime();
}
