import { minuteMs } from './clock.ts';

/** Clocks that differ by no more than this are taken to agree, in milliseconds. */
const tolerableSkewMs = 2 * 60_000;

/**
 * A sentence about a machine's clock that is wrong, with what to do; null while it agrees with the service's, or while
 * nothing is known. `skewMs` is how far the service's clock is ahead.
 */
export function skewSentence(skewMs: number | null): string | null {
  if (skewMs === null || Math.abs(skewMs) <= tolerableSkewMs) return null;
  const side = skewMs > 0 ? 'behind' : 'ahead of';
  return `This machine's clock is ${amount(Math.abs(skewMs))} ${side} the service's, so parcels are checked at the wrong time; set the clock (a time service does that by itself).`;
}

function amount(ms: number): string {
  const minutes = Math.round(ms / minuteMs);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
