import { createSerialQueue } from '../../lib/async.ts';
import { sleep } from '../../lib/clock.ts';
import type { Parcel } from '../../parcels/parcel.ts';
import type { MerchantChange } from '../../parcels/parcel-factory.ts';
import {
  KeyRefusedError,
  type MerchantFields,
  type QueryResponse,
  type RegisterResponse,
  type RegistrationItem,
  ServiceError,
  type TrackingService,
  type TrackKey,
} from '../../service/port.ts';
import { formatServiceTime, type ServiceClock } from '../../service/service-clock.ts';
import { noUsage } from '../../store/usage.ts';
import type { CallOrigin } from '../gate/call-rules.ts';
import type { MonitorCore } from '../monitor-core.ts';
import type { ResponseRecorder } from '../response-recorder.ts';
import type { RefreshOptions, RefreshOutcome } from '../state.ts';
import { BatchCaller, type CheckRun, toServiceError } from './batch-caller.ts';
import type { DueParcels } from './due-queue.ts';

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

export function registrationItem(parcel: Parcel, serviceClock: ServiceClock): RegistrationItem {
  const { trackNo, courierCode, extras, merchant = {} } = parcel;
  const { postalCode, phoneSuffix } = extras;
  return { trackNo, courierCode, postalCode, phoneSuffix, ...merchantFields(merchant, serviceClock) };
}

/**
 * Returns the fields in the service's format: an empty string clears a field, and the shipping time is on the service
 * clock.
 */
export function merchantFields({ shippedAt, ...texts }: MerchantChange, serviceClock: ServiceClock): MerchantFields {
  const fields = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, value ?? '']));
  if (shippedAt === null) return { ...fields, shipTime: '' };
  const shipTime = shippedAt === undefined ? '' : formatServiceTime(Date.parse(shippedAt), serviceClock);
  return shipTime === '' ? fields : { ...fields, shipTime };
}
