import { describe, expect, it } from 'vitest';
import { coolDownAfter } from '../../../src/polling/gate/cool-down.ts';
import { defaultPollingPolicy as policy } from '../../../src/polling/schedule/policy.ts';
import { RateLimitedError, ServiceTroubleError } from '../../../src/service/failures/errors.ts';

const now = Date.UTC(2026, 10, 21, 12);
const almostOne = 0.999_999;
const tooMany = new RateLimitedError('Too many calls.');
const endedAgo = (ms: number) => ({ until: now - ms, byService: true, failures: 7 });

describe('coolDownAfter', () => {
  it('counts failures in a row, and waits longer after each', () => {
    const next = coolDownAfter(tooMany, endedAgo(0), now, almostOne, policy);
    expect(next.failures).toBe(8);
    expect(next.until - now).toBeGreaterThan(policy.failureFirstMs * 100);
  });

  it('still counts them when the last cool-down ended as long ago as the longest lasts', () => {
    expect(coolDownAfter(tooMany, endedAgo(policy.failureLongestMs), now, almostOne, policy).failures).toBe(8);
  });

  it.each([tooMany, new ServiceTroubleError('In trouble.')])(
    'begins anew after a cool-down that ended longer ago than that',
    (error) => {
      const next = coolDownAfter(error, endedAgo(policy.failureLongestMs + 1), now, almostOne, policy);
      expect(next).toMatchObject({ failures: 1, until: now + policy.failureFirstMs });
    },
  );
});
