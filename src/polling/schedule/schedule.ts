import type { EpochMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isoInstant } from '../../parcels/parcel-factory.ts';
import { hasEnded, hasLeftQueue, recordStage } from '../../parcels/parcel-state.ts';
import type { TrackingRecord } from '../../service/record.ts';
import { parseServiceTime, type ServiceClock } from '../../service/service-clock.ts';
import type { PollingPolicy } from './timings.ts';

export interface Planning {
  readonly now: EpochMs;
  /** When the request was sent. Defaults to `now`. */
  readonly sentAt?: EpochMs;
  readonly serviceClock: ServiceClock;
  readonly skewMs?: number;
  readonly policy: PollingPolicy;
  /** A random number in [0, 1), fixed so that planning again gives the same result. */
  readonly chance: number;
  readonly canRegister: boolean;
  /** How long after `nextUpdateTime` to poll, in milliseconds. Defaults to 0. */
  readonly lagMs?: number;
}

type Plan = Pick<Parcel, 'nextPollAt' | 'fruitlessPolls' | 'deliveryConfirmed'> & {
  readonly endedAt?: string | undefined;
  readonly plannedFor?: string | undefined;
  readonly unconfirmedSince?: string | undefined;
};

export function withPlan(parcel: Parcel, plan: Plan): Parcel {
  const { endedAt: _ended, plannedFor: _planned, unconfirmedSince: _since, ...rest } = parcel;
  const { endedAt, plannedFor, unconfirmedSince, ...times } = plan;
  return {
    ...rest,
    ...times,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(plannedFor === undefined ? {} : { plannedFor }),
    ...(unconfirmedSince === undefined ? {} : { unconfirmedSince }),
  };
}

/**
 * Returns when a parcel is due, or null if it is not in the queue. A missing time counts as now, and so does one that is
 * too far in the future, because it comes from a wrong clock.
 */
export function dueAt(parcel: Parcel, now: EpochMs, policy: PollingPolicy): EpochMs | null {
  if (hasLeftQueue(parcel)) return null;
  const at = parseInstant(parcel.nextPollAt);
  return at !== null && at - now <= farthestPlan(parcel, policy) ? at : now;
}

/** Returns how far in the future a poll can be planned, in milliseconds, including rounding. */
export function farthestPlan(parcel: Parcel, policy: PollingPolicy): number {
  const isBackingOff = parcel.fruitlessPolls > 0 || parcel.record === null || parcel.registration === 'pending';
  const maxMs = hasEnded(parcel)
    ? policy.endedLaterMs
    : isBackingOff
      ? Math.max(policy.fruitlessMaxMs, policy.waitingMs, policy.minPauseMs, ...policy.ladderMs)
      : policy.farthestMs;
  return maxMs + policy.jitterMs + 1;
}

/** Converts a time on the service clock to an instant on our own clock. */
function plannedInstant(
  text: string | null,
  { serviceClock, skewMs = 0 }: Pick<Planning, 'serviceClock' | 'skewMs'>,
): EpochMs | null {
  const at = parseServiceTime(text, serviceClock);
  return at === null ? null : at - skewMs;
}

/**
 * Returns `nextUpdateTime` plus the service's lag, or null if this is in the past or too far in the future. A time that
 * passed between request and response counts as now.
 */
function usableNextUpdate(nextUpdateTime: string | null, planning: Planning): EpochMs | null {
  const { now, policy, lagMs = 0, sentAt = now } = planning;
  const at = plannedInstant(nextUpdateTime, planning);
  if (at === null || at - now > policy.farthestMs) return null;
  const isAhead = at > sentAt;
  // A long lag, such as fifteen minutes, must not delay an update that is due in one minute by that much.
  const pollAt = at + Math.min(lagMs, isAhead ? Math.max(at - now, policy.minPauseMs) : lagMs);
  if (pollAt <= sentAt) return null;
  return pollAt > now ? pollAt : now + policy.passedMs;
}

/** Plans the next poll after a response. If `isNews` is set, the back-off starts over. */
export function planAfterResponse(before: Parcel, after: Parcel, isNews: boolean, planning: Planning): Plan {
  const ended = planEnded(before, after, planning);
  if (ended !== null) return ended;
  const { chance, now, policy } = planning;
  const nextUpdate = usableNextUpdate(after.record?.nextUpdateTime ?? null, planning);
  if (nextUpdate !== null) {
    const jitter = Math.min(policy.jitterMs, (nextUpdate - now) * policy.intervalShare);
    const at = nextUpdate + jitter * chance;
    const earliest = now + minWait(after, planning);
    return at >= earliest ? plan(at, 0) : { ...plan(earliest, 0), plannedFor: isoInstant(Math.ceil(nextUpdate)) };
  }
  const startsBackOff = !isWaitingForRecord(after) && (isNews || isWaitingForRecord(before));
  const fruitlessPolls = startsBackOff ? 1 : after.fruitlessPolls + 1;
  const wait = isOldRecord(after, planning)
    ? oldRecordWait(before, after, fruitlessPolls, planning)
    : fruitlessWait(after, fruitlessPolls, planning);
  return plan(now + wait, fruitlessPolls);
}

/** Returns the minimum time until the next poll, in milliseconds. It is shorter in the minutes after a registration. */
function minWait(parcel: Parcel, { now, policy }: Planning): number {
  if (!isNewlyRegistered(parcel, now, policy)) return policy.minPauseMs;
  const [first = 0, last = 0] = [policy.ladderMs[0], policy.ladderMs.at(-1)];
  return Math.min(policy.minPauseMs, last, Math.max(first, now - Date.parse(parcel.registeredAt ?? parcel.addedAt)));
}

/** Whether the record's next update has already passed: the service has not updated it yet. */
function isOldRecord({ record }: Parcel, planning: Planning): boolean {
  const at = plannedInstant(record?.nextUpdateTime ?? null, planning);
  return at !== null && at <= planning.now;
}

function oldRecordWait(before: Parcel, after: Parcel, fruitlessPolls: number, planning: Planning): number {
  const { now, policy } = planning;
  const wait = policy.oldRecordMs[fruitlessPolls - 1];
  if (wait === undefined) return fruitlessWait(after, fruitlessPolls - policy.oldRecordMs.length, planning);
  const checkedAt = parseInstant(before.checkedAt);
  const isLongPlan = fruitlessPolls > 1 || (checkedAt !== null && now - checkedAt >= 2 * policy.minPauseMs);
  return isLongPlan ? wait : Math.max(wait, minWait(after, planning));
}

/**
 * Plans the next poll after a push: at the time that the push names, or otherwise after the first back-off. The service
 * signs only the push's timestamp, so if the push ends or delays the checks, a query must confirm it within a day.
 */
export function planAfterPush(
  before: Parcel,
  after: Parcel,
  push: Pick<TrackingRecord, 'nextUpdateTime'>,
  planning: Planning,
): Plan {
  const { now, policy } = planning;
  const pushPlan = planAsPushed(before, after, push, planning);
  if (after.archivedAt !== null || after.registration === 'pending') return pushPlan;
  const [due, at] = [dueAt(before, now, policy), parseInstant(pushPlan.nextPollAt)];
  const previousSince = parseInstant(before.unconfirmedSince ?? null);
  const isDelayed = due !== null && (at === null || at > due);
  const ends = hasEnded(after) && !hasEnded(before);
  if (previousSince === null && !isDelayed && !ends) return pushPlan;
  const since = Math.min(previousSince ?? now, now);
  const latest = Math.max(now, since + policy.confirmMs);
  return {
    ...pushPlan,
    nextPollAt: isoInstant(at === null ? latest : Math.min(at, latest)),
    unconfirmedSince: isoInstant(since),
  };
}

function planAsPushed(
  before: Parcel,
  after: Parcel,
  push: Pick<TrackingRecord, 'nextUpdateTime'>,
  planning: Planning,
): Plan {
  const { now, policy } = planning;
  const { nextPollAt, fruitlessPolls, deliveryConfirmed } = before;
  if (after.registration === 'pending') return { nextPollAt, fruitlessPolls, deliveryConfirmed };
  const ended = planEnded(before, after, planning);
  if (ended !== null) return ended;
  if (usableNextUpdate(push.nextUpdateTime, planning) !== null) return planAfterResponse(before, after, true, planning);
  const due = dueAt(before, now, policy);
  const earliest = now + policy.fruitlessFirstMs;
  return due !== null && due >= earliest
    ? plan(due, fruitlessPolls)
    : // The record's next update would be too early.
      plan(earliest, Math.max(1, fruitlessPolls));
}

export function planAfterRegistration(parcel: Parcel, planning: Planning): Plan {
  const wait = ladderWait(parcel.fruitlessPolls, planning.policy);
  return plan(planning.now + wait, parcel.fruitlessPolls);
}

/**
 * Plans the next poll after a response that did not mention the parcel. If only a push has reported the end, the parcel
 * is queried again a day later.
 */
export function planAfterSilence(parcel: Parcel, planning: Planning): Plan {
  const ended = planEnded(parcel, parcel, planning);
  if (ended !== null) {
    if (parcel.unconfirmedSince === undefined || ended.nextPollAt === null) return ended;
    const { now, policy } = planning;
    return { ...ended, ...plan(now + policy.confirmMs, 0), unconfirmedSince: isoInstant(now) };
  }
  const fruitlessPolls = parcel.fruitlessPolls + 1;
  return plan(planning.now + fruitlessWait(parcel, fruitlessPolls, planning), fruitlessPolls);
}

/** Replans after the service clock has changed. Null means that the plan stays the same. */
export function planForNewClock(parcel: Parcel, planning: Planning): Plan | null {
  const checkedAt = parseInstant(parcel.checkedAt);
  // A parcel that is not registered, or whose requests fail, is not polled according to its record.
  if (parcel.registration !== 'registered' || parcel.error !== null) return null;
  if (hasLeftQueue(parcel) || checkedAt === null || hasEnded(parcel)) return null;
  const nextUpdate = usableNextUpdate(parcel.record?.nextUpdateTime ?? null, { ...planning, now: checkedAt });
  if (nextUpdate === null) return null;
  const earliest = Math.max(nextUpdate, checkedAt + minWait(parcel, planning));
  const { unconfirmedSince } = parcel;
  const since = parseInstant(unconfirmedSince ?? null);
  const at = since === null ? earliest : Math.min(earliest, since + planning.policy.confirmMs);
  const current = parseInstant(parcel.nextPollAt);
  // A plan below the minimum comes from a process that uses the sandbox, where there is no minimum.
  const isStillValid =
    current !== null && current >= Math.min(at, nextUpdate) && current <= at + planning.policy.jitterMs;
  if (isStillValid) return null;
  return {
    ...plan(at, 0),
    ...(at <= nextUpdate ? {} : { plannedFor: isoInstant(Math.ceil(nextUpdate)) }),
    unconfirmedSince,
  };
}

/** Plans an ended parcel: for a week as its record says, but at most daily, and then weekly until a month has passed. */
function planEnded(before: Parcel, after: Parcel, planning: Planning): Plan | null {
  const { now, policy } = planning;
  if (after.archivedAt !== null) return noFurtherPoll(after.deliveryConfirmed, after.endedAt);
  if (!hasEnded(after) || after.registration === 'pending') return null;
  const isNew = !hasEnded(before);
  const endedAt = isNew ? now : (parseInstant(before.endedAt) ?? parseInstant(before.checkedAt) ?? now);
  const ended = isoInstant(Math.min(endedAt, now));
  const age = Math.max(0, now - endedAt);
  if (age >= policy.endedLeavesMs) return noFurtherPoll(true, ended);
  // A refresh must not delay the next poll.
  const due = isNew ? null : dueAt(before, now, policy);
  if (due !== null && due > now) return { ...plan(due, 0), endedAt: ended };
  const nextUpdate = usableNextUpdate(after.record?.nextUpdateTime ?? null, planning);
  const scheduledAt = nextUpdate === null ? null : Math.max(nextUpdate, now + policy.endedMinMs);
  const latest = now + policy.endedLaterMs;
  const at =
    age >= policy.endedFollowedMs
      ? latest
      : Math.min(latest, scheduledAt ?? (isNew ? now + policy.endedMinMs : latest));
  return { ...plan(at, 0), endedAt: ended };
}

function isWaitingForRecord(parcel: Parcel): boolean {
  return recordStage(parcel) === 'no-record' && (parcel.record?.nextUpdateTime ?? null) === null;
}

function fruitlessWait(parcel: Parcel, fruitlessPolls: number, planning: Planning): number {
  const { policy, chance, now } = planning;
  if (parcel.indexing !== undefined || isWaitingForRecord(parcel)) {
    const afterLadder = fruitlessPolls - policy.ladderMs.length;
    if (isNewlyRegistered(parcel, now, policy) && afterLadder < 0) return ladderWait(fruitlessPolls, policy);
    const doublings = Math.max(0, afterLadder - policy.waitingPolls + 1);
    return Math.min(policy.fruitlessMaxMs, policy.waitingMs * 2 ** doublings);
  }
  const wait = Math.min(policy.fruitlessMaxMs, policy.fruitlessFirstMs * 2 ** Math.max(0, fruitlessPolls - 1));
  return wait + Math.min(policy.jitterMs, wait * policy.intervalShare) * chance;
}

function isNewlyRegistered({ addedAt, registeredAt }: Parcel, now: EpochMs, policy: PollingPolicy): boolean {
  const since = now - Date.parse(registeredAt ?? addedAt);
  return since >= 0 && since < policy.ladderLastsMs;
}

function ladderWait(fruitlessPolls: number, policy: PollingPolicy): number {
  return policy.ladderMs[fruitlessPolls] ?? policy.waitingMs;
}

function plan(at: EpochMs, fruitlessPolls: number): Plan {
  return { nextPollAt: isoInstant(Math.ceil(at)), fruitlessPolls, deliveryConfirmed: false };
}

function noFurtherPoll(deliveryConfirmed: boolean, endedAt: string | undefined): Plan {
  return { nextPollAt: null, fruitlessPolls: 0, deliveryConfirmed, endedAt };
}
