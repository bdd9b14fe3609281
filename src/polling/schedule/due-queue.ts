import type { EpochMs } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { hasEnded, hasLeftQueue, isWaitingForCredit } from '../../parcels/parcel-state.ts';
import type { BatchLimits } from '../../service/port.ts';
import { describeShortages, type Shortage } from '../gate/budget.ts';
import type { MonitorCore } from '../monitor-core.ts';
import type { BudgetPause } from '../state.ts';
import { dueAt, farthestPlan } from './schedule.ts';
import type { PollingPolicy } from './timings.ts';

const immediately = Number.NEGATIVE_INFINITY;
const never = Number.POSITIVE_INFINITY;

interface WaitingParcel {
  readonly parcel: Parcel;
  /** {@link immediately} if the plan has no usable time. */
  readonly due: EpochMs;
  /** Until when the parcel may wait for others to join. */
  readonly latest: EpochMs;
  /** Before this time, the plan is too far in the future to be plausible. */
  readonly plausibleFrom: EpochMs;
}

/** The parcels that wait for a request. A plan that is too far in the future comes from a wrong clock and counts as due. */
export class DueQueue {
  readonly #policy: PollingPolicy;
  readonly #isMember: (parcel: Parcel) => boolean;
  readonly #batchLimit: number;
  #parcels: readonly Parcel[] = [];
  /** By position in the watchlist. Null if the parcel is not waiting. */
  #waits: readonly (WaitingParcel | null)[] = [];

  constructor(policy: PollingPolicy, batchLimit: number, isMember: (parcel: Parcel) => boolean = () => true) {
    this.#policy = policy;
    this.#isMember = isMember;
    this.#batchLimit = Math.max(1, Math.floor(batchLimit));
  }

  follow(parcels: readonly Parcel[]): void {
    const [oldParcels, oldWaits] = [this.#parcels, this.#waits];
    if (parcels === oldParcels) return;
    // Only changed parcels are processed, because every change by the user updates the queue.
    this.#waits = parcels.map((parcel, position) =>
      Object.is(parcel, oldParcels[position]) ? (oldWaits[position] ?? null) : this.#waitOf(parcel),
    );
    this.#parcels = parcels;
  }

  /**
   * Returns when to send the next request. A due parcel waits for others that become due shortly after, unless the batch
   * is full. Null if no parcel is waiting.
   */
  nextCallAt(now: EpochMs): EpochMs | null {
    let first: WaitingParcel | null = null;
    for (const wait of this.#waits)
      if (wait !== null && (first === null || dueOf(wait, now) < dueOf(first, now))) first = wait;
    if (first === null) return null;
    const firstDue = dueOf(first, now);
    const latest = latestOf(first, now);
    if (latest <= now) return Number.isFinite(firstDue) ? firstDue : now;
    const waiting = this.#waits.filter((wait) => wait !== null && wait.due <= latest) as readonly WaitingParcel[];
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
   * Returns the parcels to check now, longest overdue first. If there are full batches, a partial one may be held back
   * until others join it.
   */
  take(now: EpochMs): readonly Parcel[] {
    const callAt = this.nextCallAt(now);
    if (callAt === null || callAt > now) return [];
    const due = this.#dueBy(now, now).toSorted((a, b) => dueOf(a, now) - dueOf(b, now) || 0);
    const fullCount = due.length - (due.length % this.#batchLimit);
    const deadline = due.slice(fullCount).reduce((earliest, wait) => Math.min(earliest, latestOf(wait, now)), never);
    const mayWait =
      fullCount > 0 && fullCount < due.length && deadline > now && this.countDue(deadline, now) > due.length;
    return (mayWait ? due.slice(0, fullCount) : due).map(({ parcel }) => parcel);
  }

  countDue(at: EpochMs, now: EpochMs): number {
    return this.#dueBy(at, now).length;
  }

  #dueBy(at: EpochMs, now: EpochMs): readonly WaitingParcel[] {
    return this.#waits.filter((wait) => wait !== null && dueOf(wait, now) <= at) as readonly WaitingParcel[];
  }

  #waitOf(parcel: Parcel): WaitingParcel | null {
    if (!this.#isMember(parcel) || hasLeftQueue(parcel)) return null;
    const due = parseInstant(parcel.nextPollAt) ?? immediately;
    const latest = Number.isFinite(due) ? due + maxHold(parcel, due, this.#policy) : due;
    return { parcel, due, latest, plausibleFrom: due - farthestPlan(parcel, this.#policy) };
  }
}

const dueOf = ({ due, plausibleFrom }: WaitingParcel, now: EpochMs): EpochMs =>
  plausibleFrom > now ? immediately : due;

const latestOf = ({ latest, plausibleFrom }: WaitingParcel, now: EpochMs): EpochMs =>
  plausibleFrom > now ? immediately : latest;

/**
 * Returns how long a due parcel may wait for others, in milliseconds: a small share of its interval, or a larger one if
 * the parcel has ended or backs off for hours.
 */
function maxHold(parcel: Parcel, due: EpochMs, policy: PollingPolicy): number {
  // The user is waiting for the first record.
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

type Pause = Omit<BudgetPause, 'message'> & Shortage;

interface OperationQueue {
  readonly operation: 'register' | 'query';
  readonly queue: DueQueue;
}

export class DueParcels {
  readonly #core: MonitorCore;
  readonly #queues: readonly OperationQueue[];

  constructor(core: MonitorCore, batchLimits: BatchLimits) {
    this.#core = core;
    const { policy } = core;
    const isPending = ({ registration }: Parcel): boolean => registration === 'pending';
    this.#queues = [
      { operation: 'register', queue: new DueQueue(policy, batchLimits.register, isPending) },
      { operation: 'query', queue: new DueQueue(policy, batchLimits.query, (parcel) => !isPending(parcel)) },
    ];
  }

  nextCallAt(now: EpochMs): EpochMs | null {
    const { gate } = this.#core;
    const times = this.#updateQueues().flatMap(({ operation, queue }) => {
      const at = queue.nextCallAt(now);
      return at === null ? [] : (gate.pollAt(Math.max(at, gate.budget.resumesAt(operation) ?? at), operation) ?? []);
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  pendingOperations(now: EpochMs): readonly ('register' | 'query')[] {
    return this.#updateQueues().flatMap(({ operation, queue }) => (queue.nextCallAt(now) === null ? [] : [operation]));
  }

  take(now: EpochMs): readonly Parcel[] {
    const { gate } = this.#core;
    return this.#updateQueues().flatMap(({ operation, queue }) =>
      gate.holdReason('poll', operation) === null && gate.budget.resumesAt(operation) === null ? queue.take(now) : [],
    );
  }

  pause(now: EpochMs): BudgetPause | null {
    const pauses = [
      ...this.#updateQueues().flatMap((queue) => this.#budgetPause(queue, now) ?? []),
      ...this.#creditPause(now),
    ];
    if (pauses.length === 0) return null;
    return {
      message: describeShortages(pauses),
      short: pauses.map(({ short }) => short).join('; '),
      resumesAt: Math.min(...pauses.map(({ resumesAt }) => resumesAt)),
      waiting: pauses.reduce((sum, { waiting }) => sum + waiting, 0),
    };
  }

  #budgetPause({ operation, queue }: OperationQueue, now: EpochMs): Pause | null {
    const { budget } = this.#core.gate;
    const resumesAt = budget.resumesAt(operation);
    const waiting = resumesAt === null ? 0 : queue.countDue(resumesAt, now);
    if (resumesAt === null || waiting === 0) return null;
    return {
      ...budget.shortage(operation, waiting === 1 ? '1 due parcel waits' : `${waiting} due parcels wait`),
      short: `${budget.usageText(operation)}; ${waitText(waiting)}`,
      resumesAt,
      waiting,
    };
  }

  /**
   * Describes registrations that are on hold for lack of credit. The service does not report the credit, so this month's
   * registrations are shown as all of it.
   */
  #creditPause(now: EpochMs): readonly Pause[] {
    const { budget } = this.#core.gate;
    if (budget.resumesAt('register') !== null) return [];
    const waiting = this.#core.log
      .parcels()
      .filter((parcel) => parcel.archivedAt === null && isWaitingForCredit(parcel));
    if (waiting.length === 0) return [];
    const numbers = waiting.length === 1 ? '1 number waits' : `${waiting.length} numbers wait`;
    const isCounted = budget.totals().month.registrations > 0;
    const usage = isCounted ? budget.usageText('register') : 'no registrations left';
    return [
      {
        reached: `the account has no registrations left, so ${numbers}, and registered numbers are still checked`,
        advice: "add credit in the provider's portal; registration is retried automatically, or when you refresh",
        short: `${usage}; ${waitText(waiting.length)}`,
        resumesAt: Math.min(...waiting.map(({ nextPollAt }) => parseInstant(nextPollAt) ?? now)),
        waiting: waiting.length,
      },
    ];
  }

  #updateQueues(): readonly OperationQueue[] {
    const parcels = this.#core.log.parcels();
    for (const { queue } of this.#queues) queue.follow(parcels);
    return this.#queues;
  }
}

const waitText = (count: number): string => (count === 1 ? '1 waits' : `${count} wait`);

/** Returns the ids of parcels that are due or have no record yet. */
export function dueIds({ clock, log, policy }: Pick<MonitorCore, 'clock' | 'log' | 'policy'>): readonly string[] {
  const now = clock.now();
  return log.parcels().flatMap((parcel) => {
    const at = dueAt(parcel, now, policy);
    return at !== null && (at <= now || parcel.record === null) ? [parcel.id] : [];
  });
}
