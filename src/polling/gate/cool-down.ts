import type { EpochMs } from '../../service/clock/clock.ts';
import { RateLimitedError, type ServiceError } from '../../service/failures/errors.ts';
import type { CoolDown } from '../../watchlist/state/polling-memory.ts';
import type { PollingPolicy } from '../schedule/policy.ts';

/**
 * The cool-down after a failed call: full jitter below a doubling ceiling, and at least what the service asks for. A pause
 * that it has asked for is never cut short: the call may have been under way when another process was asked for it. Failures are in
 * a row only while the last cool-down is not long over: not every success is remembered.
 */
export function coolDownAfter(
  error: ServiceError,
  before: CoolDown | null,
  now: EpochMs,
  chance: number,
  policy: PollingPolicy,
): CoolDown {
  const isOver = before === null || now - before.until > policy.failureLongestMs;
  const failures = isOver ? 1 : before.failures + 1;
  const ceiling = Math.min(policy.failureLongestMs, policy.failureFirstMs * 2 ** Math.min(failures - 1, 30));
  const wait = Math.max(policy.failureLeastMs, Math.round(ceiling * chance));
  const requested = Math.min(error.retryAfterMs ?? 0, policy.retryAfterLongestMs);
  // Too many calls is a request to pause, whether it names a time or not.
  const byService = error instanceof RateLimitedError || (requested > 0 && requested >= wait);
  const until = now + Math.max(wait, requested);
  const pause = activeCoolDown(before, now, policy);
  return pause?.byService === true && (!byService || pause.until > until)
    ? { ...pause, failures }
    : { until, byService, failures };
}

/** The cool-down while it lasts, else null. One that ends later than any can was made while the clock was wrong. */
export function activeCoolDown(coolDown: CoolDown | null, now: EpochMs, policy: PollingPolicy): CoolDown | null {
  if (coolDown === null || coolDown.until <= now) return null;
  const longest = coolDown.byService
    ? Math.max(policy.failureLongestMs, policy.retryAfterLongestMs)
    : policy.failureLongestMs;
  return coolDown.until - now > longest ? null : coolDown;
}

/** Whether a failed registration may have reached the service all the same, so that it has to be counted. */
export function mayHaveBeenTaken(error: ServiceError): boolean {
  return ['timeout', 'bad-answer', 'answer-too-large', 'service-trouble', 'cancelled'].includes(error.kind);
}

/** Whether the call failed because of what was in it, so that half of it may succeed. */
export function mayBeOneCulprit(error: ServiceError): boolean {
  return error.kind === 'request-refused' || error.kind === 'answer-too-large';
}
