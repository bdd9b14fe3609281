import type { EpochMs } from '../../lib/clock.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import {
  type BatchLimits,
  CancelledError,
  RateLimitedError,
  type ServiceError,
  type ServiceErrorKind,
} from '../../service/port.ts';
import type { CoolDown, PollingMemoryData } from '../../store/shared-state.ts';
import { noUsage, type Usage, type UsageTotals } from '../../store/usage-meter.ts';
import type { PollingPolicy } from '../schedule/timings.ts';

export type CallOrigin = 'poll' | 'user' | 'command';

export type HoldReason =
  | 'paused'
  /** The service refused the key, or there is no credit for queries. */
  | 'needs-user'
  | 'cool-down'
  /** A delay that we chose after a failed request. */
  | 'back-off'
  | 'pace'
  /** The shared database is unreachable, so a request might be sent twice or exceed the budget. */
  | 'cut-off'
  /** The request has a budget, but it cannot be counted because the meter cannot be written. */
  | 'uncounted'
  | 'lease';

/** Lanes fail separately: without credit, the service refuses registrations but answers queries. */
export type CallLane = 'register' | 'query';

export const otherLane = (lane: CallLane): CallLane => (lane === 'register' ? 'query' : 'register');

export const holdReasons: Readonly<Record<CallOrigin, readonly HoldReason[]>> = {
  poll: ['cut-off', 'uncounted', 'cool-down', 'paused', 'needs-user', 'back-off', 'pace', 'lease'],
  user: ['cut-off', 'cool-down'],
  command: ['cut-off', 'cool-down'],
};

export type CallOperation =
  | 'register'
  | 'query'
  | 'search'
  | 'instant'
  | 'couriers'
  | 'edit'
  | 'changeCourier'
  | 'delete'
  | 'retrack';

export const laneOf = (operation: CallOperation): CallLane => (operation === 'register' ? 'register' : 'query');

interface OperationRule {
  readonly limit: 'register' | 'query' | null;
  readonly usage: (numbers: number) => Usage;
  /** The usage that remains if the service did not accept the call. */
  readonly usageIfRefused: (numbers: number) => Usage;
  /** Whether the gate retries a rate-limited call once. The poller reschedules registrations and queries itself. */
  readonly isRetried: boolean;
}

const oneCall: Usage = { ...noUsage, calls: 1 };
const plainRule: OperationRule = { limit: null, usage: () => oneCall, usageIfRefused: () => oneCall, isRetried: true };
const queryUsage = (numbers: number): Usage => ({ ...oneCall, queries: 1, numbers });
const registrationUsage = (numbers: number): Usage => ({ ...oneCall, registrations: numbers });

/** An account page counts as a query. A live lookup costs as much as a registration. */
export const operationRules: Readonly<Record<CallOperation, OperationRule>> = {
  register: { limit: 'register', usage: registrationUsage, usageIfRefused: () => oneCall, isRetried: false },
  query: { limit: 'query', usage: queryUsage, usageIfRefused: queryUsage, isRetried: false },
  search: { limit: 'query', usage: queryUsage, usageIfRefused: () => noUsage, isRetried: true },
  instant: { limit: 'register', usage: registrationUsage, usageIfRefused: () => oneCall, isRetried: true },
  couriers: plainRule,
  edit: plainRule,
  changeCourier: plainRule,
  delete: plainRule,
  retrack: plainRule,
};

export class ServiceCoolDownError extends RateLimitedError {}

export class HeldBackError extends CancelledError {
  readonly reason: HoldReason;

  constructor(reason: HoldReason) {
    super(`The poll is on hold: ${reason}.`);
    this.reason = reason;
  }
}

export type GateProblem = 'memory-read' | 'memory-write' | 'meter-read' | 'meter-write' | 'lease';

export interface GateListener {
  onMemory(memory: PollingMemoryData): void;
  onUsage(totals: UsageTotals): void;
  /** Called with the error when the gate cannot use its store, and with null when it can again. */
  onProblem(source: GateProblem, error: unknown): void;
}

interface FailedCall {
  readonly error: ServiceError;
  readonly lane: CallLane;
  /** The lane's last cool-down. Null if its last call succeeded. */
  readonly before: CoolDown | null;
  readonly now: EpochMs;
  /** A random number in [0, 1). */
  readonly chance: number;
  readonly policy: PollingPolicy;
}

/**
 * Returns the next cool-down: a random time below a ceiling that doubles with each failure (full jitter), but at least
 * what the service requested, and never shorter than a pause that it requested from another process. Without credit, the
 * cool-down is one hour, doubling up to twelve.
 */
export function coolDownAfter({ error, lane, before, now, chance, policy }: FailedCall): CoolDown {
  const failures = consecutiveFailures(before, now, policy) + 1;
  const doublings = Math.min(failures - 1, 30);
  if (isOutOfCredit(error, lane)) {
    const wait = Math.min(policy.creditMaxMs, policy.creditFirstMs * 2 ** doublings);
    return { until: now + wait, byService: false, failures };
  }
  const ceiling = Math.min(policy.failureMaxMs, policy.failureFirstMs * 2 ** doublings);
  const wait = Math.max(policy.failureMinMs, Math.round(ceiling * chance));
  const requested = Math.min(error.retryAfterMs ?? 0, policy.retryAfterMaxMs);
  // A rate limit counts as a request to pause, even if it names no time.
  const byService = error instanceof RateLimitedError || (requested > 0 && requested >= wait);
  const until = now + Math.max(wait, requested);
  const pause = activeCoolDown(before, lane, now, policy);
  return pause?.byService === true && (!byService || pause.until > until)
    ? { ...pause, failures }
    : { until, byService, failures };
}

/**
 * Returns the cool-down for the other lane: a lost connection affects both lanes, and a rate limit pauses the other one
 * for at most a minute. Returns null if the other lane is not affected.
 */
export function sharedCoolDown(
  { error, lane, now, policy }: Pick<FailedCall, 'error' | 'lane' | 'now' | 'policy'>,
  coolDown: CoolDown,
  otherCoolDown: CoolDown | null,
): CoolDown | null {
  if (error.kind !== 'unreachable' && error.kind !== 'rate-limited') return null;
  const until = error.kind === 'unreachable' ? coolDown.until : Math.min(coolDown.until, now + policy.sharedPauseMs);
  const active = activeCoolDown(otherCoolDown, otherLane(lane), now, policy);
  return active !== null && active.until >= until ? null : { ...coolDown, until };
}

/**
 * Returns the cool-down while it lasts, or null once it is over. An impossibly long cool-down comes from a wrong clock
 * and is ignored.
 */
export function activeCoolDown(
  coolDown: CoolDown | null,
  lane: CallLane,
  now: EpochMs,
  policy: PollingPolicy,
): CoolDown | null {
  if (coolDown === null || coolDown.until <= now) return null;
  const laneMaxMs = lane === 'register' ? policy.creditMaxMs : policy.failureMaxMs;
  const maxMs = coolDown.byService ? Math.max(laneMaxMs, policy.retryAfterMaxMs) : laneMaxMs;
  return coolDown.until - now > maxMs ? null : coolDown;
}

export function consecutiveFailures(before: CoolDown | null, now: EpochMs, policy: PollingPolicy): number {
  return before === null || now - before.until > policy.failureMaxMs ? 0 : before.failures;
}

export function needsUserAfter(kind: ServiceErrorKind | null, lane: CallLane): boolean {
  return kind === 'key-refused' || (kind === 'quota-exhausted' && lane === 'query');
}

export function isOutOfCredit(error: ServiceError, lane: CallLane): boolean {
  return error.kind === 'quota-exhausted' && lane === 'register';
}

/** Whether the service may have processed a failed request, so that it must be counted. */
export function mayHaveBeenProcessed(error: ServiceError): boolean {
  return ['timeout', 'bad-answer', 'answer-too-large', 'service-trouble', 'cancelled'].includes(error.kind);
}

export interface CallCost {
  readonly calls: number;
  readonly numbers: number;
  readonly registrations: number;
}

/** Returns the cost of checking these parcels. Archived parcels are skipped, and rejected ones are registered again. */
export function callCost(parcels: readonly Parcel[], batchLimits: BatchLimits): CallCost {
  const active = parcels.filter(({ archivedAt }) => archivedAt === null);
  const unregistered = active.filter(({ registration }) => registration !== 'registered').length;
  const { calls, registrations } = registrationCost(unregistered, batchLimits);
  return {
    calls: calls + batchCount(active.length - unregistered, batchLimits.query),
    numbers: active.length,
    registrations,
  };
}

export function registrationCost(numbers: number, batchLimits: BatchLimits): CallCost {
  const calls = batchCount(numbers, batchLimits.register) + batchCount(numbers, batchLimits.query);
  return { calls, numbers, registrations: numbers };
}

function batchCount(count: number, limit: number): number {
  return Math.ceil(count / Math.max(1, Math.floor(limit)));
}

export const noticeThreshold = 10;

/** The board asks for confirmation earlier, because one wrong key can paste a whole clipboard. */
export const confirmThreshold = { board: noticeThreshold, commandLine: 100 } as const;

export const moveThreshold = 1;
