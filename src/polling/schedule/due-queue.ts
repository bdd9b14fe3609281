import type { EpochMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { hasEnded, hasLeftQueue } from '../../parcels/parcel-stage.ts';
import type { PollingPolicy } from './policy.ts';
import { farthestPlan } from './schedule.ts';

/** Due whatever the clock shows. */
const atOnce = Number.NEGATIVE_INFINITY;
/** The due time of a parcel that does not wait. */
const never = Number.POSITIVE_INFINITY;

/** When the next call goes out as it was found, and for how long that holds. */
interface FoundCall {
  readonly at: EpochMs | null;
  /** Looked at again in [from, until) it is the same while the watchlist is. */
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** Nobody who is due later has a part in it. */
  readonly latest: EpochMs;
}

/**
 * The parcels that wait for one operation, by the time at which they are due. A plan further ahead than any plan goes was
 * made while the clock was wrong: it counts as due. A look scans the times of all parcels, which stand in lists of plain
 * numbers: that way it takes some 0.01 ms for ten thousand. What it found is kept, since an idle board looks again and again.
 */
export class DueQueue {
  readonly #policy: PollingPolicy;
  readonly #belongs: (parcel: Parcel) => boolean;
  readonly #batchLimit: number;
  #parcels: readonly Parcel[] = [];
  /** By position in the watchlist; {@link atOnce} when the plan names no time that can be waited for. */
  #dues = new Float64Array(0);
  /** By position in the watchlist: until when a parcel may be held for others; at its due time where there is none. */
  #latests = new Float64Array(0);
  /** By position in the watchlist: before this instant the plan lies further ahead than any plan goes. */
  #plausibleFrom = new Float64Array(0);
  #found: FoundCall | null = null;

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
    if (parcels.length > this.#dues.length) this.#makeRoom(parcels.length);
    let isOther = false;
    for (let position = 0; position < Math.max(parcels.length, known.length); position += 1) {
      const parcel = parcels[position];
      if (Object.is(parcel, known[position])) continue;
      const before = position < known.length ? this.#waitAt(position) : neverWaits;
      if (parcel !== undefined) this.#place(parcel, position);
      const after = parcel === undefined ? neverWaits : this.#waitAt(position);
      isOther ||= !isSameWait(before, after) && (this.#hasPart(before) || this.#hasPart(after));
    }
    this.#parcels = parcels;
    if (isOther) this.#found = null;
  }

  #waitAt(position: number): PlannedWait {
    return {
      due: this.#dues[position] ?? never,
      latest: this.#latests[position] ?? never,
      plausibleFrom: this.#plausibleFrom[position] ?? atOnce,
    };
  }

  /** Whether the next call as it was found may depend on a parcel. */
  #hasPart({ due, plausibleFrom }: PlannedWait): boolean {
    const found = this.#found;
    return found !== null && due !== never && (due <= found.latest || plausibleFrom > found.from);
  }

  /**
   * When the next call goes out: as soon as a parcel is due, but held for those that come due shortly after, so that one
   * call serves them all; a full call is not held. Never before a parcel's time, never later than its hold, and no longer
   * than there is somebody to wait for. Null when no parcel waits.
   */
  nextCallAt(now: EpochMs): EpochMs | null {
    const known = this.#found;
    if (known !== null && now >= known.from && now < known.until) return known.at;
    this.#found = this.#findCall(now);
    return this.#found.at;
  }

  /**
   * The parcels that are to be checked now, longest overdue first; none while all can still be held. Nothing is checked
   * before its time. What does not fill a call beside full ones is held for others that come due shortly after.
   */
  take(now: EpochMs): readonly Parcel[] {
    const callAt = this.nextCallAt(now);
    if (callAt === null || callAt > now) return [];
    const due = this.#dueBy(now, now).toSorted((a, b) => this.#dueOf(a, now) - this.#dueOf(b, now) || 0);
    const full = due.length - (due.length % this.#batchLimit);
    const deadline = due.slice(full).reduce((least, position) => Math.min(least, this.#latest(position, now)), never);
    const mayWait = full > 0 && full < due.length && deadline > now && this.#dueBy(deadline, now).length > due.length;
    return (mayWait ? due.slice(0, full) : due).flatMap((position) => this.#parcels[position] ?? []);
  }

  /** How many parcels are due at an instant, as it looks now. */
  countDue(at: EpochMs, now: EpochMs): number {
    return this.#dueBy(at, now).length;
  }

  #findCall(now: EpochMs): FoundCall {
    const count = this.#parcels.length;
    const dues = this.#dues;
    const plausibleFrom = this.#plausibleFrom;
    let [first, firstDue, soonestPlausible] = [-1, never, never];
    for (let position = 0; position < count; position += 1) {
      const from = plausibleFrom[position] ?? now;
      if (from > now && from < soonestPlausible) soonestPlausible = from;
      const due = from > now ? atOnce : (dues[position] ?? never);
      if (due >= firstDue) continue;
      first = position;
      firstDue = due;
    }
    if (first === -1) return { at: null, from: now, until: soonestPlausible, latest: never };
    const latest = this.#latest(first, now);
    // What is due whatever the clock shows is due at each look anew.
    if (latest <= now) return { at: Number.isFinite(firstDue) ? firstDue : now, from: now, until: now, latest };
    // Now no plan is too far ahead: that would be due at once.
    let deadline = latest;
    for (let position = 0; position < count; position += 1)
      if ((dues[position] ?? never) <= latest) deadline = Math.min(deadline, this.#latests[position] ?? latest);
    const called = dues
      .subarray(0, count)
      .filter((due) => due <= deadline)
      .sort()
      .subarray(0, this.#batchLimit);
    return { at: called.at(-1) ?? deadline, from: now, until: Math.min(latest, soonestPlausible), latest };
  }

  #makeRoom(count: number): void {
    const room = Math.ceil(count * 1.25);
    const grown = (values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const larger = new Float64Array(room);
      larger.set(values);
      return larger;
    };
    this.#dues = grown(this.#dues);
    this.#latests = grown(this.#latests);
    this.#plausibleFrom = grown(this.#plausibleFrom);
  }

  #place(parcel: Parcel, position: number): void {
    if (!this.#belongs(parcel) || hasLeftQueue(parcel)) {
      this.#dues[position] = never;
      this.#latests[position] = never;
      this.#plausibleFrom[position] = atOnce;
      return;
    }
    const due = parseInstant(parcel.nextPollAt) ?? atOnce;
    this.#dues[position] = due;
    this.#latests[position] = Number.isFinite(due) ? due + hold(parcel, due, this.#policy) : due;
    this.#plausibleFrom[position] = due - farthestPlan(parcel, this.#policy);
  }

  #dueOf(position: number, now: EpochMs): EpochMs {
    return (this.#plausibleFrom[position] ?? now) > now ? atOnce : (this.#dues[position] ?? never);
  }

  /** Until when a parcel may be held for others. */
  #latest(position: number, now: EpochMs): EpochMs {
    const due = this.#dueOf(position, now);
    return Number.isFinite(due) ? (this.#latests[position] ?? due) : due;
  }

  /** The positions of all that are due by an instant. */
  #dueBy(at: EpochMs, now: EpochMs): readonly number[] {
    const found: number[] = [];
    for (let position = 0; position < this.#parcels.length; position += 1) {
      const due = this.#dueOf(position, now);
      if (due <= at && due !== never) found.push(position);
    }
    return found;
  }
}

/** What is known of a parcel's wait, whatever the clock shows. */
interface PlannedWait {
  readonly due: EpochMs;
  /** Until when it may be held for others. */
  readonly latest: EpochMs;
  readonly plausibleFrom: EpochMs;
}

/** Of a parcel that is not there, or does not wait. */
const neverWaits: PlannedWait = { due: never, latest: never, plausibleFrom: atOnce };

const isSameWait = (one: PlannedWait, other: PlannedWait): boolean =>
  one.due === other.due && one.latest === other.latest && one.plausibleFrom === other.plausibleFrom;

/**
 * How long a due parcel may be held, in milliseconds: a small share of its own interval, so that no user notices. One that
 * has ended, or backs off by the hour, waits for a call that others need anyway.
 */
export function hold(parcel: Parcel, due: EpochMs, policy: PollingPolicy): number {
  // What the user wants watched again, or registered, is waited for.
  if (parcel.registration === 'pending' && parcel.fruitlessPolls === 0) return 0;
  const since = Math.max(
    parseInstant(parcel.checkedAt) ?? parseInstant(parcel.registeredAt) ?? parseInstant(parcel.addedAt) ?? due,
    parseInstant(parcel.restoredAt ?? null) ?? Number.NEGATIVE_INFINITY,
  );
  const interval = Math.max(0, due - since);
  const isUnplanned = parcel.fruitlessPolls > 0 && interval >= policy.patientMs;
  // What only a push told is confirmed within a day.
  const isPatient = (isUnplanned || hasEnded(parcel)) && parcel.unconfirmedSince === undefined;
  if (isPatient) return Math.floor(interval * policy.patientShare);
  // Later than the service planned it in any case.
  if (parcel.plannedFor !== undefined) return policy.coalesceMs;
  return Math.floor(Math.min(policy.coalesceMs, interval * policy.intervalShare));
}
