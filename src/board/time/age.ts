import type { EpochMs } from '../../service/clock/clock.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

interface Step {
  /** Ages below this (milliseconds) are given in `unit`. */
  readonly below: number;
  /** Milliseconds. */
  readonly unit: number;
  readonly letter: string;
}

const ageSteps: readonly Step[] = [
  { below: hour, unit: minute, letter: 'm' },
  { below: day, unit: hour, letter: 'h' },
  { below: 1000 * day, unit: day, letter: 'd' },
  { below: Number.POSITIVE_INFINITY, unit: year, letter: 'y' },
];

/** What is left is given in tens of seconds in the last minute only. */
const finalUnit = 10 * second;

const stepOf = (elapsed: number): Step => ageSteps.find((step) => elapsed < step.below) ?? (ageSteps[0] as Step);

/** Age in at most four cells: `<1m`, `12m`, `5h`, `2d`, `3y`. What lies ahead of a clock that is behind counts as `<1m`. */
export function ageText(from: EpochMs, now: EpochMs): string {
  const elapsed = now - from;
  if (!(elapsed >= minute)) return '<1m';
  const { unit, letter } = stepOf(elapsed);
  return `${Math.floor(elapsed / unit)}${letter}`;
}

/** The same age in words: `just now`, `12 m ago`. Changes whenever {@link ageText} does. */
export function agoText(from: EpochMs, now: EpochMs): string {
  const text = ageText(from, now);
  return text === '<1m' ? 'just now' : `${spaced(text)} ago`;
}

/** Time that is left: `40 s` (in tens), `38 m`, `5 h`, `2 d`; `now` when nothing is left. */
export function untilText(at: EpochMs, now: EpochMs): string {
  const left = at - now;
  if (!(left > 0)) return 'now';
  if (left <= minute - finalUnit) return `${Math.ceil(left / finalUnit) * 10} s`;
  const minutes = Math.ceil(left / minute);
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** A span of whole days and hours: `2 d 4 h`, `3 d`, `5 h`; minutes below an hour. */
export function spanText(span: number): string {
  const days = Math.floor(span / day);
  const hours = Math.floor((span % day) / hour);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  return hours > 0 ? `${hours} h` : `${Math.floor(span / minute)} m`;
}

/** The instant after `now` at which {@link ageText} and {@link agoText} of `from` next change. */
export function nextAgeChange(from: EpochMs, now: EpochMs): EpochMs {
  const elapsed = now - from;
  if (elapsed < minute) return from + minute;
  const { below, unit } = stepOf(elapsed);
  return from + Math.min(below, (Math.floor(elapsed / unit) + 1) * unit);
}

/** The instant after `now` at which {@link untilText} of `at` next changes; null once it says `now`. */
export function nextUntilChange(at: EpochMs, now: EpochMs): EpochMs | null {
  const left = at - now;
  if (!(left > 0)) return null;
  if (left <= minute - finalUnit) return at - (Math.ceil(left / finalUnit) - 1) * finalUnit;
  const minutes = Math.ceil(left / minute);
  if (minutes === 1) return at - (minute - finalUnit);
  if (minutes < 60) return at - (minutes - 1) * minute;
  const hours = Math.floor(minutes / 60);
  // The text counts whole hours of whole minutes: it changes when the minutes fall below the unit's multiple.
  const unitMinutes = hours < 24 ? hours * 60 : Math.floor(hours / 24) * 24 * 60;
  return at - (unitMinutes - 1) * minute;
}

/** The instants whose distance texts on the screen show. */
export interface VisibleInstants {
  /** Shown as an age. */
  readonly past: readonly EpochMs[];
  /** Shown as time left. */
  readonly future: readonly EpochMs[];
  /** Something flips when they are reached, e.g. a parcel becomes late. */
  readonly turns?: readonly EpochMs[];
}

/** The instant after `now` at which the first of these texts changes; null when none ever will. */
export function nextVisibleChange(instants: VisibleInstants, now: EpochMs): EpochMs | null {
  let next: EpochMs | null = null;
  const consider = (at: EpochMs | null): void => {
    if (at !== null && at > now && (next === null || at < next)) next = at;
  };
  for (const from of instants.past) consider(nextAgeChange(from, now));
  for (const at of instants.future) consider(nextUntilChange(at, now));
  for (const at of instants.turns ?? []) consider(at);
  return next;
}

const spaced = (text: string): string => text.replace(/(\d)(\D)$/, '$1 $2');
