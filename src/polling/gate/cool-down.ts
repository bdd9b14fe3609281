import type { EpochMs } from '../../service/clock/clock.ts';
import { RateLimitedError, type ServiceError, type ServiceErrorKind } from '../../service/failures/errors.ts';
import type { CoolDown } from '../../watchlist/state/polling-memory.ts';
import type { PollingPolicy } from '../schedule/policy.ts';
import { type CallLane, otherLane } from './rules.ts';

/** The failure of a call, and what it is measured against. */
export interface FailedCall {
  readonly error: ServiceError;
  readonly lane: CallLane;
  /** The last cool-down of the lane; null when its last call succeeded. */
  readonly before: CoolDown | null;
  readonly now: EpochMs;
  /** In [0, 1). */
  readonly chance: number;
  readonly policy: PollingPolicy;
}

/**
 * The cool-down after a failed call: full jitter below a doubling ceiling, and at least what the service asks for. A pause
 * that the service has asked for is never cut short, because another process may have been asked while this call was under
 * way. An account without credit for registrations is tried again after an hour, doubling to twice a day. Failures are in
 * a row only while the last cool-down is not long over: not every success is remembered.
 */
export function coolDownAfter({ error, lane, before, now, chance, policy }: FailedCall): CoolDown {
  const failures = failuresInRow(before, now, policy) + 1;
  const doublings = Math.min(failures - 1, 30);
  if (isWithoutCredit(error, lane)) {
    const wait = Math.min(policy.creditLongestMs, policy.creditFirstMs * 2 ** doublings);
    return { until: now + wait, byService: false, failures };
  }
  const ceiling = Math.min(policy.failureLongestMs, policy.failureFirstMs * 2 ** doublings);
  const wait = Math.max(policy.failureLeastMs, Math.round(ceiling * chance));
  const requested = Math.min(error.retryAfterMs ?? 0, policy.retryAfterLongestMs);
  // Too many calls is a request to pause, whether it names a time or not.
  const byService = error instanceof RateLimitedError || (requested > 0 && requested >= wait);
  const until = now + Math.max(wait, requested);
  const pause = activeCoolDown(before, lane, now, policy);
  return pause?.byService === true && (!byService || pause.until > until)
    ? { ...pause, failures }
    : { until, byService, failures };
}

/**
 * What a failure in one lane means for the other: no connection concerns every call, and after too many calls the other
 * lane pauses for a minute at most, since limits are per second and per operation. Null when it means nothing.
 */
export function sharedCoolDown(
  { error, lane, now, policy }: Pick<FailedCall, 'error' | 'lane' | 'now' | 'policy'>,
  own: CoolDown,
  other: CoolDown | null,
): CoolDown | null {
  if (error.kind !== 'unreachable' && error.kind !== 'rate-limited') return null;
  const until = error.kind === 'unreachable' ? own.until : Math.min(own.until, now + policy.sharedPauseMs);
  const active = activeCoolDown(other, otherLane(lane), now, policy);
  return active !== null && active.until >= until ? null : { ...own, until };
}

/** The cool-down of a lane while it lasts, else null. One that ends later than any can was made while the clock was wrong. */
export function activeCoolDown(
  coolDown: CoolDown | null,
  lane: CallLane,
  now: EpochMs,
  policy: PollingPolicy,
): CoolDown | null {
  if (coolDown === null || coolDown.until <= now) return null;
  const longestOwn = lane === 'register' ? policy.creditLongestMs : policy.failureLongestMs;
  const longest = coolDown.byService ? Math.max(longestOwn, policy.retryAfterLongestMs) : longestOwn;
  return coolDown.until - now > longest ? null : coolDown;
}

/** How many calls of a lane have failed in a row. */
export function failuresInRow(before: CoolDown | null, now: EpochMs, policy: PollingPolicy): number {
  return before === null || now - before.until > policy.failureLongestMs ? 0 : before.failures;
}

/** Whether polling cannot go on in a lane until the user acts. Credit for registrations may come back by itself. */
export function needsUserAfter(kind: ServiceErrorKind | null, lane: CallLane): boolean {
  return kind === 'key-refused' || (kind === 'quota-exhausted' && lane === 'query');
}

/** Whether the account has no credit left for registrations. */
export function isWithoutCredit(error: ServiceError, lane: CallLane): boolean {
  return error.kind === 'quota-exhausted' && lane === 'register';
}

/** Whether a failed registration may have reached the service all the same, so that it has to be counted. */
export function mayHaveBeenTaken(error: ServiceError): boolean {
  return ['timeout', 'bad-answer', 'answer-too-large', 'service-trouble', 'cancelled'].includes(error.kind);
}
