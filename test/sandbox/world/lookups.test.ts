import fc from 'fast-check';
import { expect, it } from 'vitest';
import { secondMs as second } from '../../../src/lib/clock.ts';
import {
  type LookupRules,
  lastLookup,
  lookupAt,
  planLookups,
  plannedAt,
  planWithRules,
} from '../../../src/sandbox/world/lookups.ts';
import { forAll } from '../../support/for-all.ts';
import { noon } from '../support.ts';

const anyRules: fc.Arbitrary<LookupRules> = fc
  .record({ least: fc.nat(1_500), more: fc.nat(1_500), every: fc.option(fc.integer({ min: 1, max: 20_000 })) })
  .map(({ least, more, every }) => ({
    lagMs: [least * second, (least + more) * second],
    everyMs: every === null ? null : every * second,
    isLookedUp: true,
  }));

it('ends each lookup within the lag after its planned time, and plans the next one from then', () =>
  forAll(anyRules, fc.nat(9), fc.constantFrom(1, 360), (rules, number, speed) => {
    const plan = planLookups(1, `NUMBER${number}`, noon, speed, rules);
    for (let index = 1; index < 40; index += 1) {
      const lag = lookupAt(plan, index) - plannedAt(plan, index);
      expect(lag).toBeGreaterThanOrEqual(rules.lagMs[0]);
      expect(lag).toBeLessThanOrEqual(rules.lagMs[1]);
      expect(plannedAt(plan, index + 1)).toBe(lookupAt(plan, index) + (rules.everyMs ?? plan.everyMs));
      expect(plannedAt(plan, index) % second).toBe(0);
      expect([lastLookup(plan, lookupAt(plan, index) - 1), lastLookup(plan, lookupAt(plan, index))]).toEqual([
        index - 1,
        index,
      ]);
    }
  }));

it('keeps the announced update time when the lookup rules change', () =>
  forAll(anyRules, anyRules, fc.nat(200_000), (before, after, seconds) => {
    const plan = planLookups(1, 'NUMBER', noon, 1, before);
    const now = plan.firstAt + seconds * second;
    const shown = plannedAt(plan, lastLookup(plan, now) + 1);
    const kept = planWithRules(plan, { ...after, everyMs: before.everyMs }, now);
    expect(plannedAt(kept, 1)).toBe(shown);
    expect(lookupAt(kept, 0)).toBeLessThanOrEqual(now);
  }));
