import type { EpochMs } from '../../service/clock/clock.ts';
import { parseInstant } from '../../service/clock/instant.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { hasLeftQueue } from '../../watchlist/rules/waiting.ts';
import { hold, sharedCallAt, type Wait } from './due-queue.ts';
import type { PollingPolicy } from './policy.ts';
import { farthestPlan } from './schedule.ts';

/** As many as any call takes, and more. */
const mostKept = 200;

/** A parcel's wait, in an order that JSON keeps; null for one that is due at once. */
export type KeptWait = readonly [due: EpochMs, latest: EpochMs] | null;

/** Of a watchlist what says when the next call goes out. */
export interface SoonestWaits {
  /** Of those that are to be registered and to be queried, soonest first: enough for one call. */
  readonly register: readonly KeptWait[];
  readonly query: readonly KeptWait[];
  /** Before this instant a plan is further ahead than plans go, and counts as due. */
  readonly plausibleFrom: EpochMs;
}

/** The parcels of a watchlist that are called about first. */
export function soonestWaits(parcels: readonly Parcel[], policy: PollingPolicy): SoonestWaits {
  const waiting = parcels
    .filter((parcel) => !hasLeftQueue(parcel))
    .map((parcel) => ({ parcel, wait: waitOf(parcel, policy) }));
  const soonest = (isPending: boolean): readonly KeptWait[] =>
    waiting
      .filter(({ parcel }) => (parcel.registration === 'pending') === isPending)
      .map(({ wait }) => wait)
      .sort((left, right) => dueOf(left) - dueOf(right))
      .slice(0, mostKept);
  return {
    register: soonest(true),
    query: soonest(false),
    plausibleFrom: waiting.reduce(
      (latest, { parcel, wait }) => (wait === null ? latest : Math.max(latest, wait[0] - farthestPlan(parcel, policy))),
      0,
    ),
  };
}

/**
 * What {@link DueQueue.nextCallAt} answers for the queue of an operation, once no plan is too far ahead; null for none.
 * @param soonest of that operation
 */
export function nextCallAmong(soonest: readonly KeptWait[], batchLimit: number, now: EpochMs): EpochMs | null {
  const waits = soonest.map((kept): Wait => {
    const [due, latest] = kept ?? [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    return { due, latest };
  });
  const [first] = waits;
  if (first === undefined) return null;
  if (first.latest <= now) return Number.isFinite(first.due) ? first.due : now;
  return sharedCallAt(
    waits.filter(({ due }) => due <= first.latest),
    batchLimit,
  );
}

function waitOf(parcel: Parcel, policy: PollingPolicy): KeptWait {
  const due = parseInstant(parcel.nextPollAt);
  return due === null ? null : [due, due + hold(parcel, due, policy)];
}

const dueOf = (wait: KeptWait): EpochMs => wait?.[0] ?? Number.MIN_SAFE_INTEGER;
