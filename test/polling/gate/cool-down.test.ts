import { describe, expect, it } from 'vitest';
import { type CallLane, coolDownAfter, sharedCoolDown } from '../../../src/polling/gate/call-rules.ts';
import { defaultPollingPolicy as policy } from '../../../src/polling/schedule/timings.ts';
import {
  QuotaExhaustedError,
  RateLimitedError,
  type ServiceError,
  ServiceTroubleError,
  UnreachableError,
} from '../../../src/service/port.ts';
import type { CoolDown } from '../../../src/store/shared-state.ts';

const now = Date.UTC(2026, 10, 21, 12);
const tooMany = new RateLimitedError('Too many calls.');
const coolDown = (error: ServiceError, before: CoolDown | null, lane: CallLane = 'query') =>
  coolDownAfter({ error, lane, before, now, chance: 0.999_999, policy });
const endedAgo = (ms: number) => ({ until: now - ms, byService: true, failures: 7 });

describe('coolDownAfter', () => {
  it('counts consecutive failures, and waits longer after each', () => {
    const next = coolDown(tooMany, endedAgo(0));
    expect(next.failures).toBe(8);
    expect(next.until - now).toBeGreaterThan(policy.failureFirstMs * 100);
  });

  it('keeps the count as long as the longest cool-down lasts', () => {
    expect(coolDown(tooMany, endedAgo(policy.failureMaxMs)).failures).toBe(8);
  });

  it.each([tooMany, new ServiceTroubleError('In trouble.')])(
    'starts counting again if the last cool-down ended longer ago than that',
    (error) => {
      const next = coolDown(error, endedAgo(policy.failureMaxMs + 1));
      expect(next).toMatchObject({ failures: 1, until: now + policy.failureFirstMs });
    },
  );

  it('retries an account without credit after an hour, then less and less often, down to twice a day', () => {
    const waits: number[] = [];
    let last: CoolDown | null = null;
    let at = now;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      last = coolDownAfter({
        error: new QuotaExhaustedError('No credit.'),
        lane: 'register',
        before: last,
        now: at,
        chance: 0.5,
        policy,
      });
      waits.push((last.until - at) / 3_600_000);
      at = last.until;
    }
    expect(waits).toEqual([1, 2, 4, 8, 12, 12]);
  });
});

describe('sharedCoolDown', () => {
  const shared = (error: ServiceError, ownMs: number, other: CoolDown | null = null) =>
    sharedCoolDown(
      { error, lane: 'register', now, policy },
      { until: now + ownMs, byService: true, failures: 1 },
      other,
    );

  it('holds back the other lane for the same time if there is no connection', () => {
    expect(shared(new UnreachableError('Offline.'), 600_000)?.until).toBe(now + 600_000);
  });

  it('holds back the other lane for a minute at most after a rate limit', () => {
    expect(shared(tooMany, 30_000)?.until).toBe(now + 30_000);
    expect(shared(tooMany, 3_600_000)?.until).toBe(now + 60_000);
  });

  it('does not affect the other lane after other failures, or if that lane pauses for longer', () => {
    expect(shared(new ServiceTroubleError('In trouble.'), 600_000)).toBeNull();
    expect(shared(tooMany, 30_000, { until: now + 40_000, byService: true, failures: 1 })).toBeNull();
  });
});
