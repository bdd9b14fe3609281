import { useEffect, useReducer, useState } from 'react';
import { type Clock, type EpochMs, longestTimerMs } from '../service/clock/clock.ts';

/** No text on the board changes faster than this. */
const shortestTickMs = 1000;

/** News, and the instant that texts about them were written for. */
export interface SeenNews {
  readonly news: unknown;
  readonly now: EpochMs;
}

/**
 * The instant that texts are written for: it moves on with every news, and when `tick` is called.
 * @param before what stands on the screen already; null where nothing does
 */
export function useNow(
  clock: Clock,
  news: unknown,
  before: SeenNews | null,
): readonly [now: EpochMs, tick: () => void] {
  const [ticks, tick] = useReducer((count: number) => count + 1, 0);
  // Not a state: to change one while a frame is made has all of it computed twice.
  const [seen] = useState(() => ({ news, ticks, now: firstInstant(clock, news, before) }));
  if (seen.news !== news || seen.ticks !== ticks) Object.assign(seen, { news, ticks, now: clock.now() });
  return [seen.now, tick];
}

/** For what stands on the screen everything was computed: as long as its texts hold, none of it is computed again. */
function firstInstant(clock: Clock, news: unknown, before: SeenNews | null): EpochMs {
  const now = clock.now();
  if (before === null) return now;
  const age = now - before.now;
  return before.news === news || (age >= 0 && age < shortestTickMs) ? before.now : now;
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
