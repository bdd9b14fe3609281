import { type Clock, type EpochMs, minuteMs, secondMs } from './clock.ts';
import { parseInstant } from './date-time.ts';

const maxSamples = 5;
/** Older measurements are discarded, because either clock may have been adjusted since. */
const maxAgeMs = 10 * minuteMs;
/** If our clock drifts from the monotonic clock by more than this, someone set it. */
const clockSetMs = 2 * secondMs;

/** How far the service's clock is ahead of ours, in milliseconds. */
export interface SkewBounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Derives bounds from each `Date` header, which is in whole seconds. If they disagree, the majority wins, because a gateway
 * may use a different clock.
 */
export function createSkewMeter(clock: Clock) {
  let measured: readonly (SkewBounds & { readonly at: EpochMs })[] = [];
  let monotonicZero: number | null = null;
  return {
    note(sentAt: EpochMs, date: string | null): void {
      const serverNow = parseInstant(date);
      if (serverNow === null) return;
      const now = clock.now();
      const previousZero = monotonicZero;
      // Sleep looks like a clock change, but it costs us only the earlier measurements.
      monotonicZero = clock.elapsed === undefined ? null : now - clock.elapsed();
      const wasSet =
        previousZero !== null && monotonicZero !== null && Math.abs(monotonicZero - previousZero) > clockSetMs;
      const newest = { at: now, min: serverNow - now, max: serverNow + secondMs - 1 - sentAt };
      const recent = wasSet ? [] : measured.filter(({ at }) => Math.abs(now - at) <= maxAgeMs);
      // If the bounds contradict each other, our clock was set during the call.
      const isUsable = newest.min <= newest.max;
      measured = (isUsable ? [newest, ...recent] : recent).slice(0, maxSamples);
    },
    /** Null before the first response with a date. */
    bounds: (): SkewBounds | null => majorityBounds(measured),
  };
}

function majorityBounds(measured: readonly SkewBounds[]): SkewBounds | null {
  let best: SkewBounds | null = null;
  let maxVotes = 0;
  for (const { min: start } of measured) {
    const votes = measured.filter(({ min, max }) => min <= start && start <= max);
    if (votes.length <= maxVotes) continue;
    best = { min: start, max: Math.min(...votes.map(({ max }) => max)) };
    maxVotes = votes.length;
  }
  return best;
}

/** Smaller differences do not affect scheduling, because clocks drift. */
const driftMs = 2 * secondMs;

/**
 * Returns the skew to schedule with, in milliseconds: `former` if the bounds still allow it, otherwise 0 if they allow
 * that, otherwise the minimum, because a query that comes too early is wasted.
 */
export function plannedSkew(previous: number, { min, max }: SkewBounds): number {
  const isAllowed = (skewMs: number): boolean => skewMs >= min - driftMs && skewMs <= max + driftMs;
  if (isAllowed(previous)) return previous;
  return isAllowed(0) ? 0 : min;
}

/** Smaller differences are not reported. */
const reportedSkewMs = 2 * 60_000;

/**
 * Returns advice about this machine's clock, or null if its skew is small or unknown.
 * @param skewMs how far the service's clock is ahead
 */
export function skewSentence(skewMs: number | null): string | null {
  if (skewMs === null || Math.abs(skewMs) <= reportedSkewMs) return null;
  const side = skewMs > 0 ? 'behind' : 'ahead of';
  return `This machine's clock is ${durationText(Math.abs(skewMs))} ${side} the service's; checks compensate for this, but ages and times on the screen do not. Set the clock, or turn on time synchronization.`;
}

function durationText(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** Smaller differences are ignored. */
const ignoredMs = 2_000;

/** Returns a clock that runs `aheadMs` milliseconds ahead, for times that several hosts share. */
export function shiftedClock(clock: Clock, aheadMs: () => number): Clock {
  const { elapsed } = clock;
  return {
    now: () => {
      const ahead = aheadMs();
      return clock.now() + (Math.abs(ahead) > ignoredMs ? Math.round(ahead) : 0);
    },
    setTimer: (delayMs, callback) => clock.setTimer(delayMs, callback),
    ...(elapsed === undefined ? {} : { elapsed: () => elapsed.call(clock) }),
  };
}
