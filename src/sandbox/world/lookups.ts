import type { EpochMs } from '../../service/clock.ts';
import { hourMs } from '../journey/journey.ts';
import { between, hashOf, seededRandom } from '../seeded-random.ts';

/**
 * When the service looks a number up at its courier. Lookups come at whole seconds and at equal distances: what a
 * record says holds until the next one, which makes `nextUpdateTime` honest to the second.
 */
export interface LookupPlan {
  readonly firstAt: EpochMs;
  readonly everyMs: number;
  /** Decides which lookups meet a broken courier site. */
  readonly salt: string;
}

const secondMs = 1000;
const shortestMs = 2 * secondMs;

/** Plans the lookups of a number that has just been registered: the first one 1 to 3 seconds later. */
export function planLookups(seed: number, trackNo: string, registeredAt: EpochMs, speed: number): LookupPlan {
  const salt = `${seed}:lookups:${trackNo.toUpperCase()}`;
  const random = seededRandom(seed, salt);
  const everyMs = (between(random, 1.5, 3) * hourMs) / speed;
  return {
    firstAt: Math.ceil((registeredAt + between(random, 1, 2) * secondMs) / secondMs) * secondMs,
    everyMs: Math.max(shortestMs, Math.round(everyMs / secondMs) * secondMs),
    salt,
  };
}

/**
 * The same plan as it stands at `at`, when the number has been looked up for some time already: one lookup lies
 * shortly before, at a phase of the number's own. Never before the plan's own first lookup.
 */
export function planUnderWay(plan: LookupPlan, at: EpochMs): LookupPlan {
  const phaseMs = hashOf(`${plan.salt}:phase`) % plan.everyMs;
  const latest = Math.floor((at - phaseMs) / secondMs) * secondMs;
  return { ...plan, firstAt: Math.max(plan.firstAt, latest) };
}

/** When lookup number `index` takes place; the first is number 0. */
export function lookupAt(plan: LookupPlan, index: number): EpochMs {
  return plan.firstAt + index * plan.everyMs;
}

/** Number of the last lookup up to an instant; negative before the first. */
export function lastLookup(plan: LookupPlan, at: EpochMs): number {
  return Math.floor((at - plan.firstAt) / plan.everyMs);
}

/** Whether the courier's site was down at that lookup. The first lookup always works. */
export function isTroubled(plan: LookupPlan, index: number): boolean {
  return index > 0 && hashOf(`${plan.salt}:${index}`) % 40 === 0;
}

/** The last lookup up to `index` that worked. */
export function lastGoodLookup(plan: LookupPlan, index: number): number {
  let good = index;
  while (isTroubled(plan, good)) good -= 1;
  return good;
}

/** The first lookup at or after an instant that worked. */
export function firstGoodLookup(plan: LookupPlan, at: EpochMs): number {
  let good = Math.max(0, Math.ceil((at - plan.firstAt) / plan.everyMs));
  while (isTroubled(plan, good)) good += 1;
  return good;
}
