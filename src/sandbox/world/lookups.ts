import { type EpochMs, hourMs, secondMs } from '../../lib/clock.ts';
import { between, hashOf, seededRandom } from '../seeded-random.ts';

/**
 * How the service keeps the plan that it publishes for a number (`nextUpdateTime`). Times are those of its clock, whatever
 * the speed of the world.
 */
export interface PlanKeeping {
  /**
   * Least and most time by which a regular lookup ends after its planned time, in milliseconds, on whole seconds; until
   * then the old record comes, whose planned time has passed. The next one is planned from the end.
   */
  readonly lagMs: readonly [least: number, most: number];
  /** Between a lookup and the next planned time, in milliseconds, on whole seconds; null for the number's own. */
  readonly everyMs: number | null;
  /** False where the number is looked up no more: a new one never is, and has no plan either. */
  readonly isLookedUp: boolean;
}

/** Every lookup takes place at its planned time. */
export const punctual: PlanKeeping = { lagMs: [0, 0], everyMs: null, isLookedUp: true };

/** When the service looks a number up at its courier: what a record says holds until the next lookup ends. */
export interface LookupPlan {
  /** Lookup number 0: the first one after registration, or one that was requested, at any millisecond. */
  readonly firstAt: EpochMs;
  /** The planned time of lookup number 1, at a whole second. */
  readonly regularAt: EpochMs;
  /** The number's own interval, at whole seconds. */
  readonly everyMs: number;
  /** Decides which lookups fail, and their lags. */
  readonly salt: string;
  readonly keeping: PlanKeeping;
}

/** Why a lookup failed: the courier's site was down, or its answer could not be processed. */
export type LookupTrouble = 'site' | 'processing';

const shortestMs = 2 * secondMs;

const toWholeSeconds = (at: EpochMs): EpochMs => Math.ceil(at / secondMs) * secondMs;

/** The end of time for dates: when a number is looked up that never is. */
const never: EpochMs = 8.64e15;

/** Plans the lookups of a number that has just been registered: the first one 1 to 3 seconds later. */
export function planLookups(
  seed: number,
  trackNo: string,
  registeredAt: EpochMs,
  speed: number,
  keeping: PlanKeeping = punctual,
): LookupPlan {
  const salt = `${seed}:lookups:${trackNo.toUpperCase()}`;
  const random = seededRandom(seed, salt);
  const everyMs = Math.max(shortestMs, Math.round((between(random, 1.5, 3) * hourMs) / speed / secondMs) * secondMs);
  const firstAt = keeping.isLookedUp ? toWholeSeconds(registeredAt + between(random, 1, 2) * secondMs) : never;
  return { firstAt, regularAt: firstAt + (keeping.everyMs ?? everyMs), everyMs, salt, keeping };
}

const intervalOf = ({ everyMs, keeping }: LookupPlan): number => keeping.everyMs ?? everyMs;

/** The same plan with its lookups from `firstAt`, a whole second, on. */
export function planFrom(plan: LookupPlan, firstAt: EpochMs): LookupPlan {
  return { ...plan, firstAt, regularAt: firstAt + intervalOf(plan) };
}

/** The plan after a lookup that was requested at `at`: right then, and regularly again from the usual step on. */
export function planAnew(plan: LookupPlan, at: EpochMs): LookupPlan {
  return { ...plan, firstAt: at, regularAt: toWholeSeconds(at + intervalOf(plan)), salt: `${plan.salt}:${at}` };
}

/**
 * The same plan as it stands at `at`, when the number has been looked up for some time already: one lookup lies
 * shortly before, at a phase of the number's own. Never before the plan's own first lookup.
 */
export function planUnderWay(plan: LookupPlan, at: EpochMs): LookupPlan {
  const phaseMs = hashOf(`${plan.salt}:phase`) % intervalOf(plan);
  const latest = Math.floor((at - phaseMs) / secondMs) * secondMs;
  return planFrom(plan, Math.max(plan.firstAt, latest));
}

/**
 * The plan as the service keeps it from `now` on. What it has published stays, but for another interval, which begins at
 * once; a number that was never looked up is looked up soon.
 */
export function planKept(plan: LookupPlan, keeping: PlanKeeping, now: EpochMs): LookupPlan {
  const { everyMs, isLookedUp } = keeping;
  const latest = lastLookup(plan, now);
  if (latest < 0) {
    const firstAt = !isLookedUp ? never : plan.firstAt === never ? toWholeSeconds(now + secondMs) : plan.firstAt;
    return planFrom({ ...plan, keeping }, firstAt);
  }
  const firstAt = lookupAt(plan, lastGoodLookup(plan, latest));
  const isOtherInterval = everyMs !== plan.keeping.everyMs;
  const regularAt = isOtherInterval ? toWholeSeconds(now + (everyMs ?? plan.everyMs)) : plannedAt(plan, latest + 1);
  return { ...plan, firstAt, regularAt, salt: `${plan.salt}:${now}`, keeping };
}

/**
 * Lags are the mean one and the difference of two neighbouring shifts: those of all lookups before add up to a sum that
 * needs no walk through them.
 */
function meanLag({ lagMs: [least, most] }: PlanKeeping): { readonly meanMs: number; readonly shifts: number } {
  const shifts = Math.floor((most - least) / 2 / secondMs);
  return { meanMs: least + shifts * secondMs, shifts };
}

const shiftAt = (plan: LookupPlan, index: number, shifts: number): number =>
  shifts === 0 ? 0 : (hashOf(`${plan.salt}:lag:${index}`) % (shifts + 1)) * secondMs;

/** When lookup number `index` is planned, as the record before it says; the first is number 0. */
export function plannedAt(plan: LookupPlan, index: number): EpochMs {
  if (index <= 0) return plan.firstAt;
  const { meanMs, shifts } = meanLag(plan.keeping);
  const lagsBefore = (index - 1) * meanMs + shiftAt(plan, index - 1, shifts) - shiftAt(plan, 0, shifts);
  return plan.regularAt + (index - 1) * intervalOf(plan) + lagsBefore;
}

/** When lookup number `index` ends, so that the record shows what it brought. */
export function lookupAt(plan: LookupPlan, index: number): EpochMs {
  if (index <= 0) return plan.firstAt;
  if (!plan.keeping.isLookedUp) return never;
  // The next one is planned from here.
  return plannedAt(plan, index + 1) - intervalOf(plan);
}

/** Number of the last lookup that has ended at an instant; negative before the first. */
export function lastLookup(plan: LookupPlan, at: EpochMs): number {
  if (at < plan.firstAt) return -1;
  if (at < lookupAt(plan, 1)) return 0;
  const { meanMs, shifts } = meanLag(plan.keeping);
  let latest = Math.max(1, 1 + Math.floor((at - plan.regularAt - meanMs) / (intervalOf(plan) + meanMs)));
  if (shifts === 0) return latest;
  while (lookupAt(plan, latest) > at) latest -= 1;
  while (lookupAt(plan, latest + 1) <= at) latest += 1;
  return latest;
}

/** What went wrong at a lookup; null for nothing. The first lookup always works. */
export function troubleAt(plan: LookupPlan, index: number): LookupTrouble | null {
  if (index <= 0) return null;
  const hash = hashOf(`${plan.salt}:${index}`);
  if (hash % 40 !== 0) return null;
  return hash % 3 === 0 ? 'processing' : 'site';
}

export function lastGoodLookup(plan: LookupPlan, index: number): number {
  let good = index;
  while (troubleAt(plan, good) !== null) good -= 1;
  return good;
}

/** The first lookup at or after an instant that worked. */
export function firstGoodLookup(plan: LookupPlan, at: EpochMs): number {
  const latest = lastLookup(plan, at);
  let good = latest >= 0 && lookupAt(plan, latest) === at ? latest : latest + 1;
  while (troubleAt(plan, good) !== null) good += 1;
  return good;
}
