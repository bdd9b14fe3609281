import { type EpochMs, hourMs, secondMs } from '../../lib/clock.ts';
import { hashText, randomBetween, seededRandom } from '../seeded-random.ts';

/** How a number's lookups are scheduled (`nextUpdateTime`). The speed does not affect these times. */
export interface LookupRules {
  /**
   * Minimum and maximum delay of a regular lookup in milliseconds (whole seconds). Until the delay ends, queries
   * return the old record. The next lookup is planned from the end of the delay.
   */
  readonly lagMs: readonly [min: number, max: number];
  /** Milliseconds (whole seconds) between a lookup and the next planned one. Null means the number's own interval. */
  readonly everyMs: number | null;
  /** If false, a new number is never looked up and has no next update. */
  readonly isLookedUp: boolean;
}

export const withoutLag: LookupRules = { lagMs: [0, 0], everyMs: null, isLookedUp: true };

/** A record stays the same until the next lookup ends. */
export interface LookupPlan {
  /** Time of lookup 0, which follows the registration or a request. Not necessarily at a whole second. */
  readonly firstAt: EpochMs;
  /** Planned time of lookup 1, at a whole second. */
  readonly regularAt: EpochMs;
  /** The number's own interval in milliseconds (whole seconds). */
  readonly everyMs: number;
  /** Seeds failures and delays. */
  readonly salt: string;
  readonly rules: LookupRules;
}

export type LookupProblem = 'site' | 'processing';

const minIntervalMs = 2 * secondMs;

const roundUpToSecond = (at: EpochMs): EpochMs => Math.ceil(at / secondMs) * secondMs;

const never: EpochMs = 8.64e15;

/** The first lookup is 1 to 3 seconds after the registration. */
export function planLookups(
  seed: number,
  trackNo: string,
  registeredAt: EpochMs,
  speed: number,
  rules: LookupRules = withoutLag,
): LookupPlan {
  const salt = `${seed}:lookups:${trackNo.toUpperCase()}`;
  const random = seededRandom(seed, salt);
  const everyMs = Math.max(
    minIntervalMs,
    Math.round((randomBetween(random, 1.5, 3) * hourMs) / speed / secondMs) * secondMs,
  );
  const firstAt = rules.isLookedUp ? roundUpToSecond(registeredAt + randomBetween(random, 1, 2) * secondMs) : never;
  return { firstAt, regularAt: firstAt + (rules.everyMs ?? everyMs), everyMs, salt, rules };
}

const intervalOf = ({ everyMs, rules }: LookupPlan): number => rules.everyMs ?? everyMs;

export function planFrom(plan: LookupPlan, firstAt: EpochMs): LookupPlan {
  return { ...plan, firstAt, regularAt: firstAt + intervalOf(plan) };
}

/** Plans the lookups that follow a requested lookup at `at`. */
export function planAfterRequest(plan: LookupPlan, at: EpochMs): LookupPlan {
  return { ...plan, firstAt: at, regularAt: roundUpToSecond(at + intervalOf(plan)), salt: `${plan.salt}:${at}` };
}

/** For a number that was registered long before `at`. The time of its last lookup is derived from the number. */
export function planOngoing(plan: LookupPlan, at: EpochMs): LookupPlan {
  const phaseMs = hashText(`${plan.salt}:phase`) % intervalOf(plan);
  const latest = Math.floor((at - phaseMs) / secondMs) * secondMs;
  return planFrom(plan, Math.max(plan.firstAt, latest));
}

/**
 * Applies different rules from `now` on. The published next update stays the same unless the interval changes. A number
 * that was never looked up is looked up soon if the rules allow it.
 */
export function planWithRules(plan: LookupPlan, rules: LookupRules, now: EpochMs): LookupPlan {
  const { everyMs, isLookedUp } = rules;
  const latest = lastLookup(plan, now);
  if (latest < 0) {
    const firstAt = !isLookedUp ? never : plan.firstAt === never ? roundUpToSecond(now + secondMs) : plan.firstAt;
    return planFrom({ ...plan, rules }, firstAt);
  }
  const firstAt = lookupAt(plan, lastGoodLookup(plan, latest));
  const hasNewInterval = everyMs !== plan.rules.everyMs;
  const regularAt = hasNewInterval ? roundUpToSecond(now + (everyMs ?? plan.everyMs)) : plannedAt(plan, latest + 1);
  return { ...plan, firstAt, regularAt, salt: `${plan.salt}:${now}`, rules };
}

/** Each delay is the mean plus the difference between two adjacent shifts, so all delays can be summed without a loop. */
function meanLag({ lagMs: [min, max] }: LookupRules): { readonly meanMs: number; readonly shifts: number } {
  const shifts = Math.floor((max - min) / 2 / secondMs);
  return { meanMs: min + shifts * secondMs, shifts };
}

const shiftAt = (plan: LookupPlan, index: number, shifts: number): number =>
  shifts === 0 ? 0 : (hashText(`${plan.salt}:lag:${index}`) % (shifts + 1)) * secondMs;

/** Returns the time that the record shows as its next update until this lookup. */
export function plannedAt(plan: LookupPlan, index: number): EpochMs {
  if (index <= 0) return plan.firstAt;
  const { meanMs, shifts } = meanLag(plan.rules);
  const lagsBefore = (index - 1) * meanMs + shiftAt(plan, index - 1, shifts) - shiftAt(plan, 0, shifts);
  return plan.regularAt + (index - 1) * intervalOf(plan) + lagsBefore;
}

export function lookupAt(plan: LookupPlan, index: number): EpochMs {
  if (index <= 0) return plan.firstAt;
  if (!plan.rules.isLookedUp) return never;
  return plannedAt(plan, index + 1) - intervalOf(plan);
}

/** Returns the index of the last lookup, or -1 before the first one. */
export function lastLookup(plan: LookupPlan, at: EpochMs): number {
  if (at < plan.firstAt) return -1;
  if (at < lookupAt(plan, 1)) return 0;
  const { meanMs, shifts } = meanLag(plan.rules);
  let latest = Math.max(1, 1 + Math.floor((at - plan.regularAt - meanMs) / (intervalOf(plan) + meanMs)));
  if (shifts === 0) return latest;
  while (lookupAt(plan, latest) > at) latest -= 1;
  while (lookupAt(plan, latest + 1) <= at) latest += 1;
  return latest;
}

/** The first lookup never fails. */
export function problemAt(plan: LookupPlan, index: number): LookupProblem | null {
  if (index <= 0) return null;
  const hash = hashText(`${plan.salt}:${index}`);
  if (hash % 40 !== 0) return null;
  return hash % 3 === 0 ? 'processing' : 'site';
}

export function lastGoodLookup(plan: LookupPlan, index: number): number {
  let good = index;
  while (problemAt(plan, good) !== null) good -= 1;
  return good;
}

export function firstGoodLookup(plan: LookupPlan, at: EpochMs): number {
  const latest = lastLookup(plan, at);
  let good = latest >= 0 && lookupAt(plan, latest) === at ? latest : latest + 1;
  while (problemAt(plan, good) !== null) good += 1;
  return good;
}
