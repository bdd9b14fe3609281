import { type EpochMs, hourMs, minuteMs, secondMs } from '../../src/lib/clock.ts';
import type { Version } from './news.ts';

/**
 * What the program promises about its polling. Repeated here instead of imported, so that the bound does not change
 * along with the program's behaviour.
 */
const promises = {
  /** Maximum time that a due number is held for others. */
  holdMs: minuteMs,
  /** The first waits after a registration. Every ten minutes for an hour follows, then up to twice a day. */
  ladderMs: [2 * secondMs, 10 * secondMs, minuteMs],
  waitingMs: 10 * minuteMs,
  waitingForMs: hourMs,
  longestMs: 12 * hourMs,
  /** The first wait after a number failed. It doubles up to the maximum. */
  fruitlessFirstMs: 30 * minuteMs,
  /** Minimum time between two queries of one number. */
  floorMs: 5 * minuteMs,
};

/** What an omniscient client has to do. Instants are on the service clock. */
export interface Workload {
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
 * Returns the instants of the fewest calls that serve these due times within the hold. Each call is as late as its
 * first number allows.
 */
function callsFor(due: readonly EpochMs[], batchLimit: number): readonly EpochMs[] {
  const calls: EpochMs[] = [];
  let [openedAt, size] = [Number.NEGATIVE_INFINITY, 0];
  for (const at of Float64Array.from(due).sort()) {
    if (at - openedAt <= promises.holdMs && size < batchLimit) {
      size += 1;
      continue;
    }
    [openedAt, size] = [at, 1];
    calls.push(at + promises.holdMs);
  }
  return calls;
}

/** Returns how many separate calls checks with these waits need. A check joins an existing call within the hold. */
function extraCalls(
  calls: readonly EpochMs[],
  waitOf: (index: number) => number,
  { startedAt, until }: Workload,
): number {
  let [at, extra, next] = [startedAt, 0, 0];
  for (let index = 0; ; index += 1) {
    const earliest = at + waitOf(index);
    if (earliest > until) return extra;
    let latest: EpochMs | null = null;
    while (next < calls.length && (calls[next] ?? 0) <= earliest + promises.holdMs) {
      const call = calls[next] ?? 0;
      if (call >= earliest) latest = call;
      next += 1;
    }
    if (latest === null) extra += 1;
    at = latest ?? earliest + promises.holdMs;
  }
}

/** Returns the longest permitted wait before check `index` of a number without a record. */
function silentWait(index: number): number {
  const checksInFirstHour = promises.ladderMs.length + Math.floor(promises.waitingForMs / promises.waitingMs);
  return promises.ladderMs[index] ?? (index < checksInFirstHour ? promises.waitingMs : promises.longestMs);
}

/** Returns how many calls a number needs that makes every call fail: once on its own, and then with back-off. */
function failingCalls({ startedAt, until }: Workload): number {
  let calls = 1;
  let wait = promises.fruitlessFirstMs;
  for (let at = startedAt + wait; at <= until; at += wait) {
    calls += 1;
    wait = Math.min(promises.longestMs, wait * 2);
  }
  return calls;
}

/**
 * Returns the minimum number of calls with which an omniscient client keeps the program's promises. Where checks of
 * different kinds could be moved to share a call, the bound is too low rather than too high, except for the hold.
 */
export function fewestPossible(duties: Workload): number {
  const { versions, startedAt, batchLimit } = duties;
  const due = versions.flatMap(({ kind, readyAt }): readonly EpochMs[] => {
    // The waits after the registration, until the first record exists.
    if (kind === 'first record') {
      let at = startedAt;
      const steps: EpochMs[] = [];
      for (const wait of promises.ladderMs) {
        at += wait;
        steps.push(at);
        if (at >= readyAt) break;
      }
      return steps;
    }
    // One check of each new record, as soon as it exists. Checks of finished parcels, or of those without a next update
    // time, have hours to join these.
    return [readyAt];
  });
  const calls = callsFor(due, batchLimit);
  return (
    Math.ceil(duties.registered / batchLimit) +
    calls.length +
    // All silent numbers share calls, and so do all hasty ones: as few as the minimum interval and the hold allow.
    (duties.silent > 0 ? extraCalls(calls, silentWait, duties) : 0) +
    (duties.hasty > 0 ? extraCalls(calls, () => promises.floorMs, duties) : 0) +
    // A call with such a number fails, so it cannot serve other numbers.
    (duties.poison > 0 ? failingCalls(duties) : 0) +
    (duties.failingRegistrations > 0 ? failingCalls(duties) : 0)
  );
}
