import type { EpochMs } from './clock.ts';

/** The code of `0`, which those of the other digits follow. */
export const zeroSign = 0x30;

/** The number that two digits write; negative where there are none. */
export function twoDigits(text: string, start: number): number {
  const tens = text.charCodeAt(start) - zeroSign;
  const ones = text.charCodeAt(start + 1) - zeroSign;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
}

/**
 * Reads `YYYY-MM-DD HH:mm:ss`, also with a `T`, at the beginning of a text as if its clock were UTC; null when no such time
 * stands there. Each answer brings dozens and a long list a million, so neither a pattern nor a date is needed for them, and
 * no array to take its fields from: a command reads its thousands before any code is compiled, three times as fast so.
 */
export function readDateTime(text: string): EpochMs | null {
  const century = twoDigits(text, 0);
  const year = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // The first century means that somebody cut the year short.
  if (century < 1 || year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return null;
  const gap = text.charAt(10);
  const isParted = text.charAt(4) === '-' && text.charAt(7) === '-' && (gap === ' ' || gap === 'T');
  if (!isParted || text.charAt(13) !== ':' || text.charAt(16) !== ':') return null;
  const days = dayNumber(century * 100 + year, month, day);
  const at = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000;
  // 31 February rolls over.
  return day <= 28 || new Date(at).getUTCDate() === day ? at : null;
}

/** Days from 1970 to a day of the calendar: years begin in March here, so that a leap day is the last of one. */
function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}
