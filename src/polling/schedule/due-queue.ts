import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { PollingPolicy } from './policy.ts';
import { farthestPlan, hasLeftQueue } from './schedule.ts';

/** Due whatever the clock shows. */
const atOnce = Number.NEGATIVE_INFINITY;

/** A parcel that waits. */
interface Entry {
  readonly parcel: Parcel;
  /** {@link atOnce} when its plan names no time that can be waited for. */
  readonly due: EpochMs;
  /** Before this instant the plan lies further ahead than any plan goes. */
  readonly plausibleFrom: EpochMs;
}

/**
 * The parcels that wait for one operation, by the time at which they are due. A plan further ahead than any plan goes was
 * made while the clock was wrong: it counts as due. Each look scans all of them, which takes some 0.1 ms for ten
 * thousand.
 */
export class DueQueue {
  readonly #policy: PollingPolicy;
  readonly #belongs: (parcel: Parcel) => boolean;
  readonly #batchLimit: number;
  #parcels: readonly Parcel[] = [];
  /** By position in the watchlist; null for a parcel that does not wait. */
  #places: readonly (Entry | null)[] = [];
  #entries: readonly Entry[] = [];

  /** A queue of the parcels that `belongs` picks out of those that have not left the queue; `batchLimit` numbers a call. */
  constructor(policy: PollingPolicy, batchLimit: number, belongs: (parcel: Parcel) => boolean = () => true) {
    this.#policy = policy;
    this.#belongs = belongs;
    this.#batchLimit = Math.max(1, Math.floor(batchLimit));
  }

  /** Takes over the newest watchlist. Parcels never change, and few are new in a new watchlist. */
  follow(parcels: readonly Parcel[]): void {
    const known = this.#parcels;
    if (parcels === known) return;
    this.#places = parcels.map((parcel, index) =>
      parcel === known[index] ? (this.#places[index] ?? null) : this.#entryOf(parcel),
    );
    this.#parcels = parcels;
    this.#entries = this.#places.filter((entry) => entry !== null);
  }

  /**
   * When the next call goes out: as soon as a parcel is due, but held for those that come due shortly after, so that one
   * call serves them all; a full call is not held. Never before a parcel's time, never later than its hold, and no longer
   * than there is somebody to wait for. Null when no parcel waits.
   */
  nextCallAt(now: EpochMs): EpochMs | null {
    let first: Entry | null = null;
    let firstDue = Number.POSITIVE_INFINITY;
    for (const entry of this.#entries) {
      const due = dueOf(entry, now);
      if (first !== null && due >= firstDue) continue;
      first = entry;
      firstDue = due;
    }
    if (first === null) return null;
    const latest = this.#latest(first, now);
    if (latest <= now) return Number.isFinite(firstDue) ? firstDue : now;
    const near = this.#dueBy(latest, now);
    const deadline = near.reduce((least, entry) => Math.min(least, this.#latest(entry, now)), latest);
    const dues = near.map((entry) => dueOf(entry, now)).filter((due) => due <= deadline);
    dues.sort((a, b) => a - b);
    return dues[Math.min(dues.length, this.#batchLimit) - 1] ?? firstDue;
  }

  /**
   * The parcels that are to be checked now, longest overdue first; none while all can still be held. Nothing is checked
   * before its time. What does not fill a call beside full ones is held for others that come due shortly after.
   */
  take(now: EpochMs): readonly Parcel[] {
    const callAt = this.nextCallAt(now);
    if (callAt === null || callAt > now) return [];
    const due = this.#dueBy(now, now).toSorted((a, b) => compare(dueOf(a, now), dueOf(b, now)));
    const full = due.length - (due.length % this.#batchLimit);
    const deadline = due
      .slice(full)
      .reduce((least, entry) => Math.min(least, this.#latest(entry, now)), Number.POSITIVE_INFINITY);
    const mayWait = full > 0 && full < due.length && deadline > now && this.#dueBy(deadline, now).length > due.length;
    return (mayWait ? due.slice(0, full) : due).map(({ parcel }) => parcel);
  }

  /** How many parcels are due at an instant, as it looks now. */
  countDue(at: EpochMs, now: EpochMs): number {
    return this.#dueBy(at, now).length;
  }

  /** A parcel as it waits here; null when it does not. */
  #entryOf(parcel: Parcel): Entry | null {
    if (hasLeftQueue(parcel) || !this.#belongs(parcel)) return null;
    const at = parcel.nextPollAt === null ? Number.NaN : Date.parse(parcel.nextPollAt);
    const due = Number.isFinite(at) ? at : atOnce;
    return { parcel, due, plausibleFrom: due - farthestPlan(parcel, this.#policy) };
  }

  /** Until when a parcel may be held for others. */
  #latest(entry: Entry, now: EpochMs): EpochMs {
    const due = dueOf(entry, now);
    return Number.isFinite(due) ? due + hold(entry.parcel, due, this.#policy) : due;
  }

  #dueBy(at: EpochMs, now: EpochMs): readonly Entry[] {
    return this.#entries.filter((entry) => dueOf(entry, now) <= at);
  }
}

function dueOf({ due, plausibleFrom }: Entry, now: EpochMs): EpochMs {
  return plausibleFrom > now ? atOnce : due;
}

/** As a difference, two infinities would be none. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** How long a due parcel may be held: a small share of its own interval, so that no user notices. */
function hold(parcel: Parcel, due: EpochMs, policy: PollingPolicy): number {
  const since = [parcel.checkedAt, parcel.registeredAt, parcel.addedAt].find(
    (at) => at !== null && Number.isFinite(Date.parse(at)),
  );
  const interval = typeof since === 'string' ? Math.max(0, due - Date.parse(since)) : 0;
  return Math.floor(Math.min(policy.coalesceMs, interval * policy.intervalShare));
}
