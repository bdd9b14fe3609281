import { minuteMs, secondMs } from './clock.ts';
import type { SkewBounds } from './skew-meter.ts';

/** A difference up to this does not change plans, in milliseconds: clocks drift, and it is measured to about a second. */
const unplannedSkewMs = 2 * secondMs;

/**
 * How far ahead the service's clock is taken to be by plans, in milliseconds: `former` until the measurement excludes it.
 * Then the least that was measured, since a query that is late by a second finds the news and one that is early does not.
 */
export function plannedSkew(former: number, { least, most }: SkewBounds): number {
  const allows = (skewMs: number): boolean => skewMs >= least - unplannedSkewMs && skewMs <= most + unplannedSkewMs;
  if (allows(former)) return former;
  return allows(0) ? 0 : least;
}

/** Clocks that differ by no more than this are taken to agree, in milliseconds. */
const tolerableSkewMs = 2 * 60_000;

/**
 * A sentence about a machine's clock that is wrong, with what to do; null while it agrees with the service's, or while
 * nothing is known. `skewMs` is how far the service's clock is ahead.
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
