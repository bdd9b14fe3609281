import type { EpochMs } from '../../service/clock/clock.ts';
import { parseInstant } from '../../service/clock/instant.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { hasLeftQueue } from '../../watchlist/rules/waiting.ts';
import type { KeptWait, SoonestWaits } from '../../watchlist/state/soonest-waits.ts';
import { hold, sharedCallAt, type Wait } from './due-queue.ts';
import type { PollingPolicy } from './policy.ts';
import { farthestPlan } from './schedule.ts';

/** As many as any call takes, and more. */
export const mostKept = 200;

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
