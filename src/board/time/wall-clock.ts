import { toZonedTime } from 'date-fns-tz';
import type { EpochMs } from '../../service/clock/clock.ts';

/** What a clock on a wall shows, as milliseconds that read so in UTC. */
export type WallMs = number;

/** What the clocks of an IANA zone show at an instant. */
export type WallClock = (at: EpochMs, zone: string) => WallMs;

/** Asks the zone's rules each time, which takes some microseconds. */
export const wallClock: WallClock = (at, zone) => {
  const local = toZonedTime(at, zone);
  return Date.UTC(
    local.getFullYear(),
    local.getMonth(),
    local.getDate(),
    local.getHours(),
    local.getMinutes(),
    local.getSeconds(),
    local.getMilliseconds(),
  );
};

/** Zones change their offsets at these times only. */
const quarterMs = 15 * 60_000;
/** A table or a frame needs far fewer. */
const mostOffsets = 5_000;

/** A clock that looks an offset up once for each quarter of an hour: for as long as one table or frame is made. */
export function rememberingWallClock(clock: WallClock = wallClock): WallClock {
  const offsets = new Map<string, number>();
  return (at, zone) => {
    const key = `${Math.floor(at / quarterMs)} ${zone}`;
    const known = offsets.get(key);
    if (known !== undefined) return at + known;
    const wall = clock(at, zone);
    if (offsets.size < mostOffsets) offsets.set(key, wall - at);
    return wall;
  };
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-20` */
export function isoDay(wall: WallMs): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** `2026` */
export function yearOf(wall: WallMs): string {
  return String(new Date(wall).getUTCFullYear());
}

/** `14:20` */
export function timeOfDay(wall: WallMs): string {
  const date = new Date(wall);
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
}

/** `Fri` */
export function weekday(wall: WallMs): string {
  return weekdays[new Date(wall).getUTCDay()] ?? '';
}

/** `20 Nov` */
export function dayAndMonth(wall: WallMs): string {
  const date = new Date(wall);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ''}`;
}

/** `Nov 2026` */
export function monthAndYear(wall: WallMs): string {
  return `${months[new Date(wall).getUTCMonth()] ?? ''} ${yearOf(wall)}`;
}
