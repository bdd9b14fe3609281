import { dayMs, type EpochMs, hourMs, minuteMs, secondMs } from '../../lib/clock.ts';
import type { EventTime } from '../status/stage.ts';

/** Returns the age in at most four cells: `<1m`, `12m`, `5h`, `2d`, `3y`. Times in the future count as `<1m`. */
export function ageText(from: EpochMs, now: EpochMs): string {
  const elapsed = now - from;
  const inUnits = (unit: number, letter: string): string => `${Math.floor(elapsed / unit)}${letter}`;
  if (!(elapsed >= minuteMs)) return '<1m';
  if (elapsed < hourMs) return inUnits(minuteMs, 'm');
  if (elapsed < dayMs) return inUnits(hourMs, 'h');
  return elapsed < 1000 * dayMs ? inUnits(dayMs, 'd') : inUnits(365 * dayMs, 'y');
}

/** From this age on, only the minimum is shown. */
const longSpanDays = 10;

/**
 * Returns the age of an event in at most five cells. Uncertain ages start with `~`: `~<9h`, `~<2d`, `~1-2d`, and from ten
 * days on only the minimum, `~12d`.
 */
export function eventAgeText({ certain, earliest, latest }: EventTime, now: EpochMs): string {
  return `${certain ? '' : '~'}${earliest === latest ? ageText(latest, now) : spanAgeText(now - latest, now - earliest)}`;
}

function spanAgeText(min: number, max: number): string {
  if (max < minuteMs) return '<1m';
  if (min < dayMs) {
    const [unit, letter] = max < dayMs ? [hourMs, 'h'] : [dayMs, 'd'];
    return `<${Math.floor(max / unit) + 1}${letter}`;
  }
  const [from, to] = [Math.floor(min / dayMs), Math.floor(max / dayMs)];
  return to < longSpanDays && from < to ? `${from}-${to}d` : ageText(0, min);
}

/** Returns the age in words: `just now`, `12 m ago`. */
export function agoText(from: EpochMs, now: EpochMs): string {
  const text = ageText(from, now);
  return text === '<1m' ? 'just now' : `${text.replace(/\D$/, ' $&')} ago`;
}

/** Returns the remaining time: `40 s` (in steps of ten), `38 m`, `5 h`, `2 d`, or `now`. */
export function untilText(at: EpochMs, now: EpochMs): string {
  const remaining = at - now;
  if (!(remaining > 0)) return 'now';
  if (remaining <= 50 * secondMs) return `${Math.ceil(remaining / (10 * secondMs)) * 10} s`;
  const minutes = Math.ceil(remaining / minuteMs);
  if (minutes < 60) return `${minutes} m`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`;
}

/** Formats a duration: `2 d 4 h`, `3 d`, `5 h`, or minutes if it is less than an hour. */
export function spanText(span: number): string {
  const days = Math.floor(span / dayMs);
  const hours = Math.floor((span % dayMs) / hourMs);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  return hours > 0 ? `${hours} h` : `${Math.floor(span / minuteMs)} m`;
}
