import { type Clock, type EpochMs, minuteMs, secondMs } from './clock.ts';
import { parseInstant } from './date-time.ts';

const mostAnswers = 5;
/** An answer that is so much older than the newest one no longer counts: clocks are set. */
const oldestMs = 10 * minuteMs;
/** Our clock was set when it has moved by more than this against one that is never set. */
const setByMs = 2 * secondMs;

/** The service's clock is ahead of ours by no less and no more than this, in milliseconds. */
export interface SkewBounds {
  readonly least: number;
  readonly most: number;
}

interface Measurement extends SkewBounds {
  readonly at: EpochMs;
}

export interface SkewMeter {
  note(sentAt: EpochMs, date: string | null): void;
  /** Null before the first answer that has a date. */
  bounds(): SkewBounds | null;
}

/**
 * A `Date` header has whole seconds and was written between request and answer, so each answer gives bounds. Where they
 * disagree the majority counts: one gateway may have another clock.
 */
export function createSkewMeter(clock: Clock): SkewMeter {
  let measured: readonly Measurement[] = [];
  let zero: number | null = null;
  return {
    note(sentAt, date) {
      const serverNow = parseInstant(date);
      if (serverNow === null) return;
      const now = clock.now();
      const before = zero;
      // It also moves while the machine sleeps, which only costs the earlier measurements.
      zero = clock.elapsed === undefined ? null : now - clock.elapsed();
      const wasSet = before !== null && zero !== null && Math.abs(zero - before) > setByMs;
      const newest = { at: now, least: serverNow - now, most: serverNow + secondMs - 1 - sentAt };
      const kept = wasSet ? [] : measured.filter(({ at }) => Math.abs(now - at) <= oldestMs);
      // Otherwise our clock was set while the answer was on its way.
      const isUsable = newest.least <= newest.most;
      measured = (isUsable ? [newest, ...kept] : kept).slice(0, mostAnswers);
    },
    bounds: () => agreed(measured),
  };
}

function agreed(measured: readonly SkewBounds[]): SkewBounds | null {
  let best: SkewBounds | null = null;
  let mostVotes = 0;
  for (const { least: start } of measured) {
    const votes = measured.filter(({ least, most }) => least <= start && start <= most);
    if (votes.length <= mostVotes) continue;
    best = { least: start, most: Math.min(...votes.map(({ most }) => most)) };
    mostVotes = votes.length;
  }
  return best;
}

/** A difference up to this does not change plans, in milliseconds: clocks drift, and it is measured to about a second. */
const unplannedSkewMs = 2 * secondMs;

/**
 * Milliseconds that plans take the service's clock to be ahead: `former` until measured otherwise, then the least
 * measured, since a query that is too early finds no news.
 */
export function plannedSkew(former: number, { least, most }: SkewBounds): number {
  const allows = (skewMs: number): boolean => skewMs >= least - unplannedSkewMs && skewMs <= most + unplannedSkewMs;
  if (allows(former)) return former;
  return allows(0) ? 0 : least;
}

/** Clocks that differ by no more than this are taken to agree, in milliseconds. */
const tolerableSkewMs = 2 * 60_000;

/**
 * What to do about this machine's wrong clock; null while it is right or not known. `skewMs`: milliseconds that the
 * service's clock is ahead.
 */
export function skewSentence(skewMs: number | null): string | null {
  if (skewMs === null || Math.abs(skewMs) <= tolerableSkewMs) return null;
  const side = skewMs > 0 ? 'behind' : 'ahead of';
  return `This machine's clock is ${amount(Math.abs(skewMs))} ${side} the service's; set the clock (a time service does that by itself). Checks allow for it, ages and other times on the screen do not.`;
}

function amount(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** A difference up to this is left alone, in milliseconds: it is measured no better, and clocks drift. */
const toleratedMs = 2_000;

/**
 * A clock corrected by `aheadMs` (milliseconds, as last measured), for times that several hosts share. Timers are the
 * same.
 */
export function shiftedClock(clock: Clock, aheadMs: () => number): Clock {
  const { elapsed } = clock;
  return {
    now: () => clock.now() + clockShift(aheadMs()),
    setTimer: (delayMs, callback) => clock.setTimer(delayMs, callback),
    ...(elapsed === undefined ? {} : { elapsed: () => elapsed.call(clock) }),
  };
}

function clockShift(aheadMs: number): number {
  return Math.abs(aheadMs) > toleratedMs ? Math.round(aheadMs) : 0;
}
