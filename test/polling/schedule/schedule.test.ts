import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs as day, hourMs as hour, minuteMs as minute, secondMs as second } from '../../../src/lib/clock.ts';
import type { Parcel } from '../../../src/parcels/parcel.ts';
import { hasLeftQueue } from '../../../src/parcels/parcel-state.ts';
import {
  dueAt,
  type Planning,
  planAfterRegistration,
  planAfterResponse,
  planAfterSilence,
  planForNewClock,
  withPlan,
} from '../../../src/polling/schedule/schedule.ts';
import { defaultPollingPolicy as policy } from '../../../src/polling/schedule/timings.ts';
import { parcelOf } from '../../parcels/parcels.ts';
import { someThursday as now } from '../../support/fake-clock.ts';
import { forAll } from '../../support/for-all.ts';
import { recordOf } from '../../support/records.ts';
import { onServiceClock, serviceClock } from '../fake-service.ts';

const iso = (at: number): string => new Date(at).toISOString();
const planningAt = (at: number, chance = 0): Planning => ({
  now: at,
  serviceClock,
  policy,
  chance,
  canRegister: true,
});
const parcelDueAt = (nextPollAt: string | null, fields: Partial<Parcel> = {}): Parcel =>
  parcelOf('RB1CN', { registration: 'registered', record: recordOf(), nextPollAt, ...fields });
const withStatus = (
  transitStatus: string,
  nextUpdateTime: string | null = null,
  fields: Partial<Parcel> = {},
): Parcel => parcelDueAt(iso(now), { record: recordOf({ transitStatus, nextUpdateTime }), ...fields });

describe('planAfterResponse', () => {
  it('follows nextUpdateTime on the service clock, with a small jitter after it and none before', () => {
    const parcel = withStatus('IN_TRANSIT', onServiceClock(now + 3 * hour));
    expect(planAfterResponse(parcel, parcel, false, planningAt(now)).nextPollAt).toBe(iso(now + 3 * hour));
    expect(planAfterResponse(parcel, parcel, false, planningAt(now, 0.999999)).nextPollAt).toBe(
      iso(now + 3 * hour + 5 * second),
    );
    const fast = withStatus('IN_TRANSIT', onServiceClock(now + 6 * second));
    expect(planAfterResponse(fast, fast, false, planningAt(now, 1)).nextPollAt).toBe(iso(now + 6_100));
  });

  it.each(['ABNORMAL', 'DELIVERY_FAILED', 'SOMETHING_NEW'])('follows nextUpdateTime for %s as well', (status) => {
    const parcel = withStatus(status, onServiceClock(now + hour));
    expect(planAfterResponse(parcel, parcel, false, planningAt(now)).nextPollAt).toBe(iso(now + hour));
  });

  it('follows a nextUpdateTime that was still to come when the call was sent', () => {
    const passed = withStatus('IN_TRANSIT', onServiceClock(now - 3 * second));
    const sent = (ago: number): Planning => ({ ...planningAt(now), sentAt: now - ago });
    expect(planAfterResponse(passed, passed, false, sent(4 * second))).toMatchObject({
      nextPollAt: iso(now + 2 * second),
      fruitlessPolls: 0,
    });
    expect(planAfterResponse(passed, passed, false, sent(3 * second))).toMatchObject({
      nextPollAt: iso(now + minute),
      fruitlessPolls: 1,
    });
  });

  it('restarts the back-off on news', () => {
    const parcel = withStatus('IN_TRANSIT', null, { fruitlessPolls: 6 });
    expect(planAfterResponse(parcel, parcel, true, planningAt(now))).toMatchObject({
      nextPollAt: iso(now + 30 * minute),
      fruitlessPolls: 1,
    });
  });

  it('never plans in the past or too far ahead, and always plans an active parcel', () => {
    const nextUpdateTime = fc.oneof(
      fc.constant(null),
      fc.string({ maxLength: 20 }),
      fc.integer({ min: -400, max: 400 }).map((days) => onServiceClock(now + days * day)),
    );
    forAll(
      nextUpdateTime,
      fc.constantFrom(null, 'INIT', 'NO_RECORD', 'INFO_RECEIVED', 'IN_TRANSIT', 'ABNORMAL', 'ODD'),
      fc.nat({ max: 5_000 }),
      fc.boolean(),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (time, transitStatus, fruitlessPolls, isNews, chance) => {
        const record = recordOf({ transitStatus, nextUpdateTime: time });
        const parcel = parcelDueAt(iso(now), { record, fruitlessPolls });
        const plan = planAfterResponse(parcel, parcel, isNews, planningAt(now, chance));
        const wait = Date.parse(plan.nextPollAt ?? '') - now;
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(policy.farthestMs + policy.jitterMs);
        if (plan.fruitlessPolls > 0) expect(wait).toBeGreaterThanOrEqual(10 * second);
        expect(hasLeftQueue(withPlan(parcel, plan))).toBe(false);
      },
    );
  });
});

describe('the end of a parcel', () => {
  it('is set a month after the delivery', () => {
    const moving = withStatus('IN_TRANSIT');
    const delivered = withStatus('DELIVERED', onServiceClock(now + hour));
    const plan = planAfterResponse(moving, delivered, true, planningAt(now));
    expect(plan).toMatchObject({ nextPollAt: iso(now + day), endedAt: iso(now) });

    const waiting = withPlan(delivered, plan);
    const early = planAfterResponse(waiting, waiting, false, planningAt(now + hour));
    expect(early.nextPollAt).toBe(plan.nextPollAt);
    const last = planAfterResponse(waiting, waiting, false, planningAt(now + 30 * day));
    expect(last.nextPollAt).toBeNull();
    expect(hasLeftQueue(withPlan(waiting, last))).toBe(true);
  });

  it('is also recognised in the form that older versions recorded', () => {
    for (const status of ['EXPIRED', 'DELIVERED']) {
      expect(hasLeftQueue(withStatus(status, null, { nextPollAt: null, deliveryConfirmed: true }))).toBe(true);
      expect(hasLeftQueue(withStatus(status))).toBe(false);
    }
  });

  it('also comes when the parcel is archived or rejected', () => {
    expect(dueAt(parcelDueAt(iso(now), { archivedAt: iso(now) }), now, policy)).toBeNull();
    expect(dueAt(parcelDueAt(null, { registration: 'rejected' }), now, policy)).toBeNull();
    const archived = parcelDueAt(null, { archivedAt: iso(now) });
    expect(planAfterResponse(archived, archived, true, planningAt(now)).nextPollAt).toBeNull();
    expect(planAfterSilence(archived, planningAt(now)).nextPollAt).toBeNull();
  });
});

describe('dueAt', () => {
  it('counts a parcel without a plausible plan as due', () => {
    expect(dueAt(parcelDueAt(null), now, policy)).toBe(now);
    expect(dueAt(parcelDueAt(iso(now + 300 * day)), now, policy)).toBe(now);
    expect(dueAt(parcelDueAt(iso(now + 40 * day)), now, policy)).toBe(now + 40 * day);
  });

  it('limits how far ahead a plan may be in a back-off, on the ladder and after delivery', () => {
    const plans: readonly [Partial<Parcel>, number][] = [
      [{ fruitlessPolls: 3 }, 12 * hour + 5 * second],
      [{ record: null }, 12 * hour + 5 * second],
      [{ registration: 'pending' }, 12 * hour + 5 * second],
      [{ record: recordOf({ transitStatus: 'DELIVERED' }) }, 7 * day],
    ];
    for (const [fields, farthest] of plans) {
      expect(dueAt(parcelDueAt(iso(now + farthest), fields), now, policy)).toBe(now + farthest);
      expect(dueAt(parcelDueAt(iso(now + farthest + minute), fields), now, policy)).toBe(now);
    }
  });

  it('follows the ladder after a registration', () => {
    expect(planAfterRegistration(parcelOf('RB1CN'), planningAt(now)).nextPollAt).toBe(iso(now + 2 * second));
  });
});

describe('planForOtherClock', () => {
  const following = withStatus('IN_TRANSIT', onServiceClock(now + 3 * hour), {
    checkedAt: iso(now),
    nextPollAt: iso(now + 3 * hour),
  });
  const utc = { offsetMinutes: 0, source: 'measured' } as const;

  it('moves plans that depend on the service clock', () => {
    const plan = planForNewClock(following, { ...planningAt(now + minute), serviceClock: utc });
    expect(plan?.nextPollAt).toBe(iso(now + 11 * hour));
  });

  it('does not change other plans', () => {
    expect(planForNewClock(following, planningAt(now + minute))).toBeNull();
    for (const parcel of [parcelOf('RB1CN'), withStatus('DELIVERED'), { ...following, archivedAt: iso(now) }]) {
      expect(planForNewClock(parcel, { ...planningAt(now), serviceClock: utc })).toBeNull();
    }
  });

  it('keeps a plan from a process without a minimum time', () => {
    const times = { addedAt: iso(now - day), checkedAt: iso(now) };
    const soon = withStatus('IN_TRANSIT', onServiceClock(now + minute), times);
    const planning = planningAt(now + second);
    const withMinimum = { ...planning, policy: { ...planning.policy, minPauseMs: hour } };
    expect(planForNewClock({ ...soon, nextPollAt: iso(now + minute) }, withMinimum)).toBeNull();
    expect(planForNewClock({ ...soon, nextPollAt: iso(now + second) }, withMinimum)).not.toBeNull();
  });

  it('ends a back-off that a wrong clock caused', () => {
    const parcel = withStatus('IN_TRANSIT', onServiceClock(now - 5 * hour), {
      checkedAt: iso(now),
      nextPollAt: iso(now + 12 * hour),
      fruitlessPolls: 6,
    });
    expect(planForNewClock(parcel, { ...planningAt(now), serviceClock: utc })).toMatchObject({
      nextPollAt: iso(now + 3 * hour),
      fruitlessPolls: 0,
    });
  });
});
