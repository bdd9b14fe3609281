import { sleep } from '../../service/clock/clock.ts';
import { KeyRefusedError, ServiceError } from '../../service/failures/errors.ts';
import type { TrackingService } from '../../service/port.ts';
import type { QueryAnswer, RegisterAnswer, TrackKey } from '../../service/record/record.ts';
import { createSerialQueue } from '../../watchlist/files/serial-queue.ts';
import type { Parcel } from '../../watchlist/model/parcel.ts';
import { noUsage } from '../../watchlist/state/usage.ts';
import type { AnswerRecorder } from '../answers/answer-recorder.ts';
import { registrationItem } from '../answers/registration-item.ts';
import type { MonitorCore } from '../core/monitor-core.ts';
import type { RefreshOptions, RefreshOutcome } from '../core/state.ts';
import type { CallOrigin } from '../gate/rules.ts';
import { BatchCaller, type CheckRun, toServiceError } from './batch-caller.ts';
import type { DueParcels } from './due-parcels.ts';

/** Checks parcels: registers what is pending, queries what is registered. One check at a time. */
export class Poller {
  readonly #core: MonitorCore;
  readonly #service: TrackingService | null;
  readonly #recorder: AnswerRecorder;
  readonly #caller: BatchCaller;
  readonly #due: DueParcels;
  readonly #runs = createSerialQueue();

  /** @param service null without a key */
  constructor(core: MonitorCore, service: TrackingService | null, recorder: AnswerRecorder, due: DueParcels) {
    this.#core = core;
    this.#service = service;
    this.#recorder = recorder;
    this.#caller = new BatchCaller(core, recorder);
    this.#due = due;
  }

  /** Whether a check is under way. */
  isBusy(): boolean {
    return !this.#runs.isEmpty();
  }

  /** Checks everything that is due. A failure is recorded in the state; it rejects with nothing. */
  async pollDue(signal: AbortSignal): Promise<void> {
    await this.#inTurn(async () => {
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
   * Checks these parcels now; archived ones are left alone, rejected ones are registered again. What was registered
   * just now is queried after the first wait of the ladder. Rejects with a `StoreError`; the outcome holds any failure of
   * the service, and of the budget.
   */
  async refresh(
    parcelIds: readonly string[],
    stopSignal: AbortSignal,
    { beyondBudget = false, registersOnly = false, signal: ended }: RefreshOptions = {},
  ): Promise<RefreshOutcome> {
    const ids = new Set(parcelIds);
    const signal = ended === undefined ? stopSignal : AbortSignal.any([stopSignal, ended]);
    const run = newRun('user', signal, beyondBudget);
    await this.#inTurn(async () => {
      await this.#catchUp();
      const wanted = this.#core.log.parcels().filter(({ id, archivedAt }) => ids.has(id) && archivedAt === null);
      if (wanted.length === 0) return;
      await this.#recorder.reopen(wanted.filter((parcel) => parcel.registration === 'rejected'));
      const open = wanted.flatMap(({ id }) => this.#core.log.find(id) ?? []);
      await this.#check(registersOnly ? open.filter(({ registration }) => registration === 'pending') : open, run);
      if (registersOnly) return;
      const fresh = this.#newlyRegistered(wanted);
      if (fresh.length === 0) return;
      const wait = fresh.some((parcel) => parcel.registeredAt !== null) ? (this.#core.policy.ladderMs[0] ?? 0) : 0;
      await sleep(this.#core.clock, wait, signal);
      await this.#core.gate.catchUp();
      // What is registered is polled once the service lets us.
      if (this.#core.gate.heldBack(run.origin, 'query') === null) await this.#check(this.#newlyRegistered(wanted), run);
    });
    return this.#caller.settle(run);
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#core.busy.during(() => this.#runs.run(work));
  }

  /** Another process may have polled meanwhile: its plans are in the store, and its cool-down in the memory. */
  async #catchUp(): Promise<void> {
    await this.#core.follow();
    await this.#core.gate.catchUp();
  }

  /**
   * Queries what is registered, then registers what is pending: neither waits for the other, and the failure of one is no
   * reason to leave the other out.
   */
  async #check(parcels: readonly Parcel[], run: CheckRun): Promise<void> {
    this.#core.change({ checking: new Set(parcels.map(({ id }) => id)) });
    this.#core.changePolling({ phase: 'checking' });
    const registered = parcels.filter(({ registration }) => registration === 'registered');
    const pending = parcels.filter(({ registration }) => registration === 'pending');
    try {
      if (registered.length > 0) await this.#notingFailure(run, () => this.#query(registered, run));
      if (pending.length > 0) await this.#notingFailure(run, () => this.#register(pending, run));
    } finally {
      this.#core.change({ checking: new Set() });
      await this.#core.flushTolerantly();
    }
  }

  async #notingFailure(run: CheckRun, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      run.failures.push(error);
    }
  }

  async #query(parcels: readonly Parcel[], run: CheckRun): Promise<void> {
    const service = this.#requireService();
    await this.#caller.callAll<QueryAnswer>(
      parcels,
      {
        operation: 'query',
        batchLimit: service.batchLimits.query,
        send: (batch, signal) => service.query(batch.map(queryKey), signal),
        record: (batch, answer, sending) => this.#recorder.recordQuery(batch, answer, sending),
        usageOf: ({ calls = 1 }, numbers) => ({ calls, queries: calls, numbers, registrations: 0 }),
      },
      run,
    );
  }

  async #register(parcels: readonly Parcel[], run: CheckRun): Promise<void> {
    const service = this.#requireService();
    const { serviceClock } = this.#core.state.get();
    await this.#caller.callAll<RegisterAnswer>(
      await this.#recorder.completePending(parcels),
      {
        operation: 'register',
        batchLimit: service.batchLimits.register,
        send: (batch, signal) =>
          service.register(
            batch.map((parcel) => registrationItem(parcel, serviceClock)),
            signal,
          ),
        record: (batch, answer) => this.#recorder.recordRegistration(batch, answer),
        usageOf: ({ accepted }) => ({ ...noUsage, calls: 1, registrations: accepted.length }),
      },
      run,
    );
  }

  #newlyRegistered(wanted: readonly Parcel[]): readonly Parcel[] {
    return wanted.flatMap((before) => {
      const parcel = this.#core.log.find(before.id);
      const isNew = before.registration !== 'registered' && parcel?.registration === 'registered';
      return isNew && parcel.archivedAt === null ? [parcel] : [];
    });
  }

  #requireService(): TrackingService {
    if (this.#service !== null) return this.#service;
    throw new KeyRefusedError(
      'There is no API key, so nothing can be checked. Set PARCEL_MONITOR_API_KEY, or put it into config.json.',
    );
  }
}

function newRun(origin: CallOrigin, signal: AbortSignal, beyondBudget: boolean): CheckRun {
  return { origin, signal, beyondBudget, heldBack: new Map(), outcomes: [], failures: [] };
}

/**
 * What a query asks for. A courier that only the service has named is no condition: the service may have found another one
 * since, and would not know the number under the old one.
 */
function queryKey({ trackNo, courierCode, courierPinned }: Parcel): TrackKey {
  return { trackNo, courierCode: courierPinned ? courierCode : null };
}
