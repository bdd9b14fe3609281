import type { EpochMs } from '../../src/lib/clock.ts';

/**
 * Returns the minimum number of calls that can serve these due times if a call takes this many numbers and no number
 * waits longer than the window. Numbers that become due within a window of the first one join its call until it is
 * full.
 */
export function fewestCalls(due: readonly EpochMs[], batchLimit: number, windowMs: number): number {
  let [calls, openedAt, size] = [0, Number.NEGATIVE_INFINITY, 0];
  for (const at of Float64Array.from(due).sort()) {
    if (at - openedAt <= windowMs && size < batchLimit) {
      size += 1;
      continue;
    }
    [calls, openedAt, size] = [calls + 1, at, 1];
  }
  return calls;
}

/** Returns the value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
