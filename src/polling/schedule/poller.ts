import { createSerialQueue } from '../../lib/async.ts';
import { type EpochMs, sleep } from '../../lib/clock.ts';
import { parseInstant } from '../../lib/date-time.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import { isWaitingForCredit } from '../../parcels/parcel-stage.ts';
import { KeyRefusedError, ServiceError } from '../../service/errors.ts';
import type { BatchLimits, TrackingService } from '../../service/port.ts';
import type { QueryResponse, RegisterResponse, TrackKey } from '../../service/record.ts';
import { noUsage } from '../../store/usage.ts';
import { inTwoSentences, type Shortage } from '../gate/budget.ts';
import type { CallOrigin } from '../gate/call-rules.ts';
import type { MonitorCore } from '../monitor-core.ts';
import type { ResponseRecorder } from '../response-recorder.ts';
import { registrationItem } from '../sent-fields.ts';
import type { BudgetPause, RefreshOptions, RefreshOutcome } from '../state.ts';
import { BatchCaller, type CheckRun, toServiceError } from './batch-caller.ts';
import { DueQueue } from './due-queue.ts';
import { dueAt } from './schedule.ts';

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
    const times = this.#current().flatMap(({ operation, queue }) => {
      const at = queue.nextCallAt(now);
      return at === null ? [] : (gate.pollAt(Math.max(at, gate.budget.resumesAt(operation) ?? at), operation) ?? []);
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  pendingOperations(now: EpochMs): readonly ('register' | 'query')[] {
    return this.#current().flatMap(({ operation, queue }) => (queue.nextCallAt(now) === null ? [] : [operation]));
  }

  take(now: EpochMs): readonly Parcel[] {
    const { gate } = this.#core;
    return this.#current().flatMap(({ operation, queue }) =>
      gate.heldBack('poll', operation) === null && gate.budget.resumesAt(operation) === null ? queue.take(now) : [],
    );
  }

  pause(now: EpochMs): BudgetPause | null {
    const pauses = [
      ...this.#current().flatMap((queue) => this.#budgetPause(queue, now) ?? []),
      ...this.#creditPause(now),
    ];
    if (pauses.length === 0) return null;
    return {
      message: inTwoSentences(pauses),
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
      ...budget.spent(operation, waiting === 1 ? '1 due parcel waits' : `${waiting} due parcels wait`),
      short: `${budget.used(operation)}; ${waitText(waiting)}`,
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
    const used = isCounted ? budget.used('register') : 'no registrations left';
    return [
      {
        reached: `the account has no registrations left, so ${numbers}, and registered numbers are still checked`,
        advice: "add credit in the provider's portal; registration is retried automatically, or when you refresh",
        short: `${used}; ${waitText(waiting.length)}`,
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

const waitText = (count: number): string => (count === 1 ? '1 waits' : `${count} wait`);

export class Poller {
  readonly #core: MonitorCore;
  readonly #service: TrackingService | null;
  readonly #recorder: ResponseRecorder;
  readonly #caller: BatchCaller;
  readonly #due: DueParcels;
  readonly #runs = createSerialQueue();

  constructor(core: MonitorCore, service: TrackingService | null, recorder: ResponseRecorder, due: DueParcels) {
    this.#core = core;
    this.#service = service;
    this.#recorder = recorder;
    this.#caller = new BatchCaller(core, recorder);
    this.#due = due;
  }

  isBusy(): boolean {
    return !this.#runs.isEmpty();
  }

  /** Checks everything that is due. Failures are recorded in the state. Never throws. */
  async pollDue(signal: AbortSignal): Promise<void> {
    await this.#enqueue(async () => {
      await this.#catchUp();
      if (signal.aborted) return;
      const due = this.#due.take(this.#core.clock.now());
      if (due.length > 0) await this.#check(due, newRun('poll', signal, false));
    }).catch(async (error: unknown) => {
      const failure = toServiceError(error);
      await this.#caller.recordFailure(failure, 'query');
      await this.#caller.recordFailure(failure, 'register');
    });
  }

  /**
   * Checks parcels now. Skips archived parcels, registers rejected ones again, and queries newly registered ones after
   * the ladder's first delay. Throws a `StoreError`. Other failures are part of the outcome.
   */
  async refresh(
    parcelIds: readonly string[],
    stopSignal: AbortSignal,
    { beyondBudget = false, registersOnly = false, signal: ownSignal }: RefreshOptions = {},
  ): Promise<RefreshOutcome> {
    const ids = new Set(parcelIds);
    const signal = ownSignal === undefined ? stopSignal : AbortSignal.any([stopSignal, ownSignal]);
    const run = newRun('user', signal, beyondBudget);
    await this.#enqueue(async () => {
      await this.#catchUp();
      const parcels = this.#core.log.parcels().filter(({ id, archivedAt }) => ids.has(id) && archivedAt === null);
      if (parcels.length === 0) return;
      await this.#recorder.reopen(parcels.filter((parcel) => parcel.registration === 'rejected'));
      const open = parcels.flatMap(({ id }) => this.#core.log.find(id) ?? []);
      await this.#check(registersOnly ? open.filter(({ registration }) => registration === 'pending') : open, run);
      if (registersOnly) return;
      const fresh = this.#newlyRegistered(parcels);
      if (fresh.length === 0) return;
      const wait = fresh.some((parcel) => parcel.registeredAt !== null) ? (this.#core.policy.ladderMs[0] ?? 0) : 0;
      await sleep(this.#core.clock, wait, signal);
      await this.#core.gate.load();
      // Otherwise, the numbers are polled later.
      if (this.#core.gate.heldBack(run.origin, 'query') === null)
        await this.#check(this.#newlyRegistered(parcels), run);
    });
    return this.#caller.settle(run);
  }

  async #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#core.busy.during(() => this.#runs.run(work));
  }

  async #catchUp(): Promise<void> {
    await this.#core.follow();
    await this.#core.gate.load();
  }

  /** Queries and registers. If one fails, the other still runs. */
  async #check(parcels: readonly Parcel[], run: CheckRun): Promise<void> {
    this.#core.change({ checking: new Set(parcels.map(({ id }) => id)) });
    this.#core.changePolling({ phase: 'checking' });
    const registered = parcels.filter(({ registration }) => registration === 'registered');
    const pending = parcels.filter(({ registration }) => registration === 'pending');
    try {
      if (registered.length > 0) await this.#captureFailure(run, () => this.#query(registered, run));
      if (pending.length > 0) await this.#captureFailure(run, () => this.#register(pending, run));
    } finally {
      this.#core.change({ checking: new Set() });
      await this.#core.tryFlush();
    }
  }

  async #captureFailure(run: CheckRun, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      run.failures.push(error);
    }
  }

  async #query(parcels: readonly Parcel[], run: CheckRun): Promise<void> {
    const service = this.#requireService();
    await this.#caller.callAll<QueryResponse>(
      parcels,
      {
        operation: 'query',
        batchLimit: service.batchLimits.query,
        send: (batch, signal) => service.query(batch.map(queryKey), signal),
        record: (batch, response, sending) => this.#recorder.recordQuery(batch, response, sending),
        usageOf: ({ calls = 1 }, numbers) => ({ calls, queries: calls, numbers, registrations: 0 }),
      },
      run,
    );
  }

  async #register(parcels: readonly Parcel[], run: CheckRun): Promise<void> {
    const service = this.#requireService();
    const { serviceClock } = this.#core.state.get();
    await this.#caller.callAll<RegisterResponse>(
      await this.#recorder.completePending(parcels),
      {
        operation: 'register',
        batchLimit: service.batchLimits.register,
        send: (batch, signal) =>
          service.register(
            batch.map((parcel) => registrationItem(parcel, serviceClock)),
            signal,
          ),
        record: (batch, response) => this.#recorder.recordRegistration(batch, response),
        usageOf: ({ accepted }) => ({ ...noUsage, calls: 1, registrations: accepted.length }),
      },
      run,
    );
  }

  #newlyRegistered(parcels: readonly Parcel[]): readonly Parcel[] {
    return parcels.flatMap((before) => {
      const parcel = this.#core.log.find(before.id);
      const isNew = before.registration !== 'registered' && parcel?.registration === 'registered';
      return isNew && parcel.archivedAt === null ? [parcel] : [];
    });
  }

  #requireService(): TrackingService {
    if (this.#service !== null) return this.#service;
    throw new KeyRefusedError({
      what: 'No API key is set, so nothing can be checked.',
      advice: 'Set PARCEL_MONITOR_API_KEY, or add the key to config.json.',
    });
  }
}

function newRun(origin: CallOrigin, signal: AbortSignal, beyondBudget: boolean): CheckRun {
  return { origin, signal, beyondBudget, heldBack: new Map(), outcomes: [], failures: [] };
}

/** Leaves out a courier that the service detected, because it may have detected a different one since. */
function queryKey({ trackNo, courierCode, courierPinned }: Parcel): TrackKey {
  return { trackNo, courierCode: courierPinned ? courierCode : null };
}

/** Returns the ids of parcels that are due or have no record yet. */
export function dueIds({ clock, log, policy }: Pick<MonitorCore, 'clock' | 'log' | 'policy'>): readonly string[] {
  const now = clock.now();
  return log.parcels().flatMap((parcel) => {
    const at = dueAt(parcel, now, policy);
    return at !== null && (at <= now || parcel.record === null) ? [parcel.id] : [];
  });
}
