import type { EpochMs } from '../../lib/clock.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { CancelledError, RateLimitedError, type ServiceError, type ServiceErrorKind } from '../../service/errors.ts';
import type { BatchLimits } from '../../service/port.ts';
import type { CoolDown, PollingMemoryData } from '../../store/polling-memory.ts';
import { noUsage, type Usage, type UsageTotals } from '../../store/usage.ts';
import type { PollingPolicy } from '../schedule/policy.ts';

/**
 * Where a call comes from: the schedule, the user at the board, or a command, which says so when it waits for long. What
 * the webhook takes in needs no call: it is stored whatever holds calls back, and moves the next poll.
 */
export type CallOrigin = 'poll' | 'user' | 'command';

/** Why a call is not sent now. The budget comes beside these: how much it leaves depends on the operation. */
export type HoldReason =
  /** The user has paused the checks, in all processes. */
  | 'paused'
  /** The key was refused, or there is no credit for queries: only the user can change that. */
  | 'needs-user'
  /** The service has asked for a pause, be it another process. */
  | 'cool-down'
  /** Our own wait after a failed call. */
  | 'back-off'
  /** The least pause between two rounds of calls. */
  | 'pace'
  /** What hosts share cannot be reached: whatever was sent might be sent twice, or go beyond the budget. */
  | 'cut-off'
  /** The budget limits the call, and the meter cannot be written. */
  | 'uncounted'
  /** Another process polls. */
  | 'lease';

/**
 * What fails on its own: registrations, and queries with every other kind of call. An account without credit refuses
 * registrations while it answers queries.
 */
export type CallLane = 'register' | 'query';

export const otherLane = (lane: CallLane): CallLane => (lane === 'register' ? 'query' : 'register');

/** What holds back a call, in the order in which it is given as the reason. Somebody who waits for an answer yields to the service and the shared store alone. */
export const heldBackBy: Readonly<Record<CallOrigin, readonly HoldReason[]>> = {
  poll: ['cut-off', 'uncounted', 'cool-down', 'paused', 'needs-user', 'back-off', 'pace', 'lease'],
  user: ['cut-off', 'cool-down'],
  command: ['cut-off', 'cool-down'],
};

/** Every kind of call to the service. */
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

/** The lane of an operation. */
export const laneOf = (operation: CallOperation): CallLane => (operation === 'register' ? 'register' : 'query');

/** How calls of a kind are counted, limited and tried again. */
interface OperationRule {
  /** What of the budget a call takes; null where none limits it. */
  readonly limit: 'register' | 'query' | null;
  /** What is counted before a call about so many numbers is sent. */
  readonly counted: (numbers: number) => Usage;
  /** What stays counted when the service did not take the call. */
  readonly keptUntaken: (numbers: number) => Usage;
  /**
   * Whether a call that was one too many in its second is made once more. Registrations and queries are not: their
   * caller splits batches, plans them again, and decides what follows from a failure.
   */
  readonly isRetried: boolean;
}

const oneCall: Usage = { ...noUsage, calls: 1 };
const plain: OperationRule = { limit: null, counted: () => oneCall, keptUntaken: () => oneCall, isRetried: true };
const queried = (numbers: number): Usage => ({ ...oneCall, queries: 1, numbers });
const registered = (numbers: number): Usage => ({ ...oneCall, registrations: numbers });

/** The rules of all kinds. A page of the account counts as a query, an instant answer costs as much as a registration. */
export const operationRules: Readonly<Record<CallOperation, OperationRule>> = {
  register: { limit: 'register', counted: registered, keptUntaken: () => oneCall, isRetried: false },
  query: { limit: 'query', counted: queried, keptUntaken: queried, isRetried: false },
  search: { limit: 'query', counted: queried, keptUntaken: () => noUsage, isRetried: true },
  instant: { limit: 'register', counted: registered, keptUntaken: () => oneCall, isRetried: true },
  couriers: plain,
  edit: plain,
  changeCourier: plain,
  delete: plain,
  retrack: plain,
};

/** The call was not sent: the service has asked for a pause that is not over, be it another process. */
export class ServiceCoolDownError extends RateLimitedError {}

/** The call was not sent, for a reason that holds back polls alone; no user sees it. */
export class HeldBackError extends CancelledError {
  readonly reason: HoldReason;

  constructor(reason: HoldReason) {
    super(`The poll is held back: ${reason}.`);
    this.reason = reason;
  }
}

/** What fails beside a call, and fails no call. */
export type GateTrouble = 'memory-read' | 'memory-write' | 'meter-read' | 'meter-write' | 'lease';

/** What listens to what the gate reads and writes. */
export interface GateListener {
  /** Called with what is remembered, after each reading and writing. */
  onMemory(remembered: PollingMemoryData): void;
  /** Called with the totals when they may have changed. */
  onUsage(totals: UsageTotals): void;
  /** Called when a file of the gate's fails, and with null when it works. */
  onTrouble(source: GateTrouble, error: unknown): void;
}

/** The failure of a call, and what it is measured against. */
interface FailedCall {
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

/** What checking some parcels would cost. */
export interface CallCost {
  readonly calls: number;
  /** Numbers that are checked. */
  readonly numbers: number;
  /** Numbers that are registered, which an account pays for. */
  readonly registrations: number;
}

/** What checking these parcels now costs; archived ones are left alone, rejected ones are registered again. */
export function callCost(parcels: readonly Parcel[], batchLimits: BatchLimits): CallCost {
  const wanted = parcels.filter(({ archivedAt }) => archivedAt === null);
  const fresh = wanted.filter(({ registration }) => registration !== 'registered').length;
  const { calls, registrations } = registrationCost(fresh, batchLimits);
  return { calls: calls + batchesOf(wanted.length - fresh, batchLimits.query), numbers: wanted.length, registrations };
}

/** What registering so many numbers costs; what has just been registered is queried in calls of its own. */
export function registrationCost(numbers: number, batchLimits: BatchLimits): CallCost {
  const calls = batchesOf(numbers, batchLimits.register) + batchesOf(numbers, batchLimits.query);
  return { calls, numbers, registrations: numbers };
}

function batchesOf(count: number, limit: number): number {
  return Math.ceil(count / Math.max(1, Math.floor(limit)));
}

/** Up to this many registrations are made without a word about what they cost. */
export const noticeThreshold = 10;

/**
 * More registrations than this are confirmed first. The board confirms early, since there one key press too many adds a whole
 * clipboard; a command line with more than ten numbers was meant, and its cost is printed first anyway.
 */
export const confirmThreshold = { board: noticeThreshold, commandLine: 100 } as const;

/** More parcels than this are moved to another courier after a question: they have been paid for once, and undo brings nothing back. */
export const moveThreshold = 1;
