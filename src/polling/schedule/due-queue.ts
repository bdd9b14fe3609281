import type { EpochMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { hasEnded, hasLeftQueue } from '../../parcels/parcel-stage.ts';
import type { PollingPolicy } from './policy.ts';
import { farthestPlan } from './schedule.ts';

const atOnce = Number.NEGATIVE_INFINITY;
const never = Number.POSITIVE_INFINITY;

interface FoundCall {
  readonly at: EpochMs | null;
  /** Looked at again in [from, until) it is the same while the watchlist is. */
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly latest: EpochMs;
}

/**
 * Due times in flat arrays: a look at ten thousand parcels takes some 0.01 ms. A plan that is too far ahead was made
 * while the clock was wrong, and counts as due.
 */
export class DueQueue {
  readonly #policy: PollingPolicy;
  readonly #belongs: (parcel: Parcel) => boolean;
  readonly #batchLimit: number;
  #parcels: readonly Parcel[] = [];
  /** By position in the watchlist; {@link atOnce} when the plan names no time that can be waited for. */
  #dues = new Float64Array(0);
  /** By position in the watchlist: until when a parcel may be held for others; its due time where it may not be held. */
  #latests = new Float64Array(0);
  /** By position in the watchlist: before this instant the plan lies further ahead than any plan goes. */
  #plausibleFrom = new Float64Array(0);
  #found: FoundCall | null = null;

  constructor(policy: PollingPolicy, batchLimit: number, belongs: (parcel: Parcel) => boolean = () => true) {
    this.#policy = policy;
    this.#belongs = belongs;
    this.#batchLimit = Math.max(1, Math.floor(batchLimit));
  }

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

  #hasPart({ due, plausibleFrom }: PlannedWait): boolean {
    const found = this.#found;
    return found !== null && due !== never && (due <= found.latest || plausibleFrom > found.from);
  }

  /**
   * When the next call goes out: a due parcel is held for others that come due shortly after, a full call is not. Null
   * when no parcel waits.
   */
  nextCallAt(now: EpochMs): EpochMs | null {
    const known = this.#found;
    if (known !== null && now >= known.from && now < known.until) return known.at;
    this.#found = this.#findCall(now);
    return this.#found.at;
  }

  /**
   * The parcels to be checked now, longest overdue first. What does not fill a call beyond full ones is held for
   * others.
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
    // What is due at any time is due at each look.
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

  #latest(position: number, now: EpochMs): EpochMs {
    const due = this.#dueOf(position, now);
    return Number.isFinite(due) ? (this.#latests[position] ?? due) : due;
  }

  #dueBy(at: EpochMs, now: EpochMs): readonly number[] {
    const found: number[] = [];
    for (let position = 0; position < this.#parcels.length; position += 1) {
      const due = this.#dueOf(position, now);
      if (due <= at && due !== never) found.push(position);
    }
    return found;
  }
}

interface PlannedWait {
  readonly due: EpochMs;
  readonly latest: EpochMs;
  readonly plausibleFrom: EpochMs;
}

const neverWaits: PlannedWait = { due: never, latest: never, plausibleFrom: atOnce };

const isSameWait = (one: PlannedWait, other: PlannedWait): boolean =>
  one.due === other.due && one.latest === other.latest && one.plausibleFrom === other.plausibleFrom;

/**
 * Milliseconds that a due parcel may be held: a small share of its interval, more for one that has ended or backs off
 * by the hour.
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
