import type { EpochMs } from '../../service/clock/clock.ts';
import { parseInstant } from '../../service/clock/instant.ts';
import { parseServiceTime, type ServiceClock } from '../../service/clock/service-clock.ts';
import type { TrackingRecord } from '../../service/record/record.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { isoInstant } from '../../watchlist/model/parcel-factory.ts';
import { recordStage } from '../../watchlist/rules/parcel-stage.ts';
import { hasLeftQueue } from '../../watchlist/rules/waiting.ts';
import type { PollingPolicy } from './policy.ts';

/** What a plan is made with. */
export interface Planning {
  readonly now: EpochMs;
  /** When the call was sent whose answer is planned from; as long ago as `now` when left out. */
  readonly sentAt?: EpochMs;
  readonly serviceClock: ServiceClock;
  readonly policy: PollingPolicy;
  /** In [0, 1): one parcel's share of chance. A fixed number, so that a plan can be made again and come out the same. */
  readonly chance: number;
  /** False while the budget covers no registration. */
  readonly canRegister: boolean;
}

/** The part of a parcel that says when it is polled next. */
export type Plan = Pick<Parcel, 'nextPollAt' | 'fruitlessPolls' | 'deliveryConfirmed'>;

/**
 * When a parcel is polled next, null when it has left the queue. A missing time, or one further away than any plan
 * goes (it was made while the clock was wrong), counts as now: no parcel is forgotten.
 */
export function dueAt(parcel: Parcel, now: EpochMs, policy: PollingPolicy): EpochMs | null {
  if (hasLeftQueue(parcel)) return null;
  const at = parseInstant(parcel.nextPollAt);
  return at !== null && at - now <= farthestPlan(parcel, policy) ? at : now;
}

/** How far ahead the next poll of a parcel can be planned at most; plans are rounded to whole milliseconds. */
export function farthestPlan(parcel: Parcel, policy: PollingPolicy): number {
  const isBackingOff = parcel.fruitlessPolls > 0 || parcel.record === null || parcel.registration === 'pending';
  const longest = isBackingOff
    ? Math.max(policy.fruitlessLongestMs, policy.waitingMs, policy.longIndexingMs, ...policy.ladderMs)
    : recordStage(parcel) === 'delivered'
      ? policy.confirmDeliveredMs
      : policy.farthestMs;
  return longest + policy.jitterMs + 1;
}

/**
 * The instant of a `nextUpdateTime` that can be followed: in the future and not absurdly far; else null. One that passed
 * while the answer was on its way was in the future for the service, so it is followed as soon as a moment has passed.
 */
function usableNextUpdate(nextUpdateTime: string | null, planning: Planning): EpochMs | null {
  const { now, policy, sentAt = now } = planning;
  const at = parseServiceTime(nextUpdateTime, planning.serviceClock);
  if (at === null || at <= sentAt || at - now > policy.farthestMs) return null;
  return at > now ? at : now + policy.passedMs;
}

/**
 * Plans after a good answer. `before` is the parcel before the answer, `after` with it merged; `isNews` whether it held
 * something new, which lets a back-off begin again.
 */
export function planAfterAnswer(before: Parcel, after: Parcel, isNews: boolean, planning: Planning): Plan {
  const ended = planEnded(before, after, planning);
  if (ended !== null) return ended;
  const nextUpdate = usableNextUpdate(after.record?.nextUpdateTime ?? null, planning);
  if (nextUpdate !== null) {
    const jitter = Math.min(planning.policy.jitterMs, (nextUpdate - planning.now) * planning.policy.intervalShare);
    return plan(nextUpdate + jitter * planning.chance, 0);
  }
  const beginsBackOff = !isWaitingForRecord(after) && (isNews || isWaitingForRecord(before));
  const fruitlessPolls = beginsBackOff ? 1 : after.fruitlessPolls + 1;
  return plan(planning.now + fruitlessWait(after, fruitlessPolls, planning), fruitlessPolls);
}

/**
 * Plans after a push about a parcel. The next poll waits until the time that the push names,
 * and where it names none, at least as long as the first back-off. A registration that is still to be made is not put
 * off.
 */
export function planAfterPush(
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
  if (usableNextUpdate(push.nextUpdateTime, planning) !== null) return planAfterAnswer(before, after, true, planning);
  const due = dueAt(before, now, policy);
  const earliest = now + policy.fruitlessFirstMs;
  return due !== null && due >= earliest
    ? plan(due, fruitlessPolls)
    : // In a back-off, whatever the record says of its next update: that time would be too early.
      plan(earliest, Math.max(1, fruitlessPolls));
}

/** Plans the first poll after a registration. */
export function planAfterRegistration(parcel: Parcel, planning: Planning): Plan {
  const wait = ladderWait(parcel.fruitlessPolls, planning.policy);
  return plan(planning.now + wait, parcel.fruitlessPolls);
}

/** Plans after an answer that did not mention the parcel, or a call that was refused because of it. */
export function planAfterSilence(parcel: Parcel, planning: Planning): Plan {
  const ended = planEnded(parcel, parcel, planning);
  if (ended !== null) return ended;
  const fruitlessPolls = parcel.fruitlessPolls + 1;
  return plan(planning.now + fruitlessWait(parcel, fruitlessPolls, planning), fruitlessPolls);
}

/**
 * Plans again when another service clock comes into force: the record says the same, but means another instant.
 * Answers null when the plan does not depend on a `nextUpdateTime`, or stays.
 */
export function planForOtherClock(parcel: Parcel, planning: Planning): Plan | null {
  const stage = recordStage(parcel);
  const checkedAt = parseInstant(parcel.checkedAt);
  if (hasLeftQueue(parcel) || checkedAt === null || stage === 'delivered' || stage === 'expired') return null;
  const nextUpdate = usableNextUpdate(parcel.record?.nextUpdateTime ?? null, { ...planning, now: checkedAt });
  if (nextUpdate === null) return null;
  const planned = parseInstant(parcel.nextPollAt);
  const stays = planned !== null && planned >= nextUpdate && planned <= nextUpdate + planning.policy.jitterMs;
  return stays ? null : plan(nextUpdate, 0);
}

/** Plans for a parcel whose journey is over; null for any other. */
function planEnded(before: Parcel, after: Parcel, { now, policy }: Planning): Plan | null {
  if (after.archivedAt !== null) return noFurtherPoll(after.deliveryConfirmed);
  const stage = recordStage(after);
  if (stage === 'expired') return noFurtherPoll(false);
  if (stage !== 'delivered') return null;
  if (recordStage(before) !== 'delivered') return plan(now + policy.confirmDeliveredMs, 0);
  const due = dueAt(before, now, policy);
  if (due === null || due <= now) return noFurtherPoll(true);
  return plan(due, 0);
}

/** Whether the service has had nothing to say about a parcel yet, not even when it will have. */
function isWaitingForRecord(parcel: Parcel): boolean {
  return recordStage(parcel) === 'no-record' && (parcel.record?.nextUpdateTime ?? null) === null;
}

function fruitlessWait(parcel: Parcel, fruitlessPolls: number, planning: Planning): number {
  const { policy, chance, now } = planning;
  if (parcel.indexing !== undefined) {
    const isLong = now - Date.parse(parcel.indexing.since) >= policy.indexingMs;
    return isLong ? policy.longIndexingMs : ladderWait(fruitlessPolls, policy);
  }
  if (isWaitingForRecord(parcel)) return ladderWait(fruitlessPolls, policy);
  const doublings = Math.max(0, fruitlessPolls - 1);
  const wait = Math.min(policy.fruitlessLongestMs, policy.fruitlessFirstMs * 2 ** doublings);
  return wait + Math.min(policy.jitterMs, wait * policy.intervalShare) * chance;
}

function ladderWait(fruitlessPolls: number, policy: PollingPolicy): number {
  return policy.ladderMs[fruitlessPolls] ?? policy.waitingMs;
}

function plan(at: EpochMs, fruitlessPolls: number): Plan {
  return { nextPollAt: isoInstant(Math.ceil(at)), fruitlessPolls, deliveryConfirmed: false };
}

function noFurtherPoll(deliveryConfirmed: boolean): Plan {
  return { nextPollAt: null, fruitlessPolls: 0, deliveryConfirmed };
}
