import { dayMs, type EpochMs, hourMs, minuteMs, secondMs } from '../../lib/clock.ts';

const year = 365 * dayMs;

interface Step {
  /** Ages below this, in milliseconds, are given in this unit. */
  readonly below: number;
  /** In milliseconds. */
  readonly unit: number;
  readonly letter: string;
}

const ageSteps: readonly Step[] = [
  { below: hourMs, unit: minuteMs, letter: 'm' },
  { below: dayMs, unit: hourMs, letter: 'h' },
  { below: 1000 * dayMs, unit: dayMs, letter: 'd' },
  { below: Number.POSITIVE_INFINITY, unit: year, letter: 'y' },
];

/** The last minute counts down in steps of ten seconds. */
const finalUnit = 10 * secondMs;

const stepOf = (elapsed: number): Step => ageSteps.find((step) => elapsed < step.below) ?? (ageSteps[0] as Step);

/** Returns the age in at most four cells: `<1m`, `12m`, `5h`, `2d`, `3y`. Times in the future count as `<1m`. */
export function ageText(from: EpochMs, now: EpochMs): string {
  const elapsed = now - from;
  if (!(elapsed >= minuteMs)) return '<1m';
  const { unit, letter } = stepOf(elapsed);
  return `${Math.floor(elapsed / unit)}${letter}`;
}

interface AgedEvent {
  readonly earliest: EpochMs;
  readonly latest: EpochMs;
  readonly certain: boolean;
}

/** From this age on, only the minimum is shown. */
const longSpanDays = 10;

/**
 * Returns the age of an event in at most five cells. Uncertain ages start with `~`: `~<9h`, `~<2d`, `~1-2d`, and from ten
 * days on only the minimum, `~12d`.
 */
export function eventAgeText({ certain, earliest, latest }: AgedEvent, now: EpochMs): string {
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

/** Returns the age in words: `just now`, `12 m ago`. Changes at the same moments as {@link ageText}. */
export function agoText(from: EpochMs, now: EpochMs): string {
  const text = ageText(from, now);
  return text === '<1m' ? 'just now' : `${spaced(text)} ago`;
}

/** Returns the remaining time: `40 s` (in steps of ten), `38 m`, `5 h`, `2 d`, or `now`. */
export function untilText(at: EpochMs, now: EpochMs): string {
  return leftIn(at - now)?.text ?? 'now';
}

/** Returns the remaining time in words and at which remaining time that changes, or null if there is no time left. */
function leftIn(left: number): { readonly text: string; readonly changesAt: number } | null {
  if (!(left > 0)) return null;
  if (left <= minuteMs - finalUnit) {
    const units = Math.ceil(left / finalUnit);
    return { text: `${units * 10} s`, changesAt: (units - 1) * finalUnit };
  }
  // Whole hours and days of whole minutes, so that the text changes at full minutes.
  const minutes = Math.ceil(left / minuteMs);
  const [unit, letter] = minutes < 60 ? [1, 'm'] : minutes < 24 * 60 ? [60, 'h'] : [24 * 60, 'd'];
  const count = Math.floor(minutes / unit);
  const changesAt = minutes === 1 ? minuteMs - finalUnit : (count * unit - 1) * minuteMs;
  return { text: `${count} ${letter}`, changesAt };
}

/** Formats a duration: `2 d 4 h`, `3 d`, `5 h`, or minutes if it is less than an hour. */
export function spanText(span: number): string {
  const days = Math.floor(span / dayMs);
  const hours = Math.floor((span % dayMs) / hourMs);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  return hours > 0 ? `${hours} h` : `${Math.floor(span / minuteMs)} m`;
}

/** Returns when {@link ageText} and {@link agoText} for `from` will next change. */
export function nextAgeChange(from: EpochMs, now: EpochMs): EpochMs {
  const elapsed = now - from;
  if (elapsed < minuteMs) return from + minuteMs;
  const { below, unit } = stepOf(elapsed);
  return from + Math.min(below, (Math.floor(elapsed / unit) + 1) * unit);
}

/** Returns when {@link untilText} for `at` will next change, or null once it is `now`. */
export function nextUntilChange(at: EpochMs, now: EpochMs): EpochMs | null {
  const left = leftIn(at - now);
  return left === null ? null : at - left.changesAt;
}

interface VisibleInstants {
  readonly past: readonly EpochMs[];
  readonly future: readonly EpochMs[];
  /** Other moments when a text changes. */
  readonly turns?: readonly EpochMs[];
}

/** Returns when the first of the texts for these instants will change, or null if none will. */
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
