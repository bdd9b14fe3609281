import { type EpochMs, hourMs, secondMs } from '../../service/clock/clock.ts';
import { between, hashOf, seededRandom } from '../seeded-random.ts';

/**
 * When the service looks a number up at its courier. Regular lookups come at whole seconds and at equal distances: what
 * a record says holds until the next one, which makes `nextUpdateTime` honest to the second.
 */
export interface LookupPlan {
  /** Lookup number 0: the first one after registration, or one that was requested, at any millisecond. */
  readonly firstAt: EpochMs;
  /** Lookup number 1, at a whole second; the others follow in equal steps. */
  readonly regularAt: EpochMs;
  readonly everyMs: number;
  /** Decides which lookups fail. */
  readonly salt: string;
}

/** Why a lookup failed: the courier's site was down, or its answer could not be processed. */
export type LookupTrouble = 'site' | 'processing';

const shortestMs = 2 * secondMs;

const toWholeSeconds = (at: EpochMs): EpochMs => Math.ceil(at / secondMs) * secondMs;

/** Plans the lookups of a number that has just been registered: the first one 1 to 3 seconds later. */
export function planLookups(seed: number, trackNo: string, registeredAt: EpochMs, speed: number): LookupPlan {
  const salt = `${seed}:lookups:${trackNo.toUpperCase()}`;
  const random = seededRandom(seed, salt);
  const everyMs = Math.max(shortestMs, Math.round((between(random, 1.5, 3) * hourMs) / speed / secondMs) * secondMs);
  const firstAt = toWholeSeconds(registeredAt + between(random, 1, 2) * secondMs);
  return { firstAt, regularAt: firstAt + everyMs, everyMs, salt };
}

/** The same plan with its lookups from `firstAt`, a whole second, on. */
export function planFrom(plan: LookupPlan, firstAt: EpochMs): LookupPlan {
  return { ...plan, firstAt, regularAt: firstAt + plan.everyMs };
}

/** The plan after a lookup that was requested at `at`: right then, and regularly again from the usual step on. */
export function planAnew(plan: LookupPlan, at: EpochMs): LookupPlan {
  return { ...plan, firstAt: at, regularAt: toWholeSeconds(at + plan.everyMs), salt: `${plan.salt}:${at}` };
}

/**
 * The same plan as it stands at `at`, when the number has been looked up for some time already: one lookup lies
 * shortly before, at a phase of the number's own. Never before the plan's own first lookup.
 */
export function planUnderWay(plan: LookupPlan, at: EpochMs): LookupPlan {
  const phaseMs = hashOf(`${plan.salt}:phase`) % plan.everyMs;
  const latest = Math.floor((at - phaseMs) / secondMs) * secondMs;
  return planFrom(plan, Math.max(plan.firstAt, latest));
}

/** When lookup number `index` takes place; the first is number 0. */
export function lookupAt(plan: LookupPlan, index: number): EpochMs {
  return index <= 0 ? plan.firstAt : plan.regularAt + (index - 1) * plan.everyMs;
}

/** Number of the last lookup up to an instant; negative before the first. */
export function lastLookup(plan: LookupPlan, at: EpochMs): number {
  if (at < plan.firstAt) return -1;
  return at < plan.regularAt ? 0 : 1 + Math.floor((at - plan.regularAt) / plan.everyMs);
}

/** What went wrong at a lookup; null for nothing. The first lookup always works. */
export function troubleAt(plan: LookupPlan, index: number): LookupTrouble | null {
  if (index <= 0) return null;
  const hash = hashOf(`${plan.salt}:${index}`);
  if (hash % 40 !== 0) return null;
  return hash % 3 === 0 ? 'processing' : 'site';
}

/** The last lookup up to `index` that worked. */
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
