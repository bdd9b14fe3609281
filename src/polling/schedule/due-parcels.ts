import type { EpochMs } from '../../service/clock/clock.ts';
import type { BatchLimits } from '../../service/port.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
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

  /** When the next call goes out if nothing but the budget holds it back; null when no parcel waits for one. */
  nextCallAt(now: EpochMs): EpochMs | null {
    const times = this.#current().flatMap(({ operation, queue }) => {
      const at = queue.nextCallAt(now);
      return at === null ? [] : [Math.max(at, this.#core.gate.budget.resumesAt(operation) ?? at)];
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The parcels that are to be checked now, longest overdue first. */
  take(now: EpochMs): readonly Parcel[] {
    return this.#current().flatMap(({ operation, queue }) =>
      this.#core.gate.budget.resumesAt(operation) === null ? queue.take(now) : [],
    );
  }

  /** What waits because the budget is used up; null when nothing does. */
  pause(now: EpochMs): BudgetPause | null {
    const pauses = this.#current().flatMap(({ operation, queue }): BudgetPause[] => {
      const resumesAt = this.#core.gate.budget.resumesAt(operation);
      const waiting = resumesAt === null ? 0 : queue.countDue(resumesAt, now);
      if (resumesAt === null || waiting === 0) return [];
      const parcels = waiting === 1 ? '1 parcel comes' : `${waiting} parcels come`;
      const message = `${this.#core.gate.budget.explain(operation)} Until then ${parcels} due; checks resume by themselves.`;
      return [{ message, resumesAt, waiting }];
    });
    const [first, second] = pauses;
    if (first === undefined || second === undefined) return first ?? null;
    return {
      message: `${first.message} ${second.message}`,
      resumesAt: Math.min(first.resumesAt, second.resumesAt),
      waiting: first.waiting + second.waiting,
    };
  }

  #current(): readonly OperationQueue[] {
    const parcels = this.#core.log.parcels();
    for (const { queue } of this.#queues) queue.follow(parcels);
    return this.#queues;
  }
}
