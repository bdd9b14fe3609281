import type { EpochMs } from './clock.ts';

/** A beat that is nearer than this share of the pause between two is left out: timers come a little early at times. */
const tooNear = 1 / 8;

/**
 * Milliseconds until a clock that beats every `everyMs` beats next, an eighth more than that at most. What is looked at
 * again and again, by parts that know nothing of each other, is looked at on the same beats: to wake up costs an idle
 * program more than the looks do.
 */
export function untilBeat(now: EpochMs, everyMs: number): number {
  const left = everyMs - (now % everyMs);
  return left < everyMs * tooNear ? left + everyMs : left;
}
