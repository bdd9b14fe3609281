import type { EpochMs } from '../../service/clock/clock.ts';
import { nextDifference } from '../../watchlist/model/next-difference.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { PollingPolicy } from './policy.ts';
import { farthestPlan, hasLeftQueue } from './schedule.ts';

/** Due whatever the clock shows. */
const atOnce = Number.NEGATIVE_INFINITY;

/** A parcel's place in the queue. A new plan gets a new one, so that an outdated one can be told by its identity. */
interface Entry {
  readonly position: number;
  /** {@link atOnce} when its plan names no time that can be waited for. */
  readonly due: EpochMs;
  /** Until when it may be held for others; found out when it is asked for first, as few ever come first. */
  latest: EpochMs | null;
}

/**
 * The parcels that wait for one operation, by the time at which they are due. Follows the watchlist by looking only at
 * parcels that changed, and answers by looking only at parcels that are due first, so that ten thousand cost no more
 * than ten.
 */
export class DueQueue {
  readonly #policy: PollingPolicy;
  readonly #belongs: (parcel: Parcel) => boolean;
  readonly #batchLimit: number;
  #parcels: readonly Parcel[] = [];
  /** By position in the watchlist; null for a parcel that does not wait. */
  #entries: (Entry | null)[] = [];
  /** A binary heap by {@link Entry.due}, outdated entries among it. */
  #heap: Entry[] = [];
  /** Before this instant some plan lies further ahead than any plan goes. */
  #plausibleSince: EpochMs = Number.NEGATIVE_INFINITY;

  /** A queue of the parcels that `belongs` picks out of those that have not left the queue; `batchLimit` numbers a call. */
  constructor(policy: PollingPolicy, batchLimit: number, belongs: (parcel: Parcel) => boolean = () => true) {
    this.#policy = policy;
    this.#belongs = belongs;
    this.#batchLimit = Math.max(1, Math.floor(batchLimit));
  }

  /** Takes over the newest watchlist. A plan further ahead than any plan goes was made while the clock was wrong: it counts as due. */
  follow(parcels: readonly Parcel[], now: EpochMs): void {
    if (!this.#adopt(parcels)) this.#rebuild(parcels, now);
    if (now < this.#plausibleSince) this.#rebuild(parcels, now);
  }

  /**
   * When the next call goes out: as soon as a parcel is due, but held for those that come due shortly after, so that one
   * call serves them all; a full call is not held. Never before a parcel's time, never later than its hold, and no longer
   * than there is somebody to wait for. Null when no parcel waits.
   */
  nextCallAt(now: EpochMs): EpochMs | null {
    const first = this.#first();
    if (first === null) return null;
    const latest = this.#latest(first);
    if (latest <= now) return Number.isFinite(first.due) ? first.due : now;
    const near = this.#until(latest);
    const deadline = near.reduce((least, entry) => Math.min(least, this.#latest(entry)), latest);
    const dues = near.flatMap(({ due }) => (due <= deadline ? [due] : [])).sort((a, b) => a - b);
    return dues[Math.min(dues.length, this.#batchLimit) - 1] ?? first.due;
  }

  /**
   * The parcels that are to be asked about now, longest overdue first; none while all can still be held. Nothing is asked
   * before its time. What does not fill a call beside full ones is held for others that come due shortly after.
   */
  take(now: EpochMs): readonly Parcel[] {
    const callAt = this.nextCallAt(now);
    if (callAt === null || callAt > now) return [];
    const due = this.#until(now).sort((a, b) => (a.due === b.due ? a.position - b.position : a.due - b.due));
    const full = due.length - (due.length % this.#batchLimit);
    const deadline = due
      .slice(full)
      .reduce((least, entry) => Math.min(least, this.#latest(entry)), Number.POSITIVE_INFINITY);
    const mayWait = full > 0 && full < due.length && deadline > now && this.#until(deadline).length > due.length;
    return (mayWait ? due.slice(0, full) : due).flatMap(({ position }) => this.#parcels[position] ?? []);
  }

  /** How many parcels are due at an instant. */
  countDue(at: EpochMs): number {
    return this.#until(at).length;
  }

  /** Places that are kept, outdated ones among them. */
  size(): number {
    return this.#heap.length;
  }

  /** Whether the parcels are those known before, changed or with new ones behind them; others need a rebuild. */
  #adopt(parcels: readonly Parcel[]): boolean {
    const known = this.#parcels;
    if (parcels === known) return true;
    if (parcels.length < known.length) return false;
    for (
      let position = nextDifference(parcels, known);
      position < parcels.length;
      position = nextDifference(parcels, known, position + 1)
    ) {
      const parcel = parcels[position];
      const before = known[position];
      if (parcel === undefined) continue;
      if (before !== undefined && before.id !== parcel.id) return false;
      this.#put(parcel, position, this.#entryOf(parcel, position));
    }
    this.#parcels = parcels;
    // Each change leaves an outdated entry behind.
    return this.#heap.length <= 2 * parcels.length + 64;
  }

  #rebuild(parcels: readonly Parcel[], now: EpochMs): void {
    this.#parcels = parcels;
    this.#entries = [];
    this.#heap = [];
    this.#plausibleSince = Number.NEGATIVE_INFINITY;
    for (const [position, parcel] of parcels.entries()) {
      const entry = this.#entryOf(parcel, position);
      const isAbsurd = entry !== null && entry.due - farthestPlan(parcel, this.#policy) > now;
      this.#put(parcel, position, isAbsurd ? { ...entry, due: atOnce, latest: atOnce } : entry);
    }
  }

  #entryOf(parcel: Parcel, position: number): Entry | null {
    if (hasLeftQueue(parcel) || !this.#belongs(parcel)) return null;
    const at = parcel.nextPollAt === null ? Number.NaN : Date.parse(parcel.nextPollAt);
    const due = Number.isFinite(at) ? at : atOnce;
    return { position, due, latest: null };
  }

  #latest(entry: Entry): EpochMs {
    const parcel = this.#parcels[entry.position];
    entry.latest ??= entry.due + (parcel === undefined ? 0 : hold(parcel, entry.due, this.#policy));
    return entry.latest;
  }

  #put(parcel: Parcel, position: number, entry: Entry | null): void {
    this.#entries[position] = entry;
    if (entry === null) return;
    this.#plausibleSince = Math.max(this.#plausibleSince, entry.due - farthestPlan(parcel, this.#policy));
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.due <= entry.due) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = entry;
  }

  #isCurrent(entry: Entry): boolean {
    return this.#entries[entry.position] === entry;
  }

  /** The entry that is due first; outdated ones are dropped on the way. */
  #first(): Entry | null {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#isCurrent(top)) return top;
      this.#dropTop();
    }
    return null;
  }

  #dropTop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const smaller = (heap[left + 1]?.due ?? Number.POSITIVE_INFINITY) < (heap[left]?.due ?? 0) ? left + 1 : left;
      const child = heap[smaller];
      if (child === undefined || child.due >= last.due) break;
      heap[at] = child;
      at = smaller;
    }
    heap[at] = last;
  }

  /** All entries due up to an instant, in no order. No entry below a later one is looked at. */
  #until(at: EpochMs): Entry[] {
    const found: Entry[] = [];
    const open = [0];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const entry = this.#heap[index];
      if (entry === undefined || entry.due > at) continue;
      if (this.#isCurrent(entry)) found.push(entry);
      open.push(2 * index + 1, 2 * index + 2);
    }
    return found;
  }
}

/** Cuts a list into pieces of at most `limit`. */
export function inBatches<Item>(items: readonly Item[], limit: number): readonly (readonly Item[])[] {
  const size = Math.max(1, Math.floor(limit));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** How long a due parcel may be held: a small share of its own interval, so that nobody who waits notices. */
function hold(parcel: Parcel, due: EpochMs, policy: PollingPolicy): number {
  const since = [parcel.checkedAt, parcel.registeredAt, parcel.addedAt].find(
    (at) => at !== null && Number.isFinite(Date.parse(at)),
  );
  const interval = typeof since === 'string' ? Math.max(0, due - Date.parse(since)) : 0;
  return Math.floor(Math.min(policy.coalesceMs, interval * policy.intervalShare));
}
