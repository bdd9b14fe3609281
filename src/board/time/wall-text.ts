import type { EpochMs } from '../../service/clock/clock.ts';

/** All of these write a wall time: the instant at which clocks of UTC show it. */

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** `YYYY-MM-DD`. Put together by hand: a long list asks for thousands of days. */
export function dateText(wall: EpochMs): string {
  const date = new Date(wall);
  const year = date.getUTCFullYear();
  // Throws for what is no instant.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString().split('T')[0] ?? '';
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()];
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

/** `HH:mm`. */
export function timeText(wall: EpochMs): string {
  const date = new Date(wall);
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
}

/** `Mon`. */
export const weekdayText = (wall: EpochMs): string => weekdays[new Date(wall).getUTCDay()] ?? '';

/** `24 Nov`. */
export const dayText = (wall: EpochMs): string => `${new Date(wall).getUTCDate()} ${monthText(wall)}`;

/** `Nov`. */
export const monthText = (wall: EpochMs): string => months[new Date(wall).getUTCMonth()] ?? '';

/** `2026`. */
export const yearText = (wall: EpochMs): string => String(new Date(wall).getUTCFullYear());
