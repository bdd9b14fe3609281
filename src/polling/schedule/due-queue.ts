import type { EpochMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { hasEnded, hasLeftQueue } from '../../parcels/parcel-stage.ts';
import type { PollingPolicy } from './policy.ts';
import { farthestPlan } from './schedule.ts';

const immediately = Number.NEGATIVE_INFINITY;
const never = Number.POSITIVE_INFINITY;

interface Wait {
  readonly parcel: Parcel;
  /** {@link immediately} if the plan has no usable time. */
  readonly due: EpochMs;
  /** Until when the parcel may wait for others to join. */
  readonly latest: EpochMs;
  /** Before this time, the plan is too far in the future to be plausible. */
  readonly plausibleFrom: EpochMs;
}

/** The parcels that wait for a request. A plan too far in the future comes from a wrong clock and counts as due. */
export class DueQueue {
  readonly #policy: PollingPolicy;
  readonly #belongs: (parcel: Parcel) => boolean;
  readonly #batchLimit: number;
  #parcels: readonly Parcel[] = [];
  /** By position in the watchlist. Null if the parcel is not waiting. */
  #waits: readonly (Wait | null)[] = [];

  constructor(policy: PollingPolicy, batchLimit: number, belongs: (parcel: Parcel) => boolean = () => true) {
    this.#policy = policy;
    this.#belongs = belongs;
    this.#batchLimit = Math.max(1, Math.floor(batchLimit));
  }

  follow(parcels: readonly Parcel[]): void {
    const [known, waits] = [this.#parcels, this.#waits];
    if (parcels === known) return;
    // Only changed parcels are processed, because every change by the user updates the queue.
    this.#waits = parcels.map((parcel, position) =>
      Object.is(parcel, known[position]) ? (waits[position] ?? null) : this.#waitOf(parcel),
    );
    this.#parcels = parcels;
  }

  /**
   * Returns when to send the next request. A due parcel waits for others that become due shortly after, unless the batch
   * is full. Null if no parcel is waiting.
   */
  nextCallAt(now: EpochMs): EpochMs | null {
    let first: Wait | null = null;
    for (const wait of this.#waits)
      if (wait !== null && (first === null || dueOf(wait, now) < dueOf(first, now))) first = wait;
    if (first === null) return null;
    const firstDue = dueOf(first, now);
    const latest = latestOf(first, now);
    if (latest <= now) return Number.isFinite(firstDue) ? firstDue : now;
    const waiting = this.#waits.filter((wait) => wait !== null && wait.due <= latest) as readonly Wait[];
    const deadline = waiting.reduce((earliest, wait) => Math.min(earliest, wait.latest), latest);
    const dues = waiting.map(({ due }) => due).filter((due) => due <= deadline);
    return (
      dues
        .toSorted((a, b) => a - b)
        .slice(0, this.#batchLimit)
        .at(-1) ?? deadline
    );
  }

  /**
   * Returns the parcels to check now, longest overdue first. After full batches, the last one may be held back for others
   * to join.
   */
  take(now: EpochMs): readonly Parcel[] {
    const callAt = this.nextCallAt(now);
    if (callAt === null || callAt > now) return [];
    const due = this.#dueBy(now, now).toSorted((a, b) => dueOf(a, now) - dueOf(b, now) || 0);
    const full = due.length - (due.length % this.#batchLimit);
    const deadline = due.slice(full).reduce((earliest, wait) => Math.min(earliest, latestOf(wait, now)), never);
    const mayWait = full > 0 && full < due.length && deadline > now && this.countDue(deadline, now) > due.length;
    return (mayWait ? due.slice(0, full) : due).map(({ parcel }) => parcel);
  }

  countDue(at: EpochMs, now: EpochMs): number {
    return this.#dueBy(at, now).length;
  }

  #dueBy(at: EpochMs, now: EpochMs): readonly Wait[] {
    return this.#waits.filter((wait) => wait !== null && dueOf(wait, now) <= at) as readonly Wait[];
  }

  #waitOf(parcel: Parcel): Wait | null {
    if (!this.#belongs(parcel) || hasLeftQueue(parcel)) return null;
    const due = parseInstant(parcel.nextPollAt) ?? immediately;
    const latest = Number.isFinite(due) ? due + maxHold(parcel, due, this.#policy) : due;
    return { parcel, due, latest, plausibleFrom: due - farthestPlan(parcel, this.#policy) };
  }
}

const dueOf = ({ due, plausibleFrom }: Wait, now: EpochMs): EpochMs => (plausibleFrom > now ? immediately : due);

const latestOf = ({ latest, plausibleFrom }: Wait, now: EpochMs): EpochMs =>
  plausibleFrom > now ? immediately : latest;

/**
 * Returns how long a due parcel may wait for others, in milliseconds: a small share of its interval, or a larger one if
 * the parcel has ended or backs off for hours.
 */
function maxHold(parcel: Parcel, due: EpochMs, policy: PollingPolicy): number {
  // The user is waiting for a new number.
  if (parcel.registration === 'pending' && parcel.fruitlessPolls === 0) return 0;
  const since = Math.max(
    parseInstant(parcel.checkedAt) ?? parseInstant(parcel.registeredAt) ?? parseInstant(parcel.addedAt) ?? due,
    parseInstant(parcel.restoredAt ?? null) ?? Number.NEGATIVE_INFINITY,
  );
  const interval = Math.max(0, due - since);
  const isUnplanned = parcel.fruitlessPolls > 0 && interval >= policy.patientMs;
  // A push must be confirmed by a query within a day.
  const isPatient = (isUnplanned || hasEnded(parcel)) && parcel.unconfirmedSince === undefined;
  if (isPatient) return Math.floor(interval * policy.patientShare);
  // The plan is already later than the service's.
  if (parcel.plannedFor !== undefined) return policy.coalesceMs;
  return Math.floor(Math.min(policy.coalesceMs, interval * policy.intervalShare));
}
