import type { EpochMs } from '../../service/clock/clock.ts';
import { parseInstant } from '../../service/clock/instant.ts';
import type { BatchLimits } from '../../service/port.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { isWaitingForCredit } from '../../watchlist/rules/waiting.ts';
import type { BudgetPause } from '../../watchlist/state/polling-state.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import { DueQueue } from './due-queue.ts';

interface OperationQueue {
  readonly operation: 'register' | 'query';
  readonly queue: DueQueue;
}

/** The parcels that are to be registered and those that are to be queried, as far as the budget goes. */
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

  /** When polling may send the next call; null when no parcel waits for one, or the user has to do something first. */
  nextCallAt(now: EpochMs): EpochMs | null {
    const { gate } = this.#core;
    const times = this.#current().flatMap(({ operation, queue }) => {
      const at = queue.nextCallAt(now);
      return at === null ? [] : (gate.pollAt(Math.max(at, gate.budget.resumesAt(operation) ?? at), operation) ?? []);
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The operations that parcels wait for, whatever holds them back. */
  waitedFor(now: EpochMs): readonly ('register' | 'query')[] {
    return this.#current().flatMap(({ operation, queue }) => (queue.nextCallAt(now) === null ? [] : [operation]));
  }

  /** The parcels that are to be checked now, longest overdue first. */
  take(now: EpochMs): readonly Parcel[] {
    const { gate } = this.#core;
    return this.#current().flatMap(({ operation, queue }) =>
      gate.heldBack('poll', operation) === null && gate.budget.resumesAt(operation) === null ? queue.take(now) : [],
    );
  }

  /** What waits because the budget, or the account's credit for registrations, is used up; null when nothing does. */
  pause(now: EpochMs): BudgetPause | null {
    const pauses = [...this.#current().flatMap((one) => this.#budgetPause(one, now) ?? []), ...this.#creditPause(now)];
    const [first, second] = pauses;
    if (first === undefined || second === undefined) return first ?? null;
    return {
      message: `${first.message} ${second.message}`,
      short: `${first.short}; ${second.short}`,
      resumesAt: Math.min(first.resumesAt, second.resumesAt),
      waiting: first.waiting + second.waiting,
    };
  }

  #budgetPause({ operation, queue }: OperationQueue, now: EpochMs): BudgetPause | null {
    const { budget } = this.#core.gate;
    const resumesAt = budget.resumesAt(operation);
    const waiting = resumesAt === null ? 0 : queue.countDue(resumesAt, now);
    if (resumesAt === null || waiting === 0) return null;
    const parcels = waiting === 1 ? '1 parcel comes' : `${waiting} parcels come`;
    return {
      message: `${budget.explain(operation)} Until then ${parcels} due; checks resume by themselves.`,
      short: `${budget.used(operation)}; ${waitWords(waiting)}`,
      resumesAt,
      waiting,
    };
  }

  /** The account's credit is known by what it refuses only, so what was registered this month counts as all of it. */
  #creditPause(now: EpochMs): readonly BudgetPause[] {
    const { budget } = this.#core.gate;
    if (budget.resumesAt('register') !== null) return [];
    const waiting = this.#core.log.parcels().filter((one) => one.archivedAt === null && isWaitingForCredit(one));
    if (waiting.length === 0) return [];
    const numbers = waiting.length === 1 ? '1 number waits' : `${waiting.length} numbers wait`;
    const isCounted = budget.totals().month.registrations > 0;
    const used = isCounted ? budget.used('register') : 'no registrations left';
    return [
      {
        message: `The account has no registrations left, so ${numbers}; registered numbers are checked as before. Add credit in the provider's portal; it is tried again automatically, or refresh to try now.`,
        short: `${used}; ${waitWords(waiting.length)}`,
        resumesAt: Math.min(...waiting.map(({ nextPollAt }) => parseInstant(nextPollAt) ?? now)),
        waiting: waiting.length,
      },
    ];
  }

  #current(): readonly OperationQueue[] {
    const parcels = this.#core.log.parcels();
    for (const { queue } of this.#queues) queue.follow(parcels);
    return this.#queues;
  }
}

const waitWords = (count: number): string => (count === 1 ? '1 waits' : `${count} wait`);
