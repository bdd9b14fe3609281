import type { Clock } from './clock.ts';

/** A difference up to this is left alone, in milliseconds: it is measured no better, and clocks drift. */
const toleratedMs = 2_000;

/**
 * A clock that shows what another one shows, for times that several hosts share: those of a host whose own clock is wrong
 * would be wrong for all. Timers are the same.
 * @param aheadMs how far the other one is ahead, as last measured, in milliseconds
 */
export function shiftedClock(clock: Clock, aheadMs: () => number): Clock {
  const { elapsed } = clock;
  return {
    now: () => clock.now() + clockShift(aheadMs()),
    setTimer: (delayMs, callback) => clock.setTimer(delayMs, callback),
    ...(elapsed === undefined ? {} : { elapsed: () => elapsed.call(clock) }),
  };
}

/** By how much a clock is shifted that is so far behind another one, in whole milliseconds. */
export function clockShift(aheadMs: number): number {
  return Math.abs(aheadMs) > toleratedMs ? Math.round(aheadMs) : 0;
}
