import { type EpochMs, hourMs, minuteMs, secondMs } from '../../src/lib/clock.ts';
import type { Version } from './news.ts';

/**
 * What the program promises about its polling. Defined here and not imported, so that the bound does not follow the
 * program's actual behaviour.
 */
const published = {
  /** Maximum time that a due number is held for others. */
  holdMs: minuteMs,
  /** Waits after a registration, then every ten minutes for an hour, then up to twice a day. */
  ladderMs: [2 * secondMs, 10 * secondMs, minuteMs],
  waitingMs: 10 * minuteMs,
  waitingForMs: hourMs,
  longestMs: 12 * hourMs,
  /** First wait after a failure of one number. Doubles up to the maximum. */
  fruitlessFirstMs: 30 * minuteMs,
  /** Minimum time between two queries of one number. */
  floorMs: 5 * minuteMs,
};

/** The input of an omniscient client. Instants are on the service's clock. */
export interface Duties {
  readonly versions: readonly Version[];
  readonly startedAt: EpochMs;
  readonly until: EpochMs;
  readonly batchLimit: number;
  /** Numbers that can be registered, and are registered together. */
  readonly registered: number;
  readonly silent: number;
  readonly poison: number;
  readonly failingRegistrations: number;
  readonly hasty: number;
}

/**
 * The instants of the minimal number of calls that serve these due times within the hold: each as late as its first
 * number allows.
 */
function callsFor(due: readonly EpochMs[], batchLimit: number): readonly EpochMs[] {
  const calls: EpochMs[] = [];
  let [openedAt, size] = [Number.NEGATIVE_INFINITY, 0];
  for (const at of Float64Array.from(due).sort()) {
    if (at - openedAt <= published.holdMs && size < batchLimit) {
      size += 1;
      continue;
    }
    [openedAt, size] = [at, 1];
    calls.push(at + published.holdMs);
  }
  return calls;
}

/** Separate calls for checks with these waits. A check joins another call within the hold if there is one. */
function extraCalls(
  calls: readonly EpochMs[],
  waitOf: (index: number) => number,
  { startedAt, until }: Duties,
): number {
  let [at, extra, next] = [startedAt, 0, 0];
  for (let index = 0; ; index += 1) {
    const earliest = at + waitOf(index);
    if (earliest > until) return extra;
    let latest: EpochMs | null = null;
    while (next < calls.length && (calls[next] ?? 0) <= earliest + published.holdMs) {
      const call = calls[next] ?? 0;
      if (call >= earliest) latest = call;
      next += 1;
    }
    if (latest === null) extra += 1;
    at = latest ?? earliest + published.holdMs;
  }
}

/** The longest wait before check `index` of a number without a record. */
function silentWait(index: number): number {
  const inTheHour = published.ladderMs.length + Math.floor(published.waitingForMs / published.waitingMs);
  return published.ladderMs[index] ?? (index < inTheHour ? published.waitingMs : published.longestMs);
}

/** Calls about a number that makes every call fail: alone, once, and then in the back-off. */
function failingCalls({ startedAt, until }: Duties): number {
  let calls = 1;
  let wait = published.fruitlessFirstMs;
  for (let at = startedAt + wait; at <= until; at += wait) {
    calls += 1;
    wait = Math.min(published.longestMs, wait * 2);
  }
  return calls;
}

/**
 * The minimal number of calls of an omniscient client that keeps the program's promises. If checks of different kinds
 * could share a call by moving, the bound is too low rather than too high, except for the hold.
 */
export function fewestPossible(duties: Duties): number {
  const { versions, startedAt, batchLimit } = duties;
  const due = versions.flatMap(({ kind, readyAt }): readonly EpochMs[] => {
    // The ladder after the registration, up to the step at which the first record exists.
    if (kind === 'first record') {
      let at = startedAt;
      const steps: EpochMs[] = [];
      for (const wait of published.ladderMs) {
        at += wait;
        steps.push(at);
        if (at >= readyAt) break;
      }
      return steps;
    }
    // One check of each new record, as soon as it exists. Checks of parcels that have ended or have no plan can join
    // these for hours.
    return [readyAt];
  });
  const calls = callsFor(due, batchLimit);
  return (
    Math.ceil(duties.registered / batchLimit) +
    calls.length +
    // All silent numbers share calls, and so do all with hasty plans: as rarely as the minimum and the hold allow.
    (duties.silent > 0 ? extraCalls(calls, silentWait, duties) : 0) +
    (duties.hasty > 0 ? extraCalls(calls, () => published.floorMs, duties) : 0) +
    // Each call with such a number fails, so it cannot contain other numbers.
    (duties.poison > 0 ? failingCalls(duties) : 0) +
    (duties.failingRegistrations > 0 ? failingCalls(duties) : 0)
  );
}
