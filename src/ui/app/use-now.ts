import { useEffect, useReducer, useState } from 'react';
import { type Clock, type EpochMs, longestTimerMs } from '../../service/clock/clock.ts';

/** No text on the board changes faster than this. */
const shortestTickMs = 1000;

/** The instant that texts are written for: it moves on with every news, and when `tick` is called. */
export function useNow(clock: Clock, news: unknown): readonly [now: EpochMs, tick: () => void] {
  const [ticks, tick] = useReducer((count: number) => count + 1, 0);
  // Not a state: to change one while a frame is made has all of it computed twice.
  const [seen] = useState(() => ({ news, ticks, now: clock.now() }));
  if (seen.news !== news || seen.ticks !== ticks) Object.assign(seen, { news, ticks, now: clock.now() });
  return [seen.now, tick];
}

/**
 * Calls `tick` when a text that depends on the time would read differently. Between two such instants an idle board draws
 * nothing.
 * @param at answers that instant; asked behind the frame, which does not wait for it
 */
export function useTickAt(clock: Clock, at: () => EpochMs, tick: () => void): void {
  useEffect(() => {
    const delay = Math.min(Math.max(at() - clock.now(), shortestTickMs), longestTimerMs);
    return clock.setTimer(delay, tick);
  }, [clock, at, tick]);
}
