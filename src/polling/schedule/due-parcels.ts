import type { EpochMs } from '../../service/clock/clock.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import type { BudgetPause } from '../core/state.ts';
import type { BudgetedOperation, BudgetKeeper } from '../gate/budget.ts';
import { DueQueue } from './due-queue.ts';
import type { PollingPolicy } from './policy.ts';

/** What decides which parcels are due. */
export interface DueParcelsOptions {
  readonly policy: PollingPolicy;
  readonly batchLimits: { readonly register: number; readonly query: number };
  readonly budget: BudgetKeeper;
  readonly parcels: () => readonly Parcel[];
}

interface WaitingFor {
  readonly operation: BudgetedOperation;
  readonly queue: DueQueue;
}

/** The parcels that are to be registered and those that are to be asked about, as far as the budget goes. */
export class DueParcels {
  readonly #options: DueParcelsOptions;
  readonly #queues: readonly WaitingFor[];

  constructor(options: DueParcelsOptions) {
    this.#options = options;
    const { policy, batchLimits } = options;
    const isPending = ({ registration }: Parcel): boolean => registration === 'pending';
    this.#queues = [
      { operation: 'register', queue: new DueQueue(policy, batchLimits.register, isPending) },
      { operation: 'query', queue: new DueQueue(policy, batchLimits.query, (parcel) => !isPending(parcel)) },
    ];
  }

  /** When the next call goes out if nothing else holds it back; null when no parcel waits for one. */
  nextCallAt(now: EpochMs): EpochMs | null {
    const times = this.#current(now).flatMap(({ operation, queue }) => {
      const at = queue.nextCallAt(now);
      return at === null ? [] : [Math.max(at, this.#options.budget.resumesAt(operation) ?? at)];
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The parcels that are to be asked about now, longest overdue first. */
  take(now: EpochMs): readonly Parcel[] {
    return this.#current(now).flatMap(({ operation, queue }) =>
      this.#options.budget.resumesAt(operation) === null ? queue.take(now) : [],
    );
  }

  /** What waits because the budget is used up; null when nothing does. */
  pause(now: EpochMs): BudgetPause | null {
    const pauses = this.#current(now).flatMap(({ operation, queue }): BudgetPause[] => {
      const resumesAt = this.#options.budget.resumesAt(operation);
      const waiting = resumesAt === null ? 0 : queue.countDue(resumesAt);
      if (resumesAt === null || waiting === 0) return [];
      const parcels = waiting === 1 ? '1 parcel comes' : `${waiting} parcels come`;
      const message = `${this.#options.budget.explain(operation)} Until then ${parcels} due; asking goes on by itself.`;
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

  #current(now: EpochMs): readonly WaitingFor[] {
    const parcels = this.#options.parcels();
    for (const { queue } of this.#queues) queue.follow(parcels, now);
    return this.#queues;
  }
}
