import { type Clock, type EpochMs, minuteMs, secondMs } from './clock.ts';
import { parseInstant } from './instant.ts';

/** How many answers count. */
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

/** The bounds that one answer gives. */
interface Measurement extends SkewBounds {
  readonly at: EpochMs;
}

/** Measures how far the service's clock is ahead of ours. */
export interface SkewMeter {
  /** To be called with the `Date` header of an answer as soon as its head is there. */
  note(sentAt: EpochMs, date: string | null): void;
  /** Null before the first answer that has a date. */
  bounds(): SkewBounds | null;
}

/**
 * A `Date` header has whole seconds and was written at some instant between request and answer, so each answer gives
 * bounds, and several narrow them. Where they disagree the majority counts: one gateway may have another clock.
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

/** The range that most of them agree on; of several such ranges the one of the newest answer. */
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
